/** Replaces what `property-information` knows of SVG in the deployed bundle: no HTML that is shown has any. */
export const svg = { property: {}, normal: {}, space: "svg" };

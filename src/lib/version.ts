/** The version of the API and the package. It is repeated here, because an import would bundle package.json. */
export const VERSION = "1.0.0";

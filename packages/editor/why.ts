/** Why a text is shown as Markdown, why a paste is not in it, or where an image is. */
export const WHY = {
  "too long": "This text is too long for the rich text editor, so it is shown as Markdown.",
  "too complex": "This text is too complex for the rich text editor, so it is shown as Markdown.",
  "large paste": "What you pasted is too large for the rich text editor, so the text is shown as Markdown. ",
  "excessive paste":
    "What you pasted is larger than an article can be (1 MiB), so it was not inserted. Paste it in parts.",
  "left out": (count: number) =>
    `${count === 1 ? "An image was" : `${count} images were`} left out of what you pasted. Copy and paste ${count === 1 ? "it" : "each one"} separately, or add it with “Image”.`,
  "no picture": (name: string) => `${name} was not inserted. Only images can be dropped into the text.`,
  "not uploaded": (name: string, error: unknown) =>
    `${name} was not uploaded: ${error instanceof Error ? error.message : "The upload failed."}`,
  "late picture": "An image was uploaded after you left its place, so it is at the end of the text.",
};

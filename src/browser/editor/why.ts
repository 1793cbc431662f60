/** Why a text is shown as Markdown, why a paste is not in it, or where a picture is. */
export const WHY = {
  "too long": "This text is too long for the rich editor: it is shown as Markdown.",
  "too complex": "This text is nested too deeply, or too complex, for the rich editor: it is shown as Markdown.",
  "large paste": "What you pasted is too large for the rich editor: it is in the text, which is shown as Markdown. ",
  "excessive paste":
    "What you pasted is larger than an article may be (1 MiB), so nothing of it was put into the text. Paste it in parts.",
  "left out": (count: number) =>
    `${count === 1 ? "A picture is" : `${count} pictures are`} left out of what you pasted: copy ${count === 1 ? "it" : "each"} by itself and paste it, or add it with “Picture”.`,
  "no picture": (name: string) => `${name} is not in the text: only pictures can be dropped into it.`,
  "not uploaded": (name: string, error: unknown) =>
    `${name} was not uploaded: ${error instanceof Error ? error.message : "The upload failed."}`,
  "late picture": "A picture was uploaded after you had left its place: it is at the end of the text.",
};

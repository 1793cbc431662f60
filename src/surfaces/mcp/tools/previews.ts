/** The tool that creates preview links. */
import { registry } from "../../../operations/registry.ts";
import { defineTool, WRITES } from "../tool.ts";

export const createPreviewLink = defineTool({
  name: "create_preview_link",
  title: "Create a preview link",
  description:
    "Creates a link that shows an article, even a draft, to anybody who has the link, without an account, until it expires: after an hour, unless `expiresInSeconds` says otherwise. Call it only when the user has asked to share this article. The `url` is shown once. An article can have at most 20 such links; people revoke them in the console.",
  operations: [registry.createPreview],
  annotations: WRITES,
  input: registry.createPreview.input,
  output: registry.createPreview.output.pick({ _id: true, articleId: true, url: true, expirationTime: true }),
  async run({ run }, input) {
    return (await run(registry.createPreview, () => input)).value;
  },
});

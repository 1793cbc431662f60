/** Posts of WordPress: what its exports have beside them, and what it does with their text before it shows it. */
import { expect, it } from "vitest";
import { readSource, useFiles, wordpressFile, wordpressItem } from "./source-files.ts";

const files = useFiles();

it("a custom field of a comment is none of its post", async () => {
  const meta = (of: "post" | "comment", key: string, value: string) =>
    `<wp:${of}meta><wp:meta_key>${key}</wp:meta_key><wp:meta_value>${value}</wp:meta_value></wp:${of}meta>`;
  const rated = `<wp:comment>${meta("comment", "rating", "5")}</wp:comment>`;
  const keyless = "<wp:postmeta><wp:meta_value>5</wp:meta_value></wp:postmeta>";
  const pictureOf = (id: string) =>
    wordpressItem({
      id,
      type: "attachment",
      more: `<wp:attachment_url>https://w.example/${id}.jpg</wp:attachment_url>`,
    });
  const items = [
    wordpressItem({ id: "1", name: "a", more: meta("post", "_thumbnail_id", "9") + rated + keyless }),
    wordpressItem({ id: "2", name: "b", more: meta("post", "_wpml_import_language_code", "de") + rated }),
    wordpressItem({ id: "3", name: "c", more: keyless + meta("comment", "_thumbnail_id", "9") }),
    ...["5", "9"].map(pictureOf),
  ];
  const { articles, failed } = await readSource(files.file(wordpressFile(items)));
  expect(failed).toEqual({});
  expect(articles).toMatchObject({
    "post-1": { coverUrl: "https://w.example/9.jpg" },
    "post-2": { locale: "de" },
    "post-3": { coverUrl: "" },
  });
});

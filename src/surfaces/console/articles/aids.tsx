/** What the editor's scripts need to help with the text beside it: preview, advice, own articles, and the model. */
import { useContext, type FC } from "hono/jsx";
import { VisitContext } from "../visit.ts";

type Blog = { readonly _id: string; readonly name: string; readonly locales: readonly string[] };

type AidsProps = {
  /** The blog of an article that exists; null for a new one, whose form says which. */
  readonly blog: Blog | null;
  /** The locales that a passage can be translated into. */
  readonly locales: readonly string[];
  readonly articleId: string;
};

/** Empty without scripts: then the button for a preview shows the same on a page of its own. */
export const Aids: FC<AidsProps> = ({ blog, locales, articleId }) => {
  const { hasModel } = useContext(VisitContext);
  return (
    <>
      <div
        class="aids"
        data-aids
        data-article={articleId}
        data-blog={blog?._id ?? ""}
        data-site={blog?.name ?? ""}
        data-locales={locales.join(" ")}
      ></div>
      <link rel="stylesheet" href="/console/aids.css" />
      <script type="module" src="/console/aids.js"></script>
      {hasModel && <script type="module" src="/console/assist.js"></script>}
    </>
  );
};

/** The routes of the pages of articles. */
import { Hono } from "hono";
import type { ConsoleEnv } from "../env.ts";
import { autosave } from "./autosave.ts";
import { assist } from "./assist.ts";
import { bulk } from "./bulk.tsx";
import { create } from "./create.tsx";
import { deletions } from "./deletions.tsx";
import { draft } from "./draft.tsx";
import { edit } from "./edit.tsx";
import { history } from "./history.tsx";
import { linkSearch } from "./link-search.ts";
import { list } from "./list.tsx";
import { missing } from "./missing.tsx";
import { matrix } from "./matrix.tsx";
import { links } from "./links.tsx";
import { editorPreview } from "./editor-preview.tsx";
import { publicPlace } from "./public-place.ts";
import { publish } from "./publish.tsx";
import { related } from "./related.ts";
import { remove } from "./remove.tsx";
import { schedule } from "./schedule.tsx";

export const articles = new Hono<ConsoleEnv>();

articles.route("/", list);
articles.route("/matrix/missing", missing);
articles.route("/matrix", matrix);
articles.route("/new", create);
articles.route("/bulk", bulk);
articles.route("/preview", editorPreview);
articles.route("/assist", assist);
articles.route("/related", related);
articles.route("/links", linkSearch);
articles.route("/", deletions);
articles.route("/", autosave);
articles.route("/", publish);
articles.route("/", remove);
articles.route("/", schedule);
articles.route("/", history);
articles.route("/", draft);
articles.route("/", links);
articles.route("/", publicPlace);
// Last, because its route /:id matches any name.
articles.route("/", edit);

/** What can be embedded, by the addresses that people copy. A text itself loads nothing from there. */
import type { Content, ContentByType, Element, Image } from "./tree.ts";

/**
 * `url` is the page for people, `player` is for a frame, and `oembed` is the endpoint for the title and the picture
 * (https://oembed.com).
 */
export type Embed = {
  readonly provider: string;
  readonly id: string;
  readonly url: string;
  readonly player: string | null;
  readonly oembed: string | null;
};

/**
 * `at` matches the host without `www.` and the like, the path and the query. The other members are replacements for
 * `String.replace`. There is no `player` if no policy can name its host, or it needs a script. There is no `oembed`
 * if it has neither title nor picture: that of X, Bluesky and Mastodon has the author and HTML, and gists have none.
 */
type Provider = {
  readonly name: string;
  readonly at: RegExp;
  readonly id: string;
  readonly page: string;
  readonly player?: string;
  readonly oembed?: string;
};

const PROVIDERS: Readonly<Record<string, Provider>> = {
  youtube: {
    name: "YouTube",
    at: /^(?:youtu\.be\/|youtube(?:-nocookie)?\.com\/(?:(?:shorts|live|embed|v)\/(?!videoseries)|watch\?(?:[^#]*&)?v=))([\w-]{11})(?![\w-]).*$/,
    id: "$1",
    page: "www.youtube.com/watch?v=$1",
    player: "www.youtube-nocookie.com/embed/$1",
    oembed: "www.youtube.com/oembed?format=json",
  },
  "youtube-playlist": {
    name: "YouTube",
    at: /^youtube(?:-nocookie)?\.com\/(?:playlist|embed\/videoseries)\?(?:[^#]*&)?list=([\w-]{10,64})(?![\w-]).*$/,
    id: "playlist/$1",
    page: "www.youtube.com/playlist?list=$1",
    player: "www.youtube-nocookie.com/embed/videoseries?list=$1",
    oembed: "www.youtube.com/oembed?format=json",
  },
  vimeo: {
    name: "Vimeo",
    at: /^(?:vimeo\.com\/(?:channels\/[\w-]+\/|groups\/[\w-]+\/videos\/|(?:album|showcase)\/\d+\/video\/)?|player\.vimeo\.com\/video\/)(\d{5,12})(?:[/?#].*)?$/,
    id: "$1",
    page: "vimeo.com/$1",
    player: "player.vimeo.com/video/$1?dnt=1",
    oembed: "vimeo.com/api/oembed.json",
  },
  dailymotion: {
    name: "Dailymotion",
    at: /^dailymotion\.com\/(?:embed\/)?video\/(\w{5,20})(?:[_/?#].*)?$/,
    id: "$1",
    page: "www.dailymotion.com/video/$1",
    player: "geo.dailymotion.com/player.html?video=$1",
    oembed: "www.dailymotion.com/services/oembed?format=json",
  },
  loom: {
    name: "Loom",
    at: /^loom\.com\/(?:share|embed)\/(?:[\w-]+-)?([\da-f]{32})(?:[/?#].*)?$/,
    id: "$1",
    page: "www.loom.com/share/$1",
    player: "www.loom.com/embed/$1",
    oembed: "www.loom.com/v1/oembed?format=json",
  },
  spotify: {
    name: "Spotify",
    at: /^open\.spotify\.com\/(?:intl-[\w-]+\/)?(?:embed(?:-podcast)?\/)?((?:track|album|playlist|episode|show|artist)\/[A-Za-z0-9]{22})(?:[/?#].*)?$/,
    id: "$1",
    page: "open.spotify.com/$1",
    player: "open.spotify.com/embed/$1",
    oembed: "open.spotify.com/oembed",
  },
  soundcloud: {
    name: "SoundCloud",
    at: /^(?:w\.soundcloud\.com\/player\/?\?(?:[^#]*&)?url=https?:\/\/)?soundcloud\.com\/((?!(?:discover|you|settings|pages|search|charts|stations|upload|stream)\/)[\w-]+\/(?:sets\/)?[\w-]+(?:\/s-\w+)?)(?:[/?#&].*)?$/,
    id: "$1",
    page: "soundcloud.com/$1",
    player: "w.soundcloud.com/player/?url=https%3A//soundcloud.com/$1",
    oembed: "soundcloud.com/oembed?format=json",
  },
  "soundcloud-number": {
    name: "SoundCloud",
    at: /^w\.soundcloud\.com\/player\/?\?(?:[^#]*&)?url=https?:\/\/api\.soundcloud\.com\/((?:tracks|playlists|users)\/\d+)(?!\d).*$/,
    id: "$1",
    page: "w.soundcloud.com/player/?url=https%3A//api.soundcloud.com/$1",
    player: "w.soundcloud.com/player/?url=https%3A//api.soundcloud.com/$1",
  },
  codepen: {
    name: "CodePen",
    at: /^codepen\.io\/((?:team\/)?[\w-]{1,60})\/(?:pen|embed|full|details|live)\/(?:preview\/)?(\w{4,40})(?:[/?#].*)?$/,
    id: "$1/pen/$2",
    page: "codepen.io/$1/pen/$2",
    player: "codepen.io/$1/embed/$2?default-tab=result",
    oembed: "codepen.io/api/oembed?format=json",
  },
  codesandbox: {
    name: "CodeSandbox",
    at: /^codesandbox\.io\/(?:s|embed|p\/sandbox|p\/devbox)\/([\w-]{4,100})(?:[/?#].*)?$/,
    id: "$1",
    page: "codesandbox.io/s/$1",
    player: "codesandbox.io/embed/$1",
    oembed: "codesandbox.io/oembed?format=json",
  },
  x: {
    name: "X",
    at: /^(?:(?:x|twitter)\.com\/(?:i\/web|\w{1,20})\/status(?:es)?\/|platform\.(?:x|twitter)\.com\/embed\/Tweet\.html\?(?:[^#]*&)?id=)(\d{1,20})(?!\d).*$/,
    id: "$1",
    page: "x.com/i/status/$1",
    player: "platform.twitter.com/embed/Tweet.html?id=$1&dnt=true",
  },
  bluesky: {
    name: "Bluesky",
    at: /^(?:bsky\.app\/profile\/(did:[\w.:-]{3,251})\/post|embed\.bsky\.app\/embed\/(did:[\w.:-]{3,251})\/app\.bsky\.feed\.post)\/(\w{5,20})(?:[/?#].*)?$/,
    id: "$1$2/$3",
    page: "bsky.app/profile/$1$2/post/$3",
    player: "embed.bsky.app/embed/$1$2/app.bsky.feed.post/$3",
  },
  // The player takes no handle, because somebody else may get it (bluesky-social/social-app, issue 9073).
  "bluesky-handle": {
    name: "Bluesky",
    at: /^bsky\.app\/profile\/([\w.-]{3,253})\/post\/(\w{5,20})(?:[/?#].*)?$/,
    id: "$1/$2",
    page: "bsky.app/profile/$1/post/$2",
  },
  gist: {
    name: "GitHub Gist",
    at: /^gist\.github\.com\/([\w-]+\/[\da-f]{4,40})(?:\.js)?(?:[/?#].*)?$/,
    id: "$1",
    page: "gist.github.com/$1",
  },
  mastodon: {
    name: "Mastodon",
    at: /^([\w.-]+(?::\d+)?\/@\w[\w.-]*(?:@[\w.-]+)?\/\d{5,20})(?:\/embed)?\/?(?:[?#].*)?$/,
    id: "$1",
    page: "$1",
  },
};

export const getProviderName = (provider: string): string => PROVIDERS[provider]?.name ?? "";

/** Hosts where the first label makes no difference. */
const HOST =
  /^https?:\/\/(?:www|m|music|mobile)\.(?=(?:youtube(?:-nocookie)?|vimeo|dailymotion|loom|soundcloud|x|twitter)\.com\/)/;
const LONGEST = 2000;

/** Returns what can be embedded from the address of a page or player; null if it is unknown. */
export function findEmbed(address: string): Embed | null {
  if (address.length > LONGEST || !/^https?:\/\//.test(address)) return null;
  const rest = address
    .replace(HOST, "")
    .replace(/^https?:\/\//, "")
    .replace(/^w\.soundcloud\.com.*/, (all) => all.replaceAll(/%2f/gi, "/").replaceAll(/%3a/gi, ":"));
  for (const [key, { at, id, page, player, oembed }] of Object.entries(PROVIDERS)) {
    if (!at.test(rest)) continue;
    const [more, playing] = MORE[key]?.(address) ?? ["", ""];
    return {
      provider: key.replace(/-.*/, ""),
      id: rest.replace(at, id),
      url: `https://${rest.replace(at, page)}${more}`,
      player: player === undefined ? null : `https://${rest.replace(at, player)}${playing}`,
      oembed: oembed === undefined ? null : `https://${oembed}`,
    };
  }
  return null;
}

type More = readonly [page: string, player: string];

/** Further parts of addresses: the start, the playlist, and the hash of an unlisted video. */
const MORE: Readonly<Record<string, (address: string) => More>> = {
  youtube: (address) => {
    const start = parseSeconds(findValue(address, "t", "[\\dhms]+") || findValue(address, "start", "\\d+"));
    const list = findValue(address, "list", "[\\w-]{10,64}");
    const said = [
      ...(list === "" ? [] : [["list", list, "list"]]),
      ...(start === 0 ? [] : [["t", String(start), "start"]]),
    ];
    const playing = said.map(([, value, name]) => `${name}=${value}`).join("&");
    return [said.map(([name, value]) => `&${name}=${value}`).join(""), playing === "" ? "" : `?${playing}`];
  },
  vimeo: (address) => {
    const hash =
      findValue(address, "h", "[\\da-f]{4,20}") || (/\/\d{5,12}\/([\da-f]{4,20})(?:[/?#]|$)/.exec(address)?.[1] ?? "");
    return hash === "" ? ["", ""] : [`/${hash}`, `&h=${hash}`];
  },
};

const findValue = (address: string, name: string, value: string): string =>
  new RegExp(`[?&#]${name}=(${value})(?:[&#]|$)`).exec(address)?.[1] ?? "";

/** Returns a time such as `90`, `90s` or `1m30s` in seconds. */
function parseSeconds(time: string): number {
  const [, hours = 0, minutes = 0, seconds = 0] = /^(?:(\d{1,2})h)?(?:(\d{1,3})m)?(?:(\d{1,6})s?)?$/.exec(time) ?? [];
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
}

/**
 * A link to something that can be embedded. `title` is the alt text of its picture, which the link contains;
 * `caption` is the title of the picture.
 */
export type Card = Embed & {
  readonly link: ContentByType<"link">;
  readonly title: string;
  readonly caption?: Content | undefined;
};

/** Returns the card if the nodes of a block are an address alone, or a picture that links to it; else null. */
export function findCard(nodes: readonly Content[]): Card | null {
  const [link, ...others] = nodes.filter((node) => !isSpace(node));
  if (link?.type !== "link" || others.length > 0 || link.children.length !== 1) return null;
  const [inside] = link.children;
  if (inside?.type === "image") return makePictureCard(link, inside);
  const isText = inside?.type === "text" && (inside.value === link.url || `http://${inside.value}` === link.url);
  const found = isText ? findEmbed(link.url) : null;
  return found && { ...found, link, title: "" };
}

function makePictureCard(link: ContentByType<"link">, picture: Image): Card | null {
  const found = findEmbed(link.url);
  if (found === null) return null;
  const title = toLine(picture.alt);
  const caption = toLine(picture.title ?? "");
  const bare = { ...picture, title: null };
  const children = title === "" ? [bare] : [{ ...bare, alt: "" }, makeElement("span", title)];
  const told = caption === "" ? {} : { caption: makeElement("figcaption", caption) };
  return { ...found, link: { ...link, children }, title, ...told };
}

const isSpace = (node: Content): boolean => node.type === "text" && node.value.trim() === "";

const toLine = (text: string): string => text.replaceAll(/\s+/g, " ").trim();

const makeElement = (name: string, value: string): Element => ({
  type: "element",
  name,
  attributes: {},
  children: [{ type: "text", value }],
});

const AROUND: ReadonlySet<string> = new Set(["p", "div", "center", "figure"]);

/** Returns the card of an element with nothing else but a caption; else null. In HTML, bare addresses are no links. */
export function findCardIn({ name, children }: Element): Card | null {
  if (!AROUND.has(name)) return null;
  const caption = children.find((child) => child.type === "element" && child.name === "figcaption");
  const inside = children.filter((child) => child !== caption && !isSpace(child));
  const [only] = inside;
  const nodes =
    only?.type === "paragraph" ? only.children : only?.type === "text" ? [makeLink(only.value.trim())] : inside;
  const card = inside.length === 1 ? findCard(nodes) : null;
  return card && caption ? { ...card, caption } : card;
}

const makeLink = (url: string): ContentByType<"link"> => ({
  type: "link",
  url,
  children: [{ type: "text", value: url }],
});

/** Scripts that only embed what is quoted beside them. */
export const WIDGETS =
  /^(?:https?:)?\/\/(?:platform\.(?:twitter|instagram|x)\.com|www\.(?:instagram|tiktok)\.com|embed\.(?:bsky\.app|reddit\.com|redditmedia\.com))\//;

/**
 * Returns the address of the page in a frame or script; "" for a script that embeds what is quoted beside it; null
 * for others.
 */
export function findFramePage(name: string, src = ""): string | null {
  if (name === "script" && WIDGETS.test(src)) return "";
  const isGist = /^(?:https?:)?\/\/gist\.github\.com\//.test(src);
  if (name !== "iframe" && !(name === "script" && isGist)) return null;
  return findEmbed(src.replace(/^\/\//, "https://"))?.url ?? null;
}

/** A browser without a screen: it keeps the cookies of each host, and sends forms from the console's own pages. */
export type Page = {
  readonly url: string;
  readonly status: number;
  readonly text: string;
  /** All addresses on the way, the last one included. */
  readonly way: readonly string[];
};

/** More redirects than the way to a provider and back has. */
const MOST_HOPS = 15;
const PATIENCE_MS = 30_000;

export type Visitor = ReturnType<typeof newVisitor>;

/** A browser without cookies. Paths are those of the service at `baseUrl`. */
export function newVisitor(baseUrl: string) {
  const jars = new Map<string, Map<string, string>>();

  /** One request, no redirects. */
  async function send(url: string, form?: URLSearchParams): Promise<Response> {
    const jar = jars.get(new URL(url).host) ?? new Map<string, string>();
    jars.set(new URL(url).host, jar);
    const response = await fetch(url, {
      redirect: "manual",
      signal: AbortSignal.timeout(PATIENCE_MS),
      headers: {
        Cookie: [...jar].map(([name, value]) => `${name}=${value}`).join("; "),
        ...(form && { Origin: baseUrl }),
      },
      ...(form && { method: "POST", body: form }),
    });
    for (const cookie of response.headers.getSetCookie()) keep(jar, cookie);
    return response;
  }

  async function follow(url: string, form?: URLSearchParams, until?: (next: string) => boolean): Promise<Page> {
    const way = [url];
    for (let at = url, sent = form; way.length <= MOST_HOPS; sent = undefined) {
      const response = await send(at, sent);
      const text = await response.text();
      const location = response.headers.get("Location");
      if (location === null) return { url: at, status: response.status, text, way };
      at = new URL(location, at).href;
      way.push(at);
      if (until?.(at)) return { url: at, status: response.status, text, way };
    }
    throw new Error(`too many redirects:\n${way.join("\n")}`);
  }

  const absolute = (path: string) => new URL(path, baseUrl).href;
  return {
    /** Opens a page, over all redirects. */
    get: (path: string) => follow(absolute(path)),
    /** Opens a page and stops before the first address that `until` accepts. */
    getUntil: (path: string, until: (next: string) => boolean) => follow(absolute(path), undefined, until),
    /** Sends a form; as pairs where a field has several values. */
    post: (path: string, values: Readonly<Record<string, string>> | [string, string][] = {}) =>
      follow(absolute(path), new URLSearchParams(values)),
  };
}

function keep(jar: Map<string, string>, cookie: string): void {
  const [pair = "", ...attributes] = cookie.split(";").map((part) => part.trim());
  const [name = "", ...value] = pair.split("=");
  const isOver = attributes.some((each) => /^max-age=0$|^expires=.* 1970 /i.test(each));
  if (isOver) jar.delete(name);
  else jar.set(name, value.join("="));
}

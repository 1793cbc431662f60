/** Writes the examples of an operation in each language. URL and credentials come from the environment. */
import type { Call } from "./typescript.ts";
import type { Operation } from "./document.ts";
import { getPathSample, getSample } from "./samples.ts";
import { isFile, writeTypescript } from "./typescript.ts";

export const LANGUAGES = { curl: "curl", typescript: "TypeScript", python: "Python", cli: "Command line" } as const;

export type Language = keyof typeof LANGUAGES;

/** Returns an example, or null if there is none in this language. */
export function writeExample(operation: Operation, language: Language): string | null {
  if (language === "cli") {
    const { command } = getSample(operation);
    return command === undefined ? null : `edgepress ${command}`;
  }
  const call = toCall(operation);
  if (language === "typescript") return writeTypescript(operation.id, call);
  return language === "curl" ? curl(call) : python(call);
}

export function toCall(operation: Operation): Call {
  const { query = {}, body = null } = getSample(operation);
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => getPathSample(operation, name));
  const words = new URLSearchParams(query).toString();
  const caller = operation.scope === "operator" ? "operator" : operation.closed ? "key" : "nobody";
  const sendsFile = operation.takesFile && FILES[operation.takesFile];
  const sent = body ?? (operation.body === null || sendsFile ? null : {});
  return { method: operation.method, target: words === "" ? path : `${path}?${words}`, body: sent, sendsFile, caller };
}

const FILES = {
  "image/*": { name: "porto.png", type: "image/png" },
  "application/octet-stream": { name: "ghost.json", type: "application/octet-stream" },
};

const CREDENTIALS = {
  key: `-u "$EDGEPRESS_API_KEY:"`,
  operator: `-H "Authorization: Token $EDGEPRESS_OPERATOR_TOKEN"`,
  nobody: null,
} as const;

function curl({ method, target, body, sendsFile, caller }: Call): string {
  // --json and --data-binary make it a POST.
  const isImplied = method === (body === null && !sendsFile ? "GET" : "POST");
  const words = [
    ...(isImplied ? [] : [`-X ${method}`]),
    CREDENTIALS[caller],
    `"$EDGEPRESS_URL${target}"`,
    ...(sendsFile ? [`-H "Content-Type: ${sendsFile.type}" --data-binary @${sendsFile.name}`] : []),
    ...(body === null ? [] : [`--json '${JSON.stringify(body, null, 2).replaceAll("'", String.raw`'\''`)}'`]),
  ].filter((word) => word !== null);
  const line = `curl ${words.join(" ")}`;
  return line.length < 76 ? line : `curl ${words.join(" \\\n  ")}`;
}

const AUTHORIZATION = {
  key: `f"Basic {key}"`,
  operator: `"Token " + os.environ["EDGEPRESS_OPERATOR_TOKEN"]`,
} as const;

function python({ method, target, body, sendsFile, caller }: Call): string {
  const headers = [
    ...(caller === "nobody" ? [] : [`"Authorization": ${AUTHORIZATION[caller]}`]),
    ...(sendsFile ? [`"Content-Type": "${sendsFile.type}"`] : []),
    ...(body === null ? [] : [`"Content-Type": "application/json"`]),
  ];
  const lines = [
    `    os.environ["EDGEPRESS_URL"] + "${target}"`,
    ...(method === "GET" ? [] : [`    method="${method}"`]),
    ...(headers.length === 0 ? [] : [`    headers={${headers.join(", ")}}`]),
    ...(sendsFile ? [`    data=open("${sendsFile.name}", "rb").read()`] : []),
    ...(body === null ? [] : [`    data=json.dumps(${toLiteral(body, "    ")}).encode()`]),
  ];
  const isText = isFile(target);
  return [
    `import ${caller === "key" ? "base64, " : ""}${isText ? "" : "json, "}os, urllib.request`,
    "",
    ...(caller === "key" ? [`key = base64.b64encode(os.environ["EDGEPRESS_API_KEY"].encode()).decode()`] : []),
    "request = urllib.request.Request(",
    `${lines.join(",\n")},`,
    ")",
    "with urllib.request.urlopen(request) as response:",
    isText ? "    print(len(response.read()))" : "    print(json.load(response))",
  ].join("\n");
}

function toLiteral(value: unknown, indent: string): string {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value !== "object") return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((each) => toLiteral(each, indent)).join(", ")}]`;
  const deeper = `${indent}    `;
  const members = Object.entries(value).map(
    ([name, each]) => `${deeper}${JSON.stringify(name)}: ${toLiteral(each, deeper)},`,
  );
  return members.length === 0 ? "{}" : `{\n${members.join("\n")}\n${indent}}`;
}

/** The commands `keys`, `members` and `audit`, all of which need an operator token. */
import type { Command } from "commander";
import { ROLES, SCOPES } from "../../../src/domain/principal.ts";
import { AUDIT_KINDS } from "../../../src/domain/audit-kinds.ts";
import type { Context } from "../context.ts";
import { toPrintableLine } from "../terminal.ts";
import { addRows, defineRow, makeChoice } from "./declare.ts";
import { formatTime, limit, parseList, parseTime, wholeNumber } from "./shared.ts";

export function addOperatorCommands(program: Command, context: Context): void {
  addRows(program, context, [...KEYS, ...MEMBERS, ORGANIZATION, AUDIT]);
}

const KEY_ID = ["<id>", "the id that `keys list` shows"] as const;
const SCOPE_LIST = ["--scopes <list>", `what it may do (${SCOPES.join(", ")})`, parseList] as const;
const EXPIRES = [
  "--expires <time>",
  "when it expires, such as 2027-01-01T00:00:00Z (default: never)",
  parseTime,
] as const;

const showSecret = ({ name, secret }: { readonly name: string; readonly secret: string }): string =>
  `${toPrintableLine(name)}: ${secret}\nThis is shown only once.`;

const KEYS = [
  defineRow("GET /api/apikeys", "keys list", "list the API keys, newest first", {
    operator: true,
    members: { limit: limit(100) },
    example: "keys list",
    none: "No API keys.",
    one: "API key",
    columns: [
      { head: "ID", cell: ({ _id }) => _id },
      { head: "NAME", cell: ({ name }) => name, shrinks: true },
      { head: "ENDS IN", cell: ({ hint }) => hint },
      { head: "SCOPES", cell: ({ scopes }) => scopes.join(" "), shrinks: true },
      { head: "EXPIRES", cell: ({ expirationTime }) => formatTime(expirationTime), drops: true },
      { head: "LAST USED", cell: ({ lastUsedTime }) => formatTime(lastUsedTime), drops: true },
    ],
  }),
  defineRow("POST /api/apikeys", "keys create", "create an API key and print its secret, once", {
    operator: true,
    anyBlog: true,
    members: { name: ["<name>", "the program that uses it"], scopes: SCOPE_LIST, expirationTime: EXPIRES },
    example: 'keys create "Website build" --scopes articles:read,blogs:read --json | jq -r .secret',
    says: showSecret,
  }),
  defineRow("PUT /api/apikeys/{apiKeyId}", "keys update", "rename an API key, or change its scopes", {
    operator: true,
    members: { apiKeyId: KEY_ID, name: ["--name <text>", "its new name"], scopes: SCOPE_LIST },
    example: "keys update 019a9d3d-0b11-7a4c-9d3e-5f6a7b8c9d0e --scopes articles:read",
    says: ({ name, scopes }) => `${toPrintableLine(name)}: ${scopes.join(", ") || "no scopes"}`,
  }),
  defineRow("POST /api/apikeys/{apiKeyId}/rotate", "keys rotate", "create another key in place of one", {
    operator: true,
    members: {
      apiKeyId: KEY_ID,
      overlapSeconds: [
        "--overlap <seconds>",
        "how long the old key still works (default: a day)",
        wholeNumber(0, 604_800),
      ],
      expirationTime: EXPIRES,
    },
    example: "keys rotate 019a9d3d-0b11-7a4c-9d3e-5f6a7b8c9d0e --overlap 3600",
    says: showSecret,
  }),
  defineRow("DELETE /api/apikeys/{apiKeyId}", "keys revoke", "end an API key at once", {
    operator: true,
    members: { apiKeyId: KEY_ID },
    asks: () => "Revoke this key? Programs that use it are refused immediately.",
    example: "keys revoke 019a9d3d-0b11-7a4c-9d3e-5f6a7b8c9d0e --yes",
    says: () => "Revoked.",
  }),
];

const ROLE = makeChoice("--role <role>", "what they may do", ROLES).makeOptionMandatory();

const MEMBERS = [
  defineRow("GET /api/members", "members list", "list the people of the organization", {
    operator: true,
    members: { limit: limit(100) },
    example: "members list",
    none: "No members.",
    one: "member",
    columns: [
      { head: "ID", cell: ({ _id }) => _id },
      { head: "NAME", cell: ({ name }) => name, shrinks: true },
      { head: "EMAIL", cell: ({ email }) => email, shrinks: true },
      { head: "ROLE", cell: ({ role }) => role },
      { head: "SINCE", cell: ({ creationTime }) => formatTime(creationTime), drops: true },
    ],
  }),
  defineRow("POST /api/invitations", "members invite", "invite a person, and print the link, once", {
    operator: true,
    members: { email: ["<email>", "their email address"], role: ROLE },
    example: "members invite ada@example.com --role writer",
    says: ({ email, link }) => `Invited ${toPrintableLine(email)}: ${link}`,
  }),
  defineRow("PUT /api/members/{memberId}", "members update", "change the role of a member", {
    operator: true,
    members: { memberId: ["<id>", "the id that `members list` shows"], role: ROLE },
    example: "members update 019a9d3d-0b11-7a4c-9d3e-5f6a7b8c9d0e --role reader",
    says: ({ name, role }) => `${toPrintableLine(name)} is now ${role}.`,
  }),
  defineRow("DELETE /api/members/{memberId}", "members remove", "remove a member from the organization", {
    operator: true,
    members: { memberId: ["<id>", "the id that `members list` shows"] },
    asks: () => "Remove this member? They lose access immediately.",
    example: "members remove 019a9d3d-0b11-7a4c-9d3e-5f6a7b8c9d0e --yes",
    says: () => "Removed.",
  }),
];

const ORGANIZATION = defineRow(
  "DELETE /api/organization",
  "organization delete",
  "delete the organization; an owner can restore it in the console for 30 days",
  {
    operator: true,
    asks: () => "Delete the organization? Nobody can act for it any more, and nobody sees its blogs.",
    example: "organization delete --yes",
    says: () => "Deleted the organization. An owner can restore it in the console for 30 days.",
  },
);

const AUDIT = defineRow("GET /api/audit", "audit", "show who changed what, newest first", {
  operator: true,
  members: {
    kind: makeChoice("--kind <kind>", "only changes of this kind of thing", AUDIT_KINDS),
    actor: ["--actor <id>", "only changes by this credential or person"],
    from: ["--from <time>", "only changes since then", parseTime],
    to: ["--to <time>", "only changes before then", parseTime],
    limit: limit(50),
  },
  example: "audit --kind apikeys --from 2026-11-01T00:00:00Z",
  none: "No changes.",
  one: "change",
  columns: [
    { head: "TIME (UTC)", cell: ({ creationTime }) => formatTime(creationTime) },
    { head: "BY", cell: ({ actor }) => actor.name ?? actor.id, shrinks: true },
    { head: "ACTION", cell: ({ action }) => action },
    { head: "WHAT", cell: ({ resourceName, resourceId }) => resourceName ?? resourceId, shrinks: true },
  ],
});

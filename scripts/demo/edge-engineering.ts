import { edgeEngineeringData } from "./edge-engineering.data.ts";
import type { DemoArticle } from "./types.ts";

export const edgeEngineering: DemoArticle[] = [
  {
    slug: "cache-keys-are-a-contract",
    locale: "en",
    title: "A cache key is a contract",
    description: "Most cache bugs are key bugs. How to decide what belongs in the key, and what to throw away.",
    content: `Every cache entry makes a promise: any two requests that produce this key may receive the same bytes. When people say that caching is hard, they often mean that somebody made that promise without noticing.

There are two ways to break it. A key with too little in it serves one reader's page to another. A key with too much in it is safe and useless, because no request ever matches.

## Start from what the handler reads

List every input that can change the response. For a public article endpoint the list is short:

- the host or tenant
- the path
- the locale
- the page number and page size

Anything the handler reads that is missing from the key is a bug, including things read indirectly: a feature flag, a cookie consulted by middleware, the \`Accept\` header. Anything in the key that the handler does not read is waste. Tracking parameters are the classic example. One newsletter can split a single hot page into ten thousand cold ones.

## Build the key from an allow list

\`\`\`ts
const ALLOWED = new Set(["locale", "page", "limit"]);

export function cacheKey(request: Request, version: number): string {
  const url = new URL(request.url);
  const pairs = [...url.searchParams]
    .filter(([name]) => ALLOWED.has(name))
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  const query = new URLSearchParams(pairs).toString();
  return \`\${url.host}/v\${version}\${url.pathname}?\${query}\`;
}
\`\`\`

Sorting makes \`?page=2&locale=en\` and \`?locale=en&page=2\` the same entry. The allow list means a new parameter is ignored until someone adds it on purpose. Have the handler parse its input from the same list, and the two cannot drift apart.

## Put a version in it

Purging by URL requires you to know every URL. A version number avoids that: bump the tenant's version when something is published, and all of its old keys become unreachable at once. They cost a little storage until they expire.

The price is one extra read per request to find the current version, so keep that lookup cheap.

## Test the promise

Write two tests for each cached endpoint:

1. Change one input that matters and assert that the keys differ.
2. Change one input that does not matter and assert that they are equal.

The second test is the one people skip. It is also the one that fails on the day the hit rate drops to nothing. For the semantics that shared caches follow on their own, read the overview of cache operation in [RFC 9111](https://www.rfc-editor.org/rfc/rfc9111#section-2).
`,
    published: true,
  },
  {
    slug: "idempotency-keys-that-survive-retries",
    locale: "en",
    title: "Idempotency keys that survive retries",
    description: "A unique constraint, a request hash and a stored response: the small table behind safe retries.",
    content: `A client sends \`POST /orders\` and the connection drops. Did the order go through? The client cannot know, so it has two bad options: give up, or try again and risk a duplicate. An idempotency key gives it a third one.

The client generates a random key per *intention* and sends the same key on every attempt. The server promises that one key leads to one effect.

## The table

\`\`\`sql
CREATE TABLE idempotency (
  tenant_id    TEXT NOT NULL,
  key          TEXT NOT NULL,
  request_hash TEXT NOT NULL,
  status       INTEGER,
  body         TEXT,
  created_at   INTEGER NOT NULL,
  PRIMARY KEY (tenant_id, key)
);
\`\`\`

The primary key does the real work. Checking with a \`SELECT\` and then inserting leaves a gap that two simultaneous retries will find. Insert first instead, and let the database pick the winner:

\`\`\`sql
INSERT INTO idempotency (tenant_id, key, request_hash, created_at)
VALUES (?, ?, ?, ?)
ON CONFLICT DO NOTHING;
\`\`\`

If one row was written, this request owns the key. If none was, somebody got there before you.

## The four cases

| Row found | Hash | Answer |
| --- | --- | --- |
| no | – | do the work, store the response |
| yes, finished | same | replay the stored response |
| yes, in progress | same | 409, retry shortly |
| yes | different | 422, the key was reused for another request |

The last row catches a common client bug: a key created once at start-up and sent with everything. Without the hash, that client would receive the first answer for ever.

## Details that bite

- **Scope keys by tenant.** Otherwise one customer can collide with another, or worse, read their response.
- **Commit the effect and the response together.** If the order is saved in one transaction and the response in another, a crash in between brings back the original problem.
- **Do not store failures that may heal.** Replaying a 503 for a day helps nobody. Delete the row on a transient error so that the next attempt can run.
- **Give "in progress" a deadline.** A worker that dies mid-request never fills in \`status\`. After a minute or so, let another attempt take over, provided the effect itself is transactional.
- **Expire old rows.** A day covers most retry policies. Document the period, because it is part of the interface.

None of this makes a remote call idempotent. If the work includes charging a card, pass a key of your own to the payment provider, derived from the one you were given.
`,
    published: true,
  },
  {
    slug: "webhooks-verify-then-queue",
    locale: "en",
    title: "Webhooks: verify, then queue",
    description:
      "A receiver should do three things in the request and nothing else. Notes on signatures, replays and ordering.",
    content: `A webhook endpoint is a public URL that changes your data. Treat it with the suspicion you would give any other form, and keep it boring. Ours does three things inside the request:

1. Check the signature over the raw body.
2. Record the event id.
3. Put the event on a queue and answer \`202\`.

Everything interesting happens later, where it can be retried without the sender noticing.

## Check the bytes, not the object

The signature covers the exact bytes that were sent. Parse the JSON first and serialise it again, and a reordered key or a different number format will break verification. Read the body as text, verify, and only then parse.

\`\`\`ts
export async function verify(secret: string, signatureHex: string, timestamp: string, body: string) {
  const encoder = new TextEncoder();
  const key = await crypto.subtle.importKey(
    "raw",
    encoder.encode(secret),
    { name: "HMAC", hash: "SHA-256" },
    false,
    ["verify"],
  );
  const signature = Uint8Array.from(signatureHex.match(/../g) ?? [], (pair) => parseInt(pair, 16));
  return crypto.subtle.verify("HMAC", key, signature, encoder.encode(\`\${timestamp}.\${body}\`));
}
\`\`\`

Use [\`crypto.subtle.verify\`](https://developer.mozilla.org/en-US/docs/Web/API/SubtleCrypto/verify) rather than comparing strings with \`===\`, which may stop at the first difference and leak timing.

The timestamp is part of the signed text, so it cannot be altered. Reject anything more than five minutes away from your clock, and an old request captured from a log becomes worthless.

## Expect duplicates

Nearly every sender promises delivery *at least* once. If your answer gets lost, the event will be sent again. Insert the event id into a table with a unique constraint; if the row already exists, answer with success and stop. An error here would only earn you more retries.

## Do not trust the order

\`updated\` can arrive before \`created\`. Two ways to cope:

- Compare a version or timestamp in the payload and drop anything older than what you have stored.
- Treat the event as a hint, and fetch the current state from the sender's API.

The second costs a request and removes a whole class of bugs. We use it wherever rate limits allow.

## Rotate without downtime

Accept two secrets at once. Add the new one to the receiver, switch the sender, and remove the old one after the longest retry window has passed. If your code holds a single secret string, turn it into a list before you need to. You will need to at an inconvenient hour.
`,
    published: true,
  },
  // The later articles are in a second file, because of the limit of lines in a file.
  ...edgeEngineeringData,
];

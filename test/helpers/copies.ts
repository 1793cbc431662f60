/** Many rows at once. */
import { env } from "cloudflare:workers";

/**
 * Inserts `count` copies of a row. `changes` has SQL for columns of the copies, in which `n` counts from 2. Their identifiers
 * begin with the first 26 characters of the row's.
 */
export async function copies(table: string, id: string, count: number, changes: Record<string, string>): Promise<void> {
  const { results } = await env.DB.prepare(`select name from pragma_table_info('${table}')`).all<{ name: string }>();
  const names = results.map(({ name }) => name);
  const values = names.map((name) =>
    name === "id" ? "substr(id, 1, 26) || printf('%010x', n)" : (changes[name] ?? name),
  );
  await env.DB.prepare(
    `insert into ${table} (${names.join()}) with recursive counter(n) as
       (select 2 union all select n + 1 from counter where n < ${count})
     select ${values.join()} from ${table}, counter where id = ?`,
  )
    .bind(id)
    .run();
}

import { env } from "cloudflare:workers";

/**
 * Copies a row `count` times; `changes` gives columns of the copies in SQL, where `n` counts from 2. Their identifiers begin
 * as that of the row does: with 26 characters, in which identifiers of the same millisecond differ.
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

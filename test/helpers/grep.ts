import { env } from "cloudflare:workers";

/** Returns the tables with a text in any column. Those of the full text index have words in lower case, in blobs. */
export async function tablesWith(text: string): Promise<string[]> {
  const { results } = await env.DB.prepare(
    `select t.name as "table", group_concat('instr(coalesce(cast("' || c.name || '" as blob), x''''), cast(?1 as blob)) > 0', ' or ') as "where"
     from pragma_table_list t join pragma_table_info(t.name) c
     where t.schema = 'main' and t.type in ('table', 'shadow') and t.name not glob 'sqlite_*' and t.name not glob '_cf_*' group by t.name`,
  ).all<{ table: string; where: string }>();
  const counts = results.map(({ table, where }) =>
    env.DB.prepare(`select count(*) as n from "${table}" where ${where}`).bind(text),
  );
  const found = await env.DB.batch<{ n: number }>(counts);
  return results.flatMap(({ table }, index) => ((found[index]?.results[0]?.n ?? 0) > 0 ? [table] : []));
}

/** What a database consists of, as readable lines that two databases can be compared by. */
import { query } from '../../../testing/database.ts';

const CATALOGUE = `
with tables as (
  select c.oid, c.relname from pg_class c
  where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname <> '_prisma_migrations'
)
select format('column %s.%s %s%s default %s', t.relname, a.attname, format_type(a.atttypid, a.atttypmod),
              case when a.attnotnull then ' not null' else '' end, coalesce(pg_get_expr(d.adbin, d.adrelid), 'none')) as line
  from tables t join pg_attribute a on a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped
  left join pg_attrdef d on d.adrelid = t.oid and d.adnum = a.attnum
union all
select format('index %s', pg_get_indexdef(i.indexrelid)) from tables t join pg_index i on i.indrelid = t.oid
union all
select format('constraint %s.%s %s', t.relname, c.conname, pg_get_constraintdef(c.oid))
  from tables t join pg_constraint c on c.conrelid = t.oid
union all
select format('enum %s: %s', ty.typname, string_agg(e.enumlabel, ', ' order by e.enumsortorder))
  from pg_type ty join pg_enum e on e.enumtypid = ty.oid where ty.typnamespace = 'public'::regnamespace group by ty.typname
union all
select format('trigger %s', pg_get_triggerdef(g.oid)) from tables t join pg_trigger g on g.tgrelid = t.oid where not g.tgisinternal
union all
select format('function %s', pg_get_functiondef(p.oid)) from pg_proc p where p.pronamespace = 'public'::regnamespace
union all
select format('sequence %s', row_to_json(s)) from pg_sequences s where s.schemaname = 'public'`;

/**
 * Columns, indexes, constraints, enums, triggers, functions and sequences of the schema `public`, without Prisma's own table. A function is one
 * entry of several lines.
 */
export async function catalogueOf(url: string): Promise<string[]> {
  const rows = await query<{ line: string }>(url, CATALOGUE);
  return rows.map((row) => row.line).sort();
}

/** Every row of the tables of the schema `public`, without Prisma's own table. */
export async function rowsOf(url: string): Promise<string[]> {
  const tables = await query<{ name: string }>(
    url,
    `select tablename as name from pg_tables where schemaname = 'public' and tablename <> '_prisma_migrations' order by 1`,
  );
  const select = ({ name }: { name: string }): string =>
    `select format('row ${name} %s', row_to_json(r)) as line from "${name}" r`;
  const rows = await query<{ line: string }>(url, `${tables.map(select).join(' union all ')}`);
  return rows.map((row) => row.line).sort();
}

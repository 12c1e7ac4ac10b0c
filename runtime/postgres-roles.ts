/**
 * Who owns what in the embedded database. Deckhand's processes use a role that owns its database and may make others, and is no superuser, so
 * that DATABASE_URL opens tables and neither files nor programs. The superuser that made the cluster is the supervisor's alone.
 */
import pg from 'pg';

/** The superuser; made by initdb, which is why it cannot lose that right. */
export const SUPERUSER = 'deckhand';
/** The role of Deckhand's processes. */
export const APPLICATION_ROLE = 'deckhand_app';
/** The database of Deckhand's processes. */
export const DATABASE = 'deckhand';

/** What the superuser of earlier versions made is handed over. Sequences of a column go with their table. */
const HAND_OVER = `
do $$
declare
  statement text;
begin
  for statement in
    select format('alter schema %I owner to ${APPLICATION_ROLE}', nspname)
      from pg_namespace where nspowner = '${SUPERUSER}'::regrole and nspname !~ '^pg_' and nspname <> 'information_schema'
    union all
    select format('alter %s %s owner to ${APPLICATION_ROLE}',
                  case relkind when 'S' then 'sequence' when 'v' then 'view' when 'm' then 'materialized view' else 'table' end,
                  c.oid::regclass)
      from pg_class c join pg_namespace n on n.oid = relnamespace
      where relowner = '${SUPERUSER}'::regrole and nspname !~ '^pg_' and nspname <> 'information_schema'
        and relkind in ('r', 'p', 'v', 'm', 'S')
        and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid
                          and d.refclassid = 'pg_class'::regclass and d.deptype in ('a', 'i') and relkind = 'S')
    union all
    select format('alter type %s owner to ${APPLICATION_ROLE}', t.oid::regtype)
      from pg_type t join pg_namespace n on n.oid = typnamespace
      where typowner = '${SUPERUSER}'::regrole and nspname !~ '^pg_' and nspname <> 'information_schema'
        and typtype in ('e', 'd', 'r')
    union all
    select format('alter routine %s owner to ${APPLICATION_ROLE}', p.oid::regprocedure)
      from pg_proc p join pg_namespace n on n.oid = pronamespace
      where proowner = '${SUPERUSER}'::regrole and nspname !~ '^pg_' and nspname <> 'information_schema'
  loop
    execute statement;
  end loop;
end
$$`;

/** A busy machine takes seconds to let a client in; a refusal comes at once. */
const CONNECT_TIMEOUT_MS = 10_000;

/** Opens a connection for a moment. */
export async function withClient<T>(url: string, use: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  // An idle connection that breaks is reported by the next query.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}

/**
 * Makes sure that role and database are there, and that the role owns everything in the database. Doing it again changes nothing.
 *
 * @param urlOf the superuser's URL of a database
 */
export async function ensureDatabase(urlOf: (database: string) => string, password: string): Promise<void> {
  await withClient(urlOf('postgres'), async (client) => {
    const role = await client.query('select 1 from pg_roles where rolname = $1', [APPLICATION_ROLE]);
    // Databases of its own are what writing a new migration needs.
    await client.query(
      `${role.rowCount === 0 ? 'create' : 'alter'} role ${APPLICATION_ROLE} with login createdb nosuperuser nocreaterole noreplication nobypassrls
       password ${client.escapeLiteral(password)}`,
    );
    const database = await client.query('select 1 from pg_database where datname = $1', [DATABASE]);
    await client.query(
      database.rowCount === 0
        ? `create database ${DATABASE} owner ${APPLICATION_ROLE}`
        : `alter database ${DATABASE} owner to ${APPLICATION_ROLE}`,
    );
  });
  await withClient(urlOf(DATABASE), (client) => client.query(HAND_OVER));
}

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
 * Makes sure that the role is there and has its database. Doing it again changes nothing.
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
    if (database.rowCount === 0) await client.query(`create database ${DATABASE} owner ${APPLICATION_ROLE}`);
  });
}

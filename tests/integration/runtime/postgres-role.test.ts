/** What DATABASE_URL of the embedded Postgres opens: Deckhand's tables, and neither files nor programs of the machine. */
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { loadConfig, type Config } from '../../../platform/config.ts';
import { PortBook } from '../../../runtime/ports.ts';
import { embeddedPostgres, type EmbeddedPostgres } from '../../../runtime/postgres.ts';
import { isRoot, programsForPostgresUser } from '../../../runtime/postgres-user.ts';
import { Supervisor } from '../../../runtime/supervisor/supervisor.ts';
import { migrate } from '../../../prisma/migrate.ts';
import { query } from '../../../testing/database.ts';
import { folderPerTest } from '../../../testing/per-file.ts';

let config: Config;

async function withPostgres<T>(use: (server: EmbeddedPostgres) => Promise<T>): Promise<T> {
  const supervisor = new Supervisor(config.home, () => undefined);
  const server = await embeddedPostgres(config, new PortBook(config.home, config.cacheDir), supervisor);
  await supervisor.start(0, server.spec);
  try {
    return await use(server);
  } finally {
    await supervisor.stopAll();
  }
}

beforeEach(() => {
  const home = mkdtempSync(path.join(tmpdir(), 'deckhand-role-'));
  config = loadConfig({ ...loadConfig().environment, DECKHAND_HOME: home });
});
afterEach(() => rmSync(config.home, { recursive: true, force: true }));

const OWNERS = `
  select distinct pg_get_userbyid(owner) as owner from (
    select relowner from pg_class where relnamespace = 'public'::regnamespace union all
    select typowner from pg_type where typnamespace = 'public'::regnamespace union all
    select proowner from pg_proc where pronamespace = 'public'::regnamespace union all
    select datdba from pg_database where datname = current_database()
  ) as objects (owner)`;

it('the embedded Postgres gives Deckhand a role that migrates its database and reaches no file or program', async () => {
  await withPostgres(async (server) => {
    await migrate(server.url());
    const [role] = await query(
      server.url(),
      'select rolsuper, rolcreaterole, rolbypassrls from pg_roles where rolname = current_user',
    );
    expect(role).toEqual({ rolsuper: false, rolcreaterole: false, rolbypassrls: false });
    for (const sql of [
      `copy (select 1) to program 'true'`,
      `copy (select 1) to '/tmp/deckhand-role-test'`,
      `select pg_read_file('/etc/passwd')`,
      'alter role current_user superuser',
      `alter system set archive_command = 'true'`,
    ]) {
      await expect(query(server.url(), sql), sql).rejects.toMatchObject({ code: '42501' });
    }
    expect(await query(server.url(), OWNERS)).toEqual([{ owner: 'deckhand_app' }]);
  });
});

it.runIf(isRoot())(
  'the embedded Postgres runs without a capability when root starts it, so that not even its superuser reads what root reads',
  async () => {
    await withPostgres(async (server) => {
      const pid = readFileSync(path.join(config.home, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0] ?? '';
      const status = readFileSync(`/proc/${pid}/status`, 'utf8');
      expect(status).not.toMatch(/^Uid:\s+0\s/mu);
      for (const set of ['CapInh', 'CapPrm', 'CapEff', 'CapAmb'])
        expect(status).toMatch(new RegExp(`^${set}:\\s+0+$`, 'mu'));
      const secret = path.join(config.home, 'secret');
      writeFileSync(secret, 'x', { mode: 0o600 });
      for (const sql of [`select pg_read_file('${secret}')`, `copy (select 1) to program 'cat ${secret}'`]) {
        await expect(query(server.superuserUrl(), sql), sql).rejects.toThrow(/permission denied|failed/iu);
      }
    });
  },
);

it.runIf(isRoot())('the embedded Postgres runs from a copy where others cannot pass to its programs', () => {
  const programs = path.join(config.home, 'native');
  mkdirSync(path.join(programs, 'lib'), { recursive: true, mode: 0o700 });
  writeFileSync(path.join(programs, 'lib', 'libpq.so.5'), 'x', { mode: 0o755 });
  symlinkSync('libpq.so.5', path.join(programs, 'lib', 'libpq.so'));
  const shared = folderPerTest();
  const copy = programsForPostgresUser(programs, 'postgres-1', shared);
  expect(copy).toBe(path.join(shared, 'postgres-1'));
  expect(statSync(path.join(copy, 'lib')).mode & 0o777).toBe(0o755);
  expect(readlinkSync(path.join(copy, 'lib', 'libpq.so'))).toBe('libpq.so.5');
  expect(programsForPostgresUser(programs, 'postgres-1', shared)).toBe(copy);
  expect(readdirSync(shared)).toEqual(['postgres-1']);
  expect(programsForPostgresUser('/usr/bin', 'unused', shared)).toBe('/usr/bin');
});

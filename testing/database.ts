/** Databases for tests, on the Postgres that all files share. */
import { inject, test } from 'vitest';
import { closeDatabase, createDatabase } from '../platform/db.ts';
import { databaseMaker, type DatabaseMaker, restorerOf } from './postgres-server.ts';

export { query } from './postgres-server.ts';

/** As many databases as a test file likes. */
type TestPostgres = Pick<DatabaseMaker, 'emptyDatabase' | 'migratedDatabase' | 'asSuperuser'>;

/** Connections of a test at most: enough for pools that buy at the same moment. */
const POOL_SIZE = 16;

/** `it` whose tests make databases as they need them, with `postgres`. They are removed when the file is over. */
export const itWithPostgres = test
  .extend('serverUrl', { scope: 'file' }, () => inject('servers').postgresUrl)
  .extend('postgres', { scope: 'file' }, ({ serverUrl }, { onCleanup }): TestPostgres => {
    const maker = databaseMaker(serverUrl, inject('servers').postgresSuperuserUrl);
    onCleanup(() => maker.dropDatabases());
    return maker;
  });

const itWithUrl = itWithPostgres.extend('databaseUrl', { scope: 'file' }, ({ postgres }) =>
  postgres.migratedDatabase(),
);

/** `it` whose tests share a migrated database, `db`: one per file. */
export const itWithDatabase = itWithUrl.extend('db', { scope: 'file' }, ({ databaseUrl }, { onCleanup }) => {
  const db = createDatabase(databaseUrl, { poolSize: POOL_SIZE });
  onCleanup(() => closeDatabase(db));
  return db;
});

/** `it` whose tests each find a database, `db`, as it is after migration and seed. */
export const itWithFreshDatabase = itWithUrl
  .extend('restored', { scope: 'file' }, async ({ postgres, databaseUrl }, { onCleanup }) => {
    const db = createDatabase(databaseUrl, { poolSize: POOL_SIZE });
    const restorer = await restorerOf(postgres.asSuperuser(databaseUrl));
    onCleanup(async () => void (await Promise.all([closeDatabase(db), restorer.close()])));
    return { db, restorer };
  })
  .extend('db', async ({ restored: { db, restorer } }) => {
    await restorer.restore();
    return db;
  });

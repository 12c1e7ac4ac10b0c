/** Databases for a test file, on the Postgres that all files share. */
import { inject } from 'vitest';
import { databaseMaker, type DatabaseMaker } from './postgres-server.ts';

export { query } from './postgres-server.ts';

/** As many databases as a test file likes. */
export interface TestPostgres extends Pick<DatabaseMaker, 'emptyDatabase' | 'migratedDatabase'> {
  /** Removes the databases. */
  stop(): Promise<void>;
}

/** Databases whose names no other file uses. Call `stop` in `afterAll`. */
export function startTestPostgres(): Promise<TestPostgres> {
  const maker = databaseMaker(inject('servers').postgresUrl);
  return Promise.resolve({ ...maker, stop: () => maker.dropDatabases() });
}

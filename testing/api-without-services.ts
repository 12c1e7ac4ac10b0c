/**
 * The API on a real socket, open to every caller on this machine, with addresses of a database and a Temporal server at which nothing listens: for what is decided
 * before either is asked. A route that asks them all the same answers 5xx.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Connection } from '@temporalio/client';
import { createApp, type ApiApp } from '../api/app.ts';
import { openBlobs } from '../platform/blobs.ts';
import { loadConfig, type Config } from '../platform/config.ts';
import { closeDatabase, createDatabase } from '../platform/db.ts';
import { createLogger } from '../platform/log.ts';
import { temporalClient } from '../platform/temporal.ts';
import { serveApp } from './serve-app.ts';

/** Nothing listens at port 1. */
const NOTHING = '127.0.0.1:1';

/** One line of the API's log. */
interface LogLine {
  readonly level: number;
  readonly msg: string;
  readonly [field: string]: unknown;
}

export interface ApiWithoutServices {
  /** With the prefix. */
  readonly url: string;
  readonly port: number;
  readonly app: ApiApp['app'];
  /** What it has logged so far. */
  readonly log: readonly LogLine[];
  close(): Promise<void>;
}

/** Serves the app. @param settings that differ from those of a new installation */
export async function serveWithoutServices(settings: Partial<Config> = {}): Promise<ApiWithoutServices> {
  const home = mkdtempSync(join(tmpdir(), 'deckhand-bare-api-'));
  const config = { ...loadConfig({ DECKHAND_HOME: home, DECKHAND_AUTH: 'open' }), ...settings };
  const lines: LogLine[] = [];
  const log = createLogger('api', { logLevel: 'debug' }, { write: (line) => lines.push(JSON.parse(line) as LogLine) });
  const db = createDatabase(`postgresql://none@${NOTHING}/none`);
  const connection = Connection.lazy({ address: NOTHING });
  const temporal = temporalClient(connection, { namespace: 'default' }, config);
  const blobs = openBlobs({ blobDir: join(home, 'blobs') });
  const api = createApp({ db, temporal, blobs, log, config });
  const served = await serveApp(api);
  return {
    url: `${served.url}/api/v1`,
    port: Number(new URL(served.url).port),
    app: api.app,
    log: lines,
    close: async () => {
      await served.close();
      await closeDatabase(db);
      rmSync(home, { recursive: true, force: true });
    },
  };
}

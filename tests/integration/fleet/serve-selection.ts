/** The API on a real socket, as far as selection needs it. */
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Connection } from '@temporalio/client';
import type { Endpoints } from '../../../activities/fleet/endpoint/endpoints.ts';
import type { Selection } from '../../../activities/fleet/selection/selection.ts';
import { createApp } from '../../../api/app.ts';
import { createDeckhandClient } from '../../../api/client.ts';
import type { PrismaClient } from '../../../generated/prisma/client.ts';
import { openBlobs } from '../../../platform/blobs.ts';
import { loadConfig } from '../../../platform/config.ts';
import { createLogger } from '../../../platform/log.ts';
import { temporalClient } from '../../../platform/temporal.ts';
import { runCommand } from '../../../testing/command.ts';
import { folderPerTest } from '../../../testing/per-file.ts';
import { serveApp } from '../../../testing/serve-app.ts';

/** Parts that the app is served with; without a selection as a fleet without a provider has it. */
interface Served {
  readonly selection?: Selection;
  /** Names the pools. */
  readonly fleetFile?: string;
  readonly unreadableRows?: () => readonly string[];
  readonly endpoints?: Endpoints;
}

/** Serves the app on loopback, with a client of it and commands against it. */
export async function serveSelection(
  db: PrismaClient,
  { selection, fleetFile, unreadableRows, endpoints }: Served = {},
) {
  // Nothing here asks Temporal: the connection is never made.
  const connection = Connection.lazy({ address: '127.0.0.1:9' });
  const home = path.join(tmpdir(), 'deckhand-selection');
  const config = loadConfig({
    DECKHAND_HOME: home,
    DECKHAND_AUTH: 'open',
    ...(fleetFile === undefined ? {} : { DECKHAND_FLEET_FILE: fleetFile }),
  });
  const api = createApp({
    db,
    temporal: temporalClient(connection, { namespace: 'default' }, config),
    blobs: openBlobs(config),
    config,
    log: createLogger('selection-test', { logLevel: 'silent' }),
    ...(selection === undefined ? {} : { selection: () => selection }),
    ...(unreadableRows === undefined ? {} : { unreadableRows }),
    ...(endpoints === undefined ? {} : { endpoints: () => endpoints }),
  });
  const served = await serveApp(api);
  return {
    client: createDeckhandClient(served.url),
    deckhand: (...args: readonly string[]) =>
      runCommand(args, { ...loadConfig().environment, DECKHAND_API_URL: served.url, DECKHAND_HOME: folderPerTest() }),
    [Symbol.asyncDispose]: async () => {
      await served.close();
      await connection.close();
    },
  };
}

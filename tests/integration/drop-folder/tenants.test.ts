/**
 * A watcher whose key is another tenant's: what was started for its own tenant stays as it is until a key of that tenant comes.
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createDeckhandClient } from '../../../api/client.ts';
import type { WatchEvent } from '../../../drop-folder/events.ts';
import { runWatcher } from '../../../drop-folder/run.ts';
import { until } from '../../../testing/until.ts';
import { Drop } from '../../../testing/watchers.ts';
import { folderPerTest } from '../../../testing/per-file.ts';

const LEASE = { watcher: 'dead', host: 'h', pid: 1, started_at: '', lease_seconds: 1, released: true };
const STARTED = {
  analysis_id: 'an-1',
  tenant_id: 'old',
  deck_sha256: 'aa',
  attempt: 1,
  started_at: '2026-01-01T00:00:00.000Z',
};

let scratch: string;
let drop: Drop;
let api: Server;
beforeEach(async () => {
  scratch = folderPerTest();
  drop = new Drop(path.join(scratch, 'drop'));
  api = createServer((request, response) => {
    // The key is the name of its tenant; the only analysis there is has failed and is the old one's.
    const tenantId = request.headers.authorization?.replace('Bearer ', '') ?? '';
    const { pathname } = new URL(request.url ?? '/', 'http://api');
    const failure = { code: 'pdf_damaged', message: 'It is damaged.' };
    const items = tenantId === 'old' ? [{ analysisId: 'an-1', status: 'failed', failure }] : [];
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(pathname.endsWith('/analyses') ? { items } : { tenantId }));
  });
  await new Promise<void>((resolve) => api.listen(0, '127.0.0.1', resolve));
});
afterEach(() => {
  api.close();
});

/** Runs a watcher until something is told or found; what it told. */
async function watchUntil(tenant: string, done: (events: readonly WatchEvent[]) => boolean): Promise<WatchEvent[]> {
  const { port } = api.address() as AddressInfo;
  const events: WatchEvent[] = [];
  const end = new AbortController();
  const running = runWatcher(
    {
      directory: drop.dir,
      settings: {
        concurrency: 4,
        leaseSeconds: 1,
        pollMs: 50,
        retainDays: 30,
        roots: [],
        patience: { settleMs: 0, unreadableMs: 0, fileMs: 0 },
        maxUploadBytes: 1e6,
      },
      connect: () => createDeckhandClient(`http://127.0.0.1:${port}`, { apiKey: tenant }),
      tell: (event) => events.push(event),
    },
    end.signal,
  );
  try {
    await until(() => done(events)).is(true);
  } finally {
    end.abort();
    await running;
  }
  return events;
}

it('the watcher leaves the open jobs of another tenant, says whose they are, and goes on with the others', async () => {
  mkdirSync(drop.at('claimed', 'dead'));
  writeFileSync(drop.at('claimed', 'dead', '.lease.json'), JSON.stringify(LEASE));
  writeFileSync(drop.at('claimed', 'dead', 'job_1.json'), JSON.stringify({ file_path: 'decks/a.pdf' }));
  writeFileSync(drop.at('claimed', 'dead', 'job_1.started'), JSON.stringify(STARTED));
  drop.job('job_2', { file_path: '../outside.pdf' });

  const events = await watchUntil(
    'new',
    (told) =>
      told.some((event) => event.event === 'waiting' && event.job === 'job_1') &&
      drop.names('bad').includes('job_2.json'),
  );
  expect(events.filter((event) => event.event === 'waiting')).toEqual([
    { event: 'waiting', job: 'job_1', reason: expect.stringContaining('tenant old') as string },
  ]);
  expect(drop.names('claimed', 'dead')).toEqual(['job_1.json', 'job_1.started']);
  expect(drop.names('results')).toEqual(['job_2_error.json']);

  await watchUntil('old', () => drop.names('bad').includes('job_1.json'));
  expect(drop.error('job_1')).toMatchObject({ error: { code: 'pdf_damaged' }, analysis_id: 'an-1', attempt: 1 });
});

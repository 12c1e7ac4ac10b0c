/** Postgres stops answering for a while: the API says so, and a client that follows a deck waits for it. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { createDeckhandClient } from '../../../api/client.ts';
import { reviewDeck } from '../../../cli/decks/follow.ts';
import { closeDatabase, createDatabase } from '../../../platform/db.ts';
import { createLogger } from '../../../platform/log.ts';
import type { Runtime } from '../../../runtime/runtime.ts';
import { migrate } from '../../../prisma/migrate.ts';
import { liveProcessOf, SUPERVISE, TestHome, waitUntilReplaced } from '../runtime/support.ts';
import { pdfBytes, serveInTest, type TestApi } from './support.ts';
import { startTestApiWithWorker } from './worker.ts';

let api: TestApi;
let runtime: Runtime;
beforeAll(async () => {
  // Servers of its own: it stops one of them.
  const home = new TestHome();
  runtime = await home.start({ supervisorArgs: [SUPERVISE, 'servers-only'] });
  await migrate(runtime.databaseUrl);
  api = await startTestApiWithWorker({
    environment: {
      DATABASE_URL: runtime.databaseUrl,
      TEMPORAL_ADDRESS: runtime.temporalAddress,
      TEMPORAL_NAMESPACE: runtime.temporalNamespace,
    },
    release: () => home.remove(),
  });
});
afterAll(() => api.close());

/** An API with connections and a log of its own. */
async function serveLogged() {
  const logged: { level: number; err?: unknown }[] = [];
  const log = createLogger(
    'api-test',
    { logLevel: 'info' },
    { write: (line) => logged.push(JSON.parse(line) as (typeof logged)[number]) },
  );
  const db = createDatabase(api.databaseUrl, { applicationName: 'deckhand-away', poolSize: 2 });
  onTestFinished(() => closeDatabase(db));
  const { url } = await serveInTest({ ...api, db, log });
  return { url, logged };
}

/** The errors among log lines, pino's level 50 and above. */
const errorsOf = (logged: readonly { level: number }[]) => logged.filter(({ level }) => level >= 50);

it('a killed Postgres is a 503 that says when to try again, and no error in the log', async () => {
  const { url, logged } = await serveLogged();
  const decks = () => fetch(`${url}/api/v1/decks`, { headers: api.authorization });
  expect((await decks()).status).toBe(200);
  const old = await liveProcessOf(runtime, 'postgres');
  process.kill(old.pid, 'SIGKILL');
  const statuses = new Set<number>();
  let refused: Response | undefined;
  const back = waitUntilReplaced(runtime, 'postgres', old).then(() => true);
  for (let isBack = false; !isBack || !statuses.has(200);) {
    const answer = await decks();
    statuses.add(answer.status);
    if (answer.status !== 200) refused ??= answer;
    isBack = await Promise.race([back, sleep(5, false)]);
  }
  expect(errorsOf(logged)).toEqual([]);
  expect(statuses).toEqual(new Set([200, 503]));
  expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await refused?.json()).toMatchObject({ code: 'service_unavailable', status: 503 });
  expect(logged.filter(({ err }) => err !== undefined)).toEqual([]);
});

it('a review waits while Postgres is stopped, and goes on when it continues', async () => {
  const { url, logged } = await serveLogged();
  const { pid } = await liveProcessOf(runtime, 'postgres');
  const file = path.join(api.config.home, 'held.pdf');
  writeFileSync(file, pdfBytes('waits'));
  // New connections are not answered: the server takes none.
  process.kill(pid, 'SIGSTOP');
  onTestFinished(() => void process.kill(pid, 'SIGCONT'));
  const told: string[] = [];
  const progress = {
    update: (line: string) => {
      told.push(line);
      if (line.includes('waiting.')) process.kill(pid, 'SIGCONT');
    },
    note: () => undefined,
    end: () => undefined,
  };
  const signal = AbortSignal.timeout(60_000);
  const client = createDeckhandClient(url, api);
  const events = client.events.bind(client);
  const followed: typeof client = {
    ...client,
    // The stand-in of the workflow ends nothing by itself.
    events: async function* (id: string, ended?: AbortSignal) {
      for await (const event of events(id, ended)) {
        yield event;
        if (event.type === 'progress')
          await api.db.analysis.update({
            where: { id },
            data: { status: 'completed', stage: 'review', finishedAt: new Date() },
          });
      }
    },
  };
  const report = await reviewDeck(followed, file, { models: 'reader' }, progress, signal);
  expect(report).toMatchObject({ status: 'completed', deck: { fileName: 'held.pdf' } });
  expect(told.some((line) => line.startsWith('held.pdf: waiting.'))).toBe(true);
  expect(errorsOf(logged)).toEqual([]);
  expect(await api.db.analysis.count({ where: { id: report.analysisId } })).toBe(1);
});

/** What a call leaves for the ledger, however it ends, and that its record never costs an answer. */
import { pino } from 'pino';
import { expect } from 'vitest';
import { beginAttempt, type CallEnd, type CallPlace } from '../../../../activities/models/call-attempts.ts';
import { DeckhandError } from '../../../../domain/errors.ts';
import type { ModelCall, PrismaClient } from '../../../../generated/prisma/client.ts';
import { closeDatabase, createDatabase } from '../../../../platform/db.ts';
import { itWithDatabase as it } from '../../../../testing/database.ts';
import { aModelCall } from '../../../../testing/make.ts';
import { emptyLedger, storeDecks } from './ledger-database.ts';

let call: ModelCall;
it.beforeEach(async ({ db }) => {
  await emptyLedger(db);
  await storeDecks(db);
  call = await aModelCall(db, { tenantId: 'tenant-1', analysisId: 'analysis-1', slideNumber: 7 });
});

const PLACE: CallPlace = { instance: 'visual-1', deckId: 'deck-1', modelName: 'gemma3:12b', priority: 2 };
const log = pino({ level: 'silent' });
const begin = (db: PrismaClient, database = db, signal = new AbortController().signal) =>
  beginAttempt({ db: database, log }, call, PLACE, signal);
const rows = (db: PrismaClient) => db.callAttempt.findMany();

it('an attempt says where it runs and for whom from its begin on', async ({ db }) => {
  await begin(db);
  expect(await rows(db)).toMatchObject([
    {
      tenantId: 'tenant-1',
      deckId: 'deck-1',
      analysisId: 'analysis-1',
      callId: call.id,
      instanceName: 'visual-1',
      task: 'describe_slide',
      modelName: 'gemma3:12b',
      gpuClass: 'gpu-visual',
      slideNumber: 7,
      priority: 2,
      endedAt: null,
      outcome: null,
    },
  ]);
});

it.for<[CallEnd, object]>([
  [
    { kind: 'stored', loadMs: 1200.4, promptTokens: 11, outputTokens: 12 },
    { outcome: 'stored', failureCode: null, loadMs: 1200, promptTokens: 11, outputTokens: 12 },
  ],
  [
    { kind: 'failed', error: new DeckhandError('model_stalled', 'quiet') },
    { outcome: 'failed', failureCode: 'model_stalled' },
  ],
  [
    { kind: 'failed', error: new Error('?') },
    { outcome: 'failed', failureCode: 'internal' },
  ],
  [{ kind: 'cut' }, { outcome: 'cut', failureCode: null }],
])('an attempt ends with what came of it: %j', async ([end, columns], { db }) => {
  const attempt = await begin(db);
  await attempt.end(end);
  const [row] = await rows(db);
  expect(row).toMatchObject(columns);
  expect(row?.endedAt?.getTime()).toBeGreaterThanOrEqual(row?.startedAt.getTime() ?? Infinity);
});

it('an attempt ends once, and is not made anew when its deck was deleted meanwhile', async ({ db }) => {
  const attempt = await begin(db);
  await attempt.end({ kind: 'cut' });
  await attempt.end({ kind: 'failed', error: new Error('late') });
  expect(await rows(db)).toMatchObject([{ outcome: 'cut' }]);
  const other = await begin(db);
  await db.callAttempt.deleteMany();
  await other.end({ kind: 'cut' });
  expect(await rows(db)).toEqual([]);
});

it('the record of an attempt breaks no call when the database is away', async ({ db }) => {
  const away = createDatabase('postgresql://none@127.0.0.1:9/nothing', { poolSize: 1 });
  // A call that is cut waits for nothing.
  const attempt = await begin(db, away, AbortSignal.abort());
  await attempt.end({ kind: 'stored', loadMs: 0, promptTokens: 1, outputTokens: 1 });
  await closeDatabase(away);
  expect(await rows(db)).toEqual([]);
});

/** Language models in the readiness check of a machine: found out once, measured on each machine, refused by name. */
import { expect } from 'vitest';
import { openModelServer } from '../../../activities/models/client/open.ts';
import { checkReadiness } from '../../../activities/gateway/readiness.ts';
import type { ReadinessResult } from '../../../activities/gateway/readiness-result.ts';
import { AnalysisContexts } from '../../../activities/models/analysis-context.ts';
import { ModelHost } from '../../../activities/models/host/model-host.ts';
import { loadFindings, loadSpeed } from '../../../activities/models/probes/store.ts';
import type { PrismaClient } from '../../../generated/prisma/client.ts';
import type { ReaderScriptInput } from '../../../simulators/ollama/script.ts';
import { startReader, type RunningReader } from '../../../simulators/ollama/server.ts';
import { itWithFreshDatabase } from '../../../testing/database.ts';
import { anAnalysis } from '../../../testing/make.ts';

const MODEL = 'scripted:1b';
const PROFILE = 'ollama';
const WINDOW = 16_384;
const RIGHT = '{"word":"harbour","count":7,"place":{"city":"Paris"}}';
const SPEED = { readTokensPerSecond: 40_000, tokensPerSecond: 4000 };
const rulesFor = (text: string): ReaderScriptInput['rules'] => [
  { match: { task: 'trial_answer' }, fault: { ...SPEED, text } },
  { match: {}, fault: SPEED },
];

const it = itWithFreshDatabase.extend('reader', async ({ db }, { onCleanup }): Promise<RunningReader> => {
  // One model answers all tasks of the profile.
  await db.modelConfiguration.updateMany({ where: { profile: PROFILE }, data: { modelName: MODEL, numCtx: WINDOW } });
  const model = { capabilities: ['completion'], sizeBytes: 1, installed: true, family: 'scripted' } as const;
  const reader = await startReader({
    loadMs: 0,
    models: [{ ...model, name: MODEL }],
    script: { rules: rulesFor(RIGHT) },
  });
  onCleanup(() => reader.stop());
  return reader;
});

const check = (db: PrismaClient, { host: url }: RunningReader, name = 'static-0'): Promise<ReadinessResult> =>
  checkReadiness({
    db,
    host: new ModelHost({ name, server: openModelServer({ kind: 'ollama', url: url }), parallel: 2 }),
    shell: null,
    profile: PROFILE,
    classes: ['gpu-text'],
    rented: false,
    provesAnswers: false,
    slots: 2,
    signal: new AbortController().signal,
    onStage: () => undefined,
  });

const digestOf = async (db: PrismaClient): Promise<string> =>
  (await db.modelProbe.findFirstOrThrow({ select: { digest: true } })).digest;

it('the abilities of a model are found out once, and the speed of each machine', async ({ db, reader }) => {
  expect(await check(db, reader)).toMatchObject({ ready: true });
  const digest = await digestOf(db);
  const serverVersion = '0.24.0-deckhand-reader';
  expect(await loadFindings(db, { digest, serverVersion })).toMatchObject({ schema: 'enforced', thirdAnswer: 'ok' });
  expect(await loadSpeed(db, { instance: 'static-0', digest })).toMatchObject({ speed: { full: {} } });
  const asked = (): Readonly<Record<string, number>> => reader.control.stats().callsByTask;
  const first = asked();
  expect(first).toMatchObject({ trial_answer: 3, trial_schema: 1 });

  expect(await check(db, reader, 'static-1')).toMatchObject({ ready: true });
  const second = asked();
  expect(second).toMatchObject({ trial_answer: 4, trial_schema: 1 });
  expect(second['plain']).toBeGreaterThan(first['plain'] ?? 0);
  expect(await loadSpeed(db, { instance: 'static-1', digest })).not.toBeNull();

  expect(await check(db, reader)).toMatchObject({ ready: true });
  expect(asked()).toEqual(second);
});

it('the speed of a machine that has not been seen for a month is forgotten', async ({ db, reader }) => {
  await check(db, reader, 'gone');
  await db.machineSpeed.updateMany({ data: { measuredAt: new Date(Date.now() - 31 * 86_400_000) } });
  await check(db, reader);
  expect(await db.machineSpeed.findMany({ select: { instanceName: true } })).toEqual([{ instanceName: 'static-0' }]);
});

it('a model that cannot answer is refused by name, and tried anew at the next check', async ({ db, reader }) => {
  reader.control.setScript({ rules: rulesFor('') });
  expect(await check(db, reader)).toEqual({
    ready: false,
    failure: 'cannot_answer',
    message: `${MODEL} on static-0 cannot be used: the answers are empty`,
    certain: true,
  });
  const row = await db.modelProbe.findFirstOrThrow();
  expect(row.findings).toMatchObject({ answers: 'none', refusal: 'the answers are empty' });

  reader.control.setScript({ rules: rulesFor(RIGHT) });
  expect(await check(db, reader)).toMatchObject({ ready: true });
  expect((await db.modelProbe.findFirstOrThrow()).findings).toMatchObject({ answers: 'alone', refusal: null });
});

it('decks are planned for the window that is served, from the first analysis on', async ({ db, reader }) => {
  reader.control.setScript({ windowTokens: 4096, rules: rulesFor(RIGHT) });
  const early = await anAnalysis(db, { modelProfile: PROFILE, createdAt: new Date() });
  const windowOf = async (analysisId: string): Promise<number> =>
    (await new AnalysisContexts(db).get(analysisId)).tasks.extract_offering.numCtx;
  expect(await windowOf(early.id)).toBe(WINDOW);
  expect(await check(db, reader)).toMatchObject({ ready: true });
  // The model was pinned after its window was known, so an analysis that waited for it reads the window, too.
  expect(await windowOf(early.id)).toBe(4096);
  expect(reader.control.stats().loads).toBe(1);

  // A server that is upgraded gives all of it: what was begun goes on with the window that it began with.
  await db.modelProbe.create({
    data: {
      ...(await db.modelProbe.findFirstOrThrow()),
      findings: {},
      serverVersion: '0.99',
      windowTokens: WINDOW,
      windowSince: new Date(Date.now() + 1000),
    },
  });
  expect(await windowOf(early.id)).toBe(4096);
  const later = await anAnalysis(db, { modelProfile: PROFILE, createdAt: new Date(Date.now() + 2000) });
  expect(await windowOf(later.id)).toBe(WINDOW);
});

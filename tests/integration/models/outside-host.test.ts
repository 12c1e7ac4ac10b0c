/** A result keeps the host outside the network that answered, also for another run that takes it over. */
import { MockActivityEnvironment } from '@temporalio/testing';
import { expect, onTestFinished } from 'vitest';
import { AnalysisContexts } from '../../../activities/models/analysis-context.ts';
import { Egress, type Network } from '../../../activities/models/client/egress.ts';
import { openModelServer } from '../../../activities/models/client/open.ts';
import { ModelHost, pinModels } from '../../../activities/models/host/model-host.ts';
import { planCalls } from '../../../activities/models/plan-calls.ts';
import { ModelCallRunner } from '../../../activities/models/run-call.ts';
import type { Reach } from '../../../domain/models/inside-address.ts';
import { createLogger } from '../../../platform/log.ts';
import { startReader } from '../../../simulators/ollama/server.ts';
import { itWithDatabase as it } from '../../../testing/database.ts';
import { anAnalysis, aSlide } from '../../../testing/make.ts';
import { resolving } from '../../../testing/outside-server.ts';

const { signal } = new AbortController();
const SUBJECT = { task: 'extract_company_name', slideNumber: null, questionId: null } as const;
const networkThat = (isInside: boolean): Network => ({
  isInside: () => isInside,
  resolve: resolving(['127.0.0.1']),
});

it.for<readonly [what: string, Reach, isInside: boolean, kept: string | null]>([
  ['outside, as somebody allowed it,', 'allowed', false, 'models.example'],
  ['inside, where more would be allowed,', 'allowed', true, null],
  ['inside', 'inside', true, null],
  ['of our own fleet', 'ours', false, null],
])('a result of a server %s keeps that', async ([what, reach, isInside, kept], { db }) => {
  const reader = await startReader({});
  onTestFinished(() => reader.stop());
  const egress = new Egress(reach, undefined, networkThat(isInside));
  const server = openModelServer({ kind: 'ollama', url: `http://models.example:${reader.port}`, egress });
  const host = new ModelHost({ name: 'static-0', server, parallel: 1 });
  await pinModels(db, host, 'reader', { repin: true, signal });
  const contexts = new AnalysisContexts(db);
  const { id: analysisId, deckId } = await anAnalysis(db);
  await aSlide(db, { deckId, text: `We are ${what}.` });
  const { calls } = await planCalls(db, await contexts.get(analysisId), [SUBJECT]);
  const [call] = calls;
  if (call === undefined) return expect.fail('nothing was planned');
  const blobs = { get: () => Promise.reject(new Error('no picture is read')) } as never;
  const log = createLogger('test', { logLevel: 'silent' });
  const runner = new ModelCallRunner({ db, blobs, host, contexts, log });
  const input = { callId: call.callId, analysisId };
  const environment = new MockActivityEnvironment();
  expect(await environment.run(() => runner.run(input))).toMatchObject({ cached: false });
  const results = () => db.extraction.findMany({ where: { analysis: { deckId } }, include: { modelResult: true } });
  expect((await results()).map(({ modelResult }) => modelResult?.outsideHost)).toEqual([kept]);
  // Another run of the deck asks nobody, and says the same.
  const other = await anAnalysis(db, { deckId });
  expect(await planCalls(db, await contexts.get(other.id), [SUBJECT])).toMatchObject({ calls: [], cached: 1 });
  expect((await results()).map(({ modelResult }) => modelResult?.outsideHost)).toEqual([kept, kept]);
});

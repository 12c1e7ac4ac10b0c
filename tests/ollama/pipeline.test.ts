/**
 * The whole pipeline on a real Ollama whose tiny models have random weights: every answer is valid and none means anything, so a review
 * must come out in which nothing is proved and everything says which model it comes from. And a host with another model than the pinned
 * one is left alone.
 */
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { beforeAll, describe, expect, it } from 'vitest';
import type { AnalysisReport } from '../../domain/decks/report.ts';
import { isProof } from '../../domain/decks/review/proof.ts';
import { logPath } from '../../runtime/supervisor/child-logs.ts';
import { supervisorPaths } from '../../runtime/supervisor/supervisor.ts';
import { startRig, questionsOf } from '../../testing/rig.ts';
import { SHORT_QUESTIONS } from '../../testing/short-template.ts';
import { plainDeck } from '../../testing/plain-deck.ts';
import { until } from '../../testing/until.ts';
import { allEvidence, allProvenance, type ModelsOfClasses, PROFILE, useModels } from './reviews.ts';
import { BUILD_TIMEOUT_MS, startRealOllama, TINY_MODELS } from './server.ts';
import { perFile } from '../../testing/per-file.ts';

/** One window per model, wide enough for the deck in the tiny models' short tokens; answers are short. */
const MODELS: ModelsOfClasses = {
  'gpu-visual': { modelName: TINY_MODELS.vision, numCtx: 8192, numPredict: 1024 },
  'gpu-text': { modelName: TINY_MODELS.text, numCtx: 32_768, numPredict: 1024 },
};

const server = perFile(startRealOllama, BUILD_TIMEOUT_MS);
const rig = perFile(() => startRig({ models: 'ollama', ollamaHost: server.host, template: 'short' }));
const uploadDeck = async (): Promise<string> => rig.upload(await plainDeck('Pulsara'), 'pulsara.pdf');
let digests: Readonly<Record<string, string>> = {};

beforeAll(async () => {
  digests = await useModels(rig.db, server.host, MODELS);
});

describe('a review by models that know nothing', () => {
  let report: AnalysisReport;
  beforeAll(async () => {
    report = await rig.review(await uploadDeck(), { models: PROFILE });
  });

  it('completes, by language models of these names', async ({ annotate }) => {
    expect(report.failure).toBeNull();
    expect(report.status).toMatch(/^completed/u);
    expect(report.engine).toMatchObject({ kind: 'language model', version: expect.stringContaining('0.24') as string });
    expect(report.engine?.name.split(', ').toSorted()).toEqual(Object.values(TINY_MODELS).toSorted());
    expect(report.engine?.label).not.toMatch(/rules/u);
    const attempts = allProvenance(report).map((p) => p.attempts);
    await annotate(
      `${report.status} in ${report.durationMs} ms: ${attempts.length} values, ${attempts.filter((n) => n > 1).length} of them after more than one attempt, gaps: ${report.gaps.map((g) => g.code).join(' ') || 'none'}`,
    );
    // Valid answers, not one gap after the other.
    const questions = questionsOf(report);
    expect(questions).toHaveLength(SHORT_QUESTIONS);
    expect(questions.filter((q) => q.status === 'scored').length).toBeGreaterThan(SHORT_QUESTIONS / 2);
    expect(report.slides.filter((s) => s.descriptionProvenance !== null).length).toBeGreaterThan(
      report.slides.length / 2,
    );
  });

  it('proves nothing', () => {
    expect(allEvidence(report).filter(isProof)).toEqual([]);
    for (const evidence of allEvidence(report)) expect(evidence.reason).not.toBeNull();
  });

  it('says of every value which model and digest it comes from', () => {
    const provenance = allProvenance(report);
    expect(provenance.length).toBeGreaterThan(2 * SHORT_QUESTIONS);
    for (const p of provenance) {
      expect(Object.keys(digests)).toContain(p.model);
      expect(p.modelDigest).toBe(digests[p.model]);
      expect(p.engineKind).toBe('language model');
      expect(p.host).toBe('static-0');
      expect(p.promptTokens).toBeGreaterThan(0);
    }
  });

  it('every gap says why', () => {
    for (const gap of report.gaps) {
      expect(gap.code).not.toBe('internal');
      expect(gap.message).toMatch(/\p{L}{3,}/u);
    }
  });
});

const pin = (pinnedDigest: string) =>
  rig.db.modelConfiguration.updateMany({
    where: { profile: PROFILE, modelName: TINY_MODELS.text },
    data: { pinnedDigest },
  });
/** Lines in which a gateway says that it does not take the host. */
const refusals = (): string[] =>
  readFileSync(logPath(supervisorPaths(rig.config.home).logDir, 'gateway'), 'utf8')
    .split('\n')
    .filter((line) => line.includes('is pinned to'));
const pollers = async (taskQueue: string): Promise<string[]> => {
  const { namespace } = rig.temporal.options;
  const request = { namespace, taskQueue: { name: taskQueue }, taskQueueType: 2 };
  const { pollers: seen } = await rig.temporal.workflowService.describeTaskQueue(request);
  return (seen ?? []).map((p) => p.identity ?? '');
};

it('a host that holds another model than the pinned one gets no call until it holds the pinned one', async () => {
  await pin('f'.repeat(64));
  process.kill(await rig.pidOf('gateway'), 'SIGKILL');
  const deckId = await uploadDeck();
  const choices = { models: PROFILE, language: 'de', taskType: 'visual_analysis' } as const;
  const waiting = await rig.client.startAnalysis(deckId, choices);
  // Asked more than once, refused each time: it has had its chance to go wrong.
  await until(() => refusals().length).is((count) => count >= 3);
  await until(() => rig.db.modelCall.count({ where: { analysisId: waiting.analysisId, state: 'planned' } })).is(
    (count) => count > 0,
  );
  // A class worker bears its gateway's name and that of the instance it serves.
  const ofGateway = (gatewayPid: number) => (poller: string) =>
    poller === `gateway/${hostname()}/${gatewayPid}/static-0`;
  const refusing = await rig.pidOf('gateway');
  for (const queue of ['gpu-visual', 'gpu-text'])
    expect((await pollers(queue)).filter(ofGateway(refusing))).toEqual([]);
  expect(await rig.db.modelCall.count({ where: { analysisId: waiting.analysisId, state: 'stored' } })).toBe(0);
  await rig.client.POST('/analyses/{id}/cancel', { params: { path: { id: waiting.analysisId } } });

  await pin(digests[TINY_MODELS.text] ?? '');
  const report = await rig.review(deckId, choices);
  expect(report.status).toMatch(/^completed/u);
  expect((await pollers('gpu-visual')).filter(ofGateway(await rig.pidOf('gateway')))).toHaveLength(1);
});

/**
 * What the pipeline does in a day, once each, on one stack: a killed gateway, a gap, a webhook, a replay, a pause, a cancellation, a
 * deletion, and nothing of a deck in clear on Temporal's disk. The files `*.deep.test.ts` beside it take each of these further.
 */
import { readdirSync } from 'node:fs';
import { beforeAll, expect, inject, it } from 'vitest';
import { createDeckhandClient, type NewWebhookDocument } from '../../api/client.ts';
import { runCommand } from '../../testing/command.ts';
import { findInFiles } from '../../testing/find-in-files.ts';
import { plainDeck } from '../../testing/plain-deck.ts';
import { rigPerFile, questionsOf, SLOTS } from '../../testing/rig.ts';
import { SHORT_QUESTIONS } from '../../testing/short-template.ts';
import { until } from '../../testing/until.ts';
import { startWebhookReceiver, verified } from '../../testing/webhook-receiver.ts';
import { perFile } from '../../testing/per-file.ts';

/** A name that stands in one deck alone; letters only, so that no encoding breaks it up. */
const COMPANY = 'Zyxandrinoq';
/** Slide whose description fails for good. */
const GAP = 2;
const SLIDES = 5;

let webhook: NewWebhookDocument;
let deckId: string;
let gapped: string;
const receiver = perFile(startWebhookReceiver);
const rig = rigPerFile({ template: 'short', environment: { DECKHAND_LOST_WORKER_SEC: '3' } });
beforeAll(async () => {
  webhook = await rig.client.POST('/webhooks', { body: { url: receiver.url } });
  deckId = await rig.upload(await plainDeck(COMPANY), 'one-day.pdf');
});

const modelIsBusy = () => until(() => rig.reader.stats()).is((stats) => stats.inFlight === SLOTS);

it('a review whose gateway is killed with -9 is completed, with one named gap where a model failed, and its webhook says so', async () => {
  await rig.reader.script({
    callSeconds: 0.2,
    rules: [{ match: { task: 'describe_slide', slide: GAP }, fault: { badJson: true } }],
  });
  const { analysisId } = await rig.client.startAnalysis(deckId);
  await modelIsBusy();
  process.kill(await rig.pidOf('gateway'), 'SIGKILL');
  await rig.ended(analysisId);
  const report = await rig.client.report(analysisId);
  expect(report.status).toBe('completed_with_gaps');
  expect(report.gaps).toMatchObject([{ slide: GAP, stage: 'slides', code: 'model_output_unparseable' }]);
  expect(report.company).toContain(COMPANY);
  const questions = questionsOf(report);
  expect(questions.map((question) => question.status)).toEqual(Array.from({ length: SHORT_QUESTIONS }, () => 'scored'));
  expect(questions.flatMap((q) => q.evidence).every((quote) => quote.slide >= 1 && quote.slide <= SLIDES)).toBe(true);

  await until(() => rig.db.webhookDelivery.findMany({ where: { analysisId } })).is(
    (rows) => rows.length === 1 && rows[0]?.state === 'delivered',
  );
  expect(receiver.received.map((request) => verified(request, webhook.secret ?? ''))).toMatchObject([
    { type: 'analysis.completed_with_gaps', data: { analysisId, deckId, gaps: 1 } },
  ]);
  gapped = analysisId;
});

it('a replay of the gaps asks a model for the missing slide alone', async () => {
  const before = await rig.reader.stats();
  const plan = await rig.client.planReplay(gapped, { kind: 'gaps' });
  expect(plan.calls).toMatchObject([{ task: 'describe_slide', slide: GAP }]);
  const { analysisId } = await rig.client.replay(gapped, { kind: 'gaps' });
  await rig.ended(analysisId);
  const report = await rig.client.report(analysisId);
  expect(report.status).toBe('completed');
  expect(report.slides.map((slide) => slide.legible)).toEqual(Array.from({ length: SLIDES }, () => true));
  expect((await rig.reader.stats()).calls - before.calls).toBe(1);
});

it('a paused review sends no call to a model; resumed, it completes and repeats none', async () => {
  const other = await rig.upload(await plainDeck('Cardiva'), 'cardiva.pdf');
  await rig.reader.script({ callSeconds: 0.5 });
  const before = await rig.reader.stats();
  const { analysisId } = await rig.client.startAnalysis(other);
  await modelIsBusy();
  await rig.client.POST('/analyses/{id}/pause', { params: { path: { id: analysisId } } });
  const quiet = await until(() => rig.reader.stats()).is((stats) => stats.inFlight === 0);
  expect((await rig.analysis(analysisId)).progress.paused).toBe(true);
  await rig.reader.script({});
  await rig.client.POST('/analyses/{id}/resume', { params: { path: { id: analysisId } } });
  await rig.ended(analysisId);
  const after = await rig.reader.stats();
  expect((await rig.client.report(analysisId)).status).toBe('completed');
  expect(quiet.calls - before.calls).toBeLessThan(after.calls - before.calls);
  expect(after.repeatedInputs).toBe(before.repeatedInputs);
});

it('a cancelled review frees the model at once and keeps what was stored', async () => {
  // An answer comes after a while: a call that is not cancelled completes.
  await rig.reader.script({ rules: [{ match: { task: 'answer_question' }, fault: { latencyMs: 20_000 } }] });
  const other = await rig.upload(await plainDeck('Hemoris'), 'hemoris.pdf');
  const { analysisId } = await rig.client.startAnalysis(other);
  const before = await until(() => rig.reader.stats()).is(
    (stats) => stats.inFlight === SLOTS && (stats.callsByTask['answer_question'] ?? 0) >= SLOTS,
  );
  await rig.client.POST('/analyses/{id}/cancel', { params: { path: { id: analysisId } } });
  await rig.ended(analysisId);
  expect(await rig.reader.stats()).toMatchObject({
    inFlight: 0,
    open: 0,
    completed: before.completed,
    cancelled: before.cancelled + SLOTS,
  });
  const report = await rig.client.report(analysisId);
  expect(report.status).toBe('cancelled');
  expect(report.slides.map((slide) => slide.legible)).toEqual(Array.from({ length: SLIDES }, () => true));
});

it("a key that is made on the command line without a role is an analyst's", async () => {
  const made = await runCommand(['keys', 'create', '--name', 'visitor', '--json'], rig.config.environment);
  expect(made.code, made.stderr).toBe(0);
  const { key, role } = JSON.parse(made.stdout) as { readonly key: string; readonly role: string };
  expect(role).toBe('analyst');
  const visitor = createDeckhandClient(rig.runtime.apiUrl, { apiKey: key });
  expect((await visitor.GET('/decks/{id}', { params: { path: { id: deckId } } })).id).toBe(deckId);
  await expect(visitor.GET('/keys')).rejects.toMatchObject({ code: 'forbidden' });
});

it('the files of Temporal hold no word of a deck, its file name or its company', () => {
  const words = { company: COMPANY, fileName: 'one-day.pdf' };
  expect(readdirSync(inject('servers').temporalDataDir)).toContain('temporal.db');
  expect(findInFiles(inject('servers').temporalDataDir, words)).toEqual([]);
});

it('a deleted deck leaves no row, no blob and no run', async () => {
  const { sha256 } = await rig.client.GET('/decks/{id}', { params: { path: { id: deckId } } });
  const blobs = (): string[] =>
    readdirSync(rig.config.blobDir, { recursive: true, encoding: 'utf8' }).filter(
      (file) => file.includes(deckId) || file.includes(sha256),
    );
  const runs = async (): Promise<string[]> => {
    const found: string[] = [];
    for await (const run of rig.temporal.workflow.list({ query: `DeckId = '${deckId}'` })) found.push(run.workflowId);
    return found;
  };
  expect(blobs().length).toBeGreaterThan(SLIDES);
  expect(await runs()).not.toEqual([]);
  await rig.client.DELETE('/decks/{id}', { params: { path: { id: deckId } } });
  const { removed } = await until(() =>
    rig.client.GET('/decks/{id}/deletion', { params: { path: { id: deckId } } }),
  ).is(({ state }) => state === 'deleted');
  expect(removed).toMatchObject({ analyses: 2, slides: SLIDES });
  expect(blobs()).toEqual([]);
  expect(await runs()).toEqual([]);
  expect(await rig.db.analysis.count({ where: { deckId } })).toBe(0);
  expect(await rig.db.slide.count({ where: { deckId } })).toBe(0);
});

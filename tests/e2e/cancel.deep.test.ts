/**
 * Cancelling a review: the model is free at once, what was stored stays, and the next review of the deck goes on from there. A deadline ends
 * a review in the same way, as one that is done with gaps.
 */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { runCommand } from '../../testing/command.ts';
import { drawPlainDeck, plainDeck } from '../../testing/plain-deck.ts';
import { folderPerTest } from '../../testing/per-file.ts';
import { rigPerFile, SLOTS } from '../../testing/rig.ts';
import { SHORT_QUESTIONS } from '../../testing/short-template.ts';
import { until } from '../../testing/until.ts';

/** Calls a deck has scheduled at most. */
const SCHEDULED = 32;
/** `PENDING_ACTIVITY_STATE_STARTED` of Temporal's API. */
const STARTED = 2;

const rig = rigPerFile({ template: 'short' });

it('cancelling frees the model while answers hang and keeps finished stages; the next review computes only the rest', async () => {
  const deckId = await rig.upload(await plainDeck('Hemoris'), 'hemoris.pdf');
  await rig.reader.script({ rules: [{ match: { task: 'answer_question' }, fault: { wedge: true } }] });
  const { analysisId } = await rig.client.startAnalysis(deckId);
  // More questions wait for one of the deck's places than there are slots.
  const wedged = await until(() => rig.reader.stats()).is(
    (stats) => stats.inFlight === SLOTS && (stats.callsByTask['answer_question'] ?? 0) >= SLOTS,
  );

  await rig.client.POST('/analyses/{id}/cancel', { params: { path: { id: analysisId } } });
  await rig.ended(analysisId);
  const freed = await rig.reader.stats();
  expect(freed.inFlight).toBe(0);
  expect(freed.open).toBe(0);
  expect(freed.cancelled - wedged.cancelled).toBe(SLOTS);

  const report = await rig.client.report(analysisId);
  expect(report.status).toBe('cancelled');
  expect(report.slides.map((s) => s.legible)).toEqual([true, true, true, true, true]);
  expect(report.company).not.toBeNull();
  expect(report.overall.score).toBeNull();
  expect(report.chapters.flatMap((c) => c.questions).map((q) => q.score)).toEqual(
    Array.from({ length: SHORT_QUESTIONS }, () => null),
  );
  const calls = await rig.db.modelCall.findMany({ where: { analysisId } });
  expect(new Set(calls.map((c) => c.state))).toEqual(new Set(['stored', 'cancelled']));
  expect(calls.filter((c) => c.task === 'answer_question' && c.state !== 'cancelled')).toEqual([]);

  await rig.reader.script({});
  const before = await rig.reader.stats();
  const again = await rig.review(deckId);
  const after = await rig.reader.stats();
  expect(again.status).toBe('completed');
  const paid = new Set(
    Object.keys(after.callsByTask).filter((task) => after.callsByTask[task] !== before.callsByTask[task]),
  );
  // What had run beside the answers may or may not have been stored when the cancellation came.
  for (const task of ['describe_slide', 'slide_feedback', 'extract_offering', 'extract_funding', 'classify_sector']) {
    expect(paid).not.toContain(task);
  }
  expect(paid).toContain('answer_question');
});

it('cancelling frees the model although as many calls are queued as a deck may have', async ({ annotate }) => {
  const slides = Array.from({ length: 20 }, (_, page) => ({ title: `Slide ${page + 1}`, lines: ['Nephrolis GmbH'] }));
  const deckId = await rig.upload(await drawPlainDeck(slides), 'nephrolis.pdf');
  await rig.reader.script({ rules: [{ fault: { wedge: true } }] });
  const { analysisId, workflowId } = await rig.client.startAnalysis(deckId);
  const run = rig.temporal.workflow.getHandle(workflowId);
  await until(async () => (await run.describe()).raw.pendingActivities?.length ?? 0).is(SCHEDULED);
  await until(() => rig.reader.stats()).is((stats) => stats.inFlight === SLOTS);
  const askedAtMs = performance.now();
  await rig.client.POST('/analyses/{id}/cancel', { params: { path: { id: analysisId } } });
  await until(() => rig.reader.stats()).is((stats) => stats.open === 0);
  await annotate(
    `${SLOTS} calls in flight and ${SCHEDULED} scheduled: free after ${Math.round(performance.now() - askedAtMs)} ms`,
  );
  await rig.ended(analysisId);
  expect(await rig.db.modelCall.count({ where: { analysisId, state: { not: 'cancelled' } } })).toBe(0);
});

it('cancelling reaches a call that waits in a worker for a place of another deck', async () => {
  const known = await rig.upload(await plainDeck('Pulmona'), 'pulmona.pdf');
  await rig.review(known, { taskType: 'visual_analysis' });
  await rig.reader.script({ rules: [{ match: { task: 'describe_slide' }, fault: { wedge: true } }] });
  const holding = await rig.client.startAnalysis(await rig.upload(await plainDeck('Thoraxis'), 'thoraxis.pdf'));
  await until(() => rig.reader.stats()).is((stats) => stats.inFlight === SLOTS);
  const { analysisId, workflowId } = await rig.client.startAnalysis(known, { taskType: 'startup_name_extraction' });
  await until(
    async () => (await rig.temporal.workflow.getHandle(workflowId).describe()).raw.pendingActivities ?? [],
  ).is((pending) => pending.some((a) => a.activityType?.name === 'extractValue' && a.state === STARTED));
  await rig.client.POST('/analyses/{id}/cancel', { params: { path: { id: analysisId } } });
  await rig.ended(analysisId);
  expect((await rig.analysis(analysisId)).status).toBe('cancelled');
  expect((await rig.reader.stats()).inFlight).toBe(SLOTS);
  await rig.client.POST('/analyses/{id}/cancel', { params: { path: { id: holding.analysisId } } });
  await rig.ended(holding.analysisId);
});

it('cancelling works while slides are with the model and others wait for it', async () => {
  const deckId = await rig.upload(await plainDeck('Renovia'), 'renovia.pdf');
  await rig.reader.script({ rules: [{ match: { task: 'slide_feedback' }, fault: { stallAfterTokens: 2 } }] });
  const { analysisId } = await rig.client.startAnalysis(deckId);
  await until(() => rig.reader.stats()).is((stats) => stats.inFlight === SLOTS);
  await rig.client.POST('/analyses/{id}/cancel', { params: { path: { id: analysisId } } });
  await rig.ended(analysisId);
  const { inFlight, open } = await rig.reader.stats();
  expect({ inFlight, open }).toEqual({ inFlight: 0, open: 0 });
  const status = await rig.analysis(analysisId);
  expect(status.status).toBe('cancelled');
  expect(await rig.db.modelCall.count({ where: { analysisId, state: 'planned' } })).toBe(0);
  // The row says so a moment before the run itself is over.
  const stateOfRun = async () => (await rig.temporal.workflow.getHandle(status.workflowId).describe()).status.name;
  expect(await until(stateOfRun).is((name) => name !== 'RUNNING')).toBe('CANCELLED');
});

it('a run that waits for an absent model server can be cancelled', async () => {
  const deckId = await rig.upload(await plainDeck('Lymphion'), 'lymphion.pdf');
  await rig.reader.script({ rules: [{ fault: { status: 503 } }] });
  const before = await rig.reader.stats();
  const { analysisId } = await rig.client.startAnalysis(deckId);
  await until(() => rig.reader.stats()).is((stats) => stats.busy - before.busy >= SLOTS);
  await rig.client.POST('/analyses/{id}/cancel', { params: { path: { id: analysisId } } });
  await rig.ended(analysisId);
  expect((await rig.analysis(analysisId)).status).toBe('cancelled');
});

it('`analyze --deadline` ends with what it has when answers hang, says so, and frees the model', async () => {
  const bytes = await plainDeck('Cardiora');
  const file = path.join(folderPerTest(), 'cardiora.pdf');
  writeFileSync(file, bytes);
  // Known slides are there at once, so that the deadline finds something stored.
  await rig.review(await rig.upload(bytes, 'cardiora.pdf'), { taskType: 'visual_analysis' });
  await rig.reader.script({ rules: [{ match: { task: 'answer_question' }, fault: { wedge: true } }] });
  const run = await runCommand(['analyze', file, '--deadline', '12s'], rig.config.environment);
  expect(run.code, run.stderr).toBe(0);
  expect(run.stdout).toMatch(/complete, with gaps/u);
  expect(run.stdout).toMatch(/The deadline\s[^.]+\spassed\s/u);
  const { inFlight, open } = await rig.reader.stats();
  expect({ inFlight, open }).toEqual({ inFlight: 0, open: 0 });
  const { id } = await rig.db.analysis.findFirstOrThrow({ where: { deadlineAt: { not: null } } });
  const report = await rig.client.report(id);
  expect(report.gaps.map(({ item }) => item)).toContain('deadline');
  expect(report.slides.map(({ legible }) => legible)).toEqual([true, true, true, true, true]);
});

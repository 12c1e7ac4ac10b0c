/**
 * Slow is not broken, and every deck ends: a server that reads its prompts in silence, one with fewer slots than it is sent calls, one whose
 * runner ends on a page, and one that says nothing at all. Times are a hundredth of the usual ones.
 */
import { afterEach, expect, it } from 'vitest';
import type { ReaderScriptInput } from '../../simulators/ollama/script.ts';
import type { AnalysisReport } from '../../domain/decks/report.ts';
import { plainDeck } from '../../testing/plain-deck.ts';
import { rigPerFile } from '../../testing/rig.ts';

const rig = rigPerFile({
  template: 'short',
  readerArgs: ['--parallel', '2'],
  fleet: { health: { sampleIntervalMs: 600, probeIdleMs: 1200, probeTimeoutMs: 500 } },
  environment: { DECKHAND_SLOWEST_TOKENS_PER_SEC: '2500', DECKHAND_LEAST_SILENCE_SEC: '1.2' },
});
afterEach(() => rig.reader.script({}));

async function reviewUnder(script: ReaderScriptInput, company: string): Promise<AnalysisReport> {
  const deckId = await rig.upload(await plainDeck(company), `${company}.pdf`);
  await rig.reader.script(script);
  return rig.review(deckId);
}

const callsOf = ({ analysisId }: AnalysisReport) => rig.db.modelCall.findMany({ where: { analysisId } });
const badHealth = () => rig.db.healthTransition.findMany({ where: { toLevel: { not: 'healthy' } } });

it('a server that reads each prompt for longer than calls may hang is not found wedged, and gets each call once', async () => {
  const before = await rig.reader.stats();
  const report = await reviewUnder(
    { rules: [{ match: { task: 'describe_slide' }, fault: { latencyMs: 2500 } }] },
    'Case',
  );
  expect(report.gaps).toEqual([]);
  expect(report.status).toBe('completed');
  expect(await badHealth()).toEqual([]);
  const calls = await callsOf(report);
  expect(calls.filter(({ sends, lostSends }) => sends !== 1 || lostSends !== 0)).toEqual([]);
  expect((await rig.reader.stats()).cancelled).toBe(before.cancelled);
});

it('a call that waits in the queue of a server with two slots is not cut', async () => {
  const before = await rig.reader.stats();
  const report = await reviewUnder({ callSeconds: 0.7 }, 'Queue');
  expect(report.status).toBe('completed');
  expect((await rig.reader.stats()).cancelled).toBe(before.cancelled);
  expect((await callsOf(report)).every(({ sends }) => sends === 1)).toBe(true);
});

it('a page on which the runner ends is sent twice and then a gap, nothing else is one, and the machine is left alone', async () => {
  const fault = { status: 500, error: 'model runner has unexpectedly stopped' };
  const report = await reviewUnder({ rules: [{ match: { task: 'describe_slide', slide: 2 }, fault }] }, 'Crash');
  expect(report.gaps).toMatchObject([{ slide: 2, code: 'model_input_rejected' }]);
  expect(report.gaps[0]?.message).toContain('The model cannot take this page: its runner ended 2 times');
  const failed = (await callsOf(report)).filter(({ state }) => state === 'failed');
  expect(failed).toMatchObject([{ sends: 2, crashes: 2, lostSends: 0 }]);
  expect(await badHealth()).toEqual([]);
});

it('a call that a server never answers is sent once more with twice the time, and then a gap that says so', async () => {
  const report = await reviewUnder(
    { rules: [{ match: { task: 'slide_feedback', slide: 1 }, fault: { wedge: true } }] },
    'Quiet',
  );
  expect(report.gaps).toMatchObject([{ slide: 1, code: 'model_too_slow' }]);
  expect(report.gaps[0]?.message).toMatch(/did not read a prompt of about \d+ tokens within/u);
  const failed = (await callsOf(report)).filter(({ state }) => state === 'failed');
  expect(failed).toMatchObject([{ sends: 2 }]);
});

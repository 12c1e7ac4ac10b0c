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
  fleet: { health: { sampleIntervalMs: 600, probeIdleMs: 1200, probeTimeoutMs: 1000 } },
  environment: { DECKHAND_SLOWEST_TOKENS_PER_SEC: '2500', DECKHAND_LEAST_SILENCE_SEC: '4' },
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
  const report = await reviewUnder(
    { rules: [{ match: { task: 'describe_slide' }, fault: { latencyMs: 2500 } }] },
    'Case',
  );
  expect(report.gaps).toEqual([]);
  expect(report.status).toBe('completed');
  expect(await badHealth()).toEqual([]);
  const calls = await callsOf(report);
  expect(calls.filter(({ sends, lostSends }) => sends !== 1 || lostSends !== 0)).toEqual([]);
});

it('a call that waits in the queue of a server with two slots is not cut', async () => {
  const report = await reviewUnder({ callSeconds: 0.7 }, 'Queue');
  expect(report.status).toBe('completed');
  // One that was cut would have been sent again; equal ones of the deck before are answered from what is stored.
  expect((await callsOf(report)).filter(({ sends, lostSends }) => sends > 1 || lostSends !== 0)).toEqual([]);
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

it('a call that a server never answers is a gap after three sends at most, and the deck ends', async () => {
  const script = { rules: [{ match: { task: 'slide_feedback', slide: 1 }, fault: { wedge: true } }] };
  const report = await reviewUnder(script, 'Quiet');
  // Whether its own limit or the health of the machine ends the last send depends on what runs beside it.
  expect(report.gaps).toMatchObject([{ slide: 1 }]);
  expect(['model_too_slow', 'model_sends_exhausted']).toContain(report.gaps[0]?.code);
  const [failed] = (await callsOf(report)).filter(({ state }) => state === 'failed');
  expect(failed?.sends).toBeGreaterThanOrEqual(2);
  expect(failed?.sends).toBeLessThanOrEqual(3);
  expect(failed?.lostSends).toBeLessThanOrEqual(5);
});

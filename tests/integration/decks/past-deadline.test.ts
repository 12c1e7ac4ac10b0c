/** What is stored of an analysis that its deadline ended. */
import { expect } from 'vitest';
import { finishAnalysis } from '../../../activities/decks/stages.ts';
import { loadReport } from '../../../api/decks/report/load.ts';
import { renderReview } from '../../../cli/decks/review-text.ts';
import { itWithDatabase as it } from '../../../testing/database.ts';
import { aDeck, aModelCall, anAnalysis, aSlide, TENANT } from '../../../testing/make.ts';
import { ANSWERING_SETTINGS } from '../../../domain/evidence/answering-settings.ts';

const DEADLINE_AT_MS = Date.parse('2026-11-26T12:00:00Z');
const end = { kind: 'deadline', deadlineAtMs: DEADLINE_AT_MS } as const;

it('a deadline makes gaps of planned calls and of the run, by name, and leaves what is stored', async ({ db }) => {
  const deck = await aDeck(db, { pageCount: 3 });
  for (const number of [1, 2]) await aSlide(db, { deckId: deck.id, number });
  const { id: analysisId } = await anAnalysis(db, { deckId: deck.id, startedAt: new Date() });
  const done = await aModelCall(db, { analysisId, slideNumber: 1, state: 'stored' });
  const open = await aModelCall(db, { analysisId, slideNumber: 2 });
  const summary = { status: 'completed_with_gaps', gaps: 2 };
  // Repeating it after a crash changes nothing.
  for (let n = 0; n < 2; n += 1) expect(await finishAnalysis(db, { analysisId, end })).toEqual(summary);

  const stateOf = async (id: string) => (await db.modelCall.findUniqueOrThrow({ where: { id } })).state;
  expect([await stateOf(done.id), await stateOf(open.id)]).toEqual(['stored', 'failed']);
  const report = await loadReport(db, TENANT, analysisId, ANSWERING_SETTINGS);
  expect(report.status).toBe('completed_with_gaps');
  expect(report.gaps.map(({ item, code }) => [item, code])).toEqual([
    ['deadline', 'deadline'],
    ['slide/2/description', 'deadline'],
  ]);
  expect(report.gaps[0]?.message).toBe(
    'The deadline (2026-11-26 12:00:00 UTC) passed in stage slides. 1 planned call cancelled; later stages were not run.',
  );
  const text = renderReview(report, { colours: false, width: 200 });
  expect(text).toContain('passed in stage slides');
});

it('a deadline that passes while the end is written leaves a complete analysis complete', async ({ db }) => {
  const { id: analysisId } = await anAnalysis(db);
  expect(await finishAnalysis(db, { analysisId, end: { kind: 'finished' } })).toEqual({ status: 'completed', gaps: 0 });
  expect(await finishAnalysis(db, { analysisId, end })).toEqual({ status: 'completed', gaps: 0 });
});

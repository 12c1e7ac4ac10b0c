/** Facts of profiles and evidence of reviews by rules, side by side. */
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { AnalysisReport, ReportProfile, ReportTopic } from '../../../domain/decks/report.ts';
import { type DocumentKind, PROFILE_TOPICS } from '../../../domain/profile/topics.ts';
import { documents } from '../support/documents.ts';
import { AUTUMN, openCompared, otherCompany, SPRING, textOf, withReports } from './reviews.ts';

/** A profile with one fact for each of these topics. */
function profileOf(
  facts: Readonly<Partial<Record<ReportTopic['topic'], string>>>,
  kind: DocumentKind = 'pitch_deck',
): ReportProfile {
  const [quote] = documents.report().extractions.flatMap(({ evidence }) => evidence);
  const untyped = { amount: null, minAmount: null, currency: null, percent: null, isPlan: false };
  return {
    status: 'analysed',
    reason: null,
    document: { kind, evidence: [] },
    topics: PROFILE_TOPICS.map((topic): ReportTopic => {
      const name = facts[topic];
      const fact = { ...untyped, name: name ?? '', value: '', evidence: quote === undefined ? [] : [quote] };
      const found = name === undefined ? [] : [fact];
      return { topic, status: found.length === 0 ? 'not_found' : 'found', facts: found, evidence: [] };
    }),
    computedWithout: [],
    provenance: null,
  };
}

/** The chapters of a report in which the first questions, as many as this, have evidence. */
function chaptersWith(report: AnalysisReport, evidence: number): AnalysisReport['chapters'] {
  let left = evidence;
  const [quote] = report.extractions.flatMap((value) => value.evidence);
  return report.chapters.map((chapter) => ({
    ...chapter,
    questions: chapter.questions.map((question) => {
      left -= 1;
      if (left < 0 || quote === undefined) return { ...question, evidence: [] };
      return { ...question, state: 'found', evidence: [{ ...quote, verdict: 'verified', answering: 'high' }] };
    }),
  }));
}

/** Two reviews by rules with facts and evidence, the second one of a form. */
function byRules(evidence: readonly [number, number]): Parameters<typeof withReports>[0] {
  const marks = { ...documents.report().marks, quotes: 10, onSlide: 10, answering: 5, notJudged: 0 };
  const [first, second] = [documents.report(), documents.laterReport()];
  return {
    [SPRING]: {
      marks,
      chapters: chaptersWith(first, evidence[0]),
      profile: profileOf({ stage: 'Pre-Seed', market: 'TAM €12B' }),
    },
    [AUTUMN]: { marks, chapters: chaptersWith(second, evidence[1]), profile: profileOf({ stage: 'Seed' }, 'form') },
  };
}

it('Facts of the profile stand side by side, and evidence stands for reviews by rules', async () => {
  await openCompared([SPRING, AUTUMN], 'Pulsara and Pulsavent', {
    answers: withReports(byRules([3, 2]), otherCompany()),
  });
  const cells = (name: RegExp): string[] => within(screen.getByRole('row', { name })).getAllByRole('cell').map(textOf);
  const asked = documents.report().overall.asked;
  expect(cells(/^Stage/u)).toEqual([expect.stringMatching(/Pre-Seed Slide \d/u), expect.stringMatching(/Seed Slide/u)]);
  expect(cells(/^Market size/u)).toEqual([expect.stringContaining('TAM €12B'), expect.stringContaining('–')]);
  expect(cells(/^Kind of document/u)).toEqual([expect.stringContaining('Pitch deck'), expect.stringContaining('Form')]);
  expect(cells(/^Evidence found/u)).toEqual([
    expect.stringContaining(`3 of ${asked} questions`),
    expect.stringContaining(`2 of ${asked} questions`),
  ]);
  expect(screen.getByRole('row', { name: /^Evidence score/u })).toBeTruthy();
  // Nothing is said of them.
  expect(screen.queryByRole('row', { name: /^Competition/u })).toBeNull();
  expect(screen.getByText(`Pulsara has evidence for the most questions: 3 of ${asked}.`)).toBeTruthy();
});

it('Versions that rules reviewed say how their evidence changed, in German', async () => {
  await openCompared([SPRING, AUTUMN], 'Pulsara: März 2026 und September 2026', {
    answers: withReports(byRules([2, 4])),
    language: 'de',
  });
  expect(screen.getByText('Die Zahl der belegten Fragen ist von 2 auf 4 gestiegen.')).toBeTruthy();
  expect(screen.getByRole('row', { name: /^Phase/u }).textContent).toMatch(/Pre-Seed.*Seed/u);
  expect(screen.getByRole('row', { name: /^Marktgröße/u }).textContent).toContain('TAM €12B');
});

/** Evaluations made of report fixtures. */
import type { AnalysisReport } from '../../../domain/decks/report.ts';
import type { EvaluatedDeck } from '../../../domain/evaluation/deck-evaluation.ts';
import { evaluate, type Evaluation } from '../../../domain/evaluation/evaluation.ts';
import { reportWith } from '../api/report-fixture.ts';

/** A deck of a run with a review of these words. */
export const deckWith = (
  file: string,
  changes: Partial<EvaluatedDeck> = {},
  report: Partial<AnalysisReport> = {},
): EvaluatedDeck => ({
  file,
  sha256: file.padEnd(64, '0'),
  analysisId: `analysis of ${file}`,
  failure: null,
  refused: false,
  label: { company: [file] },
  report: reportWith(file, { failure: null, ...report }),
  storedCalls: 1,
  usd: '0.10',
  ...changes,
});

/** A run over these decks. */
export const evaluationWith = (decks: readonly EvaluatedDeck[], code = 'a'.repeat(64)): Evaluation =>
  evaluate(
    {
      id: `run-${code.slice(0, 4)}`,
      createdAt: '2026-11-23T10:00:00.000Z',
      finishedAt: '2026-11-23T10:09:00.000Z',
      folder: '/decks',
      labels: '/decks/labels.json',
      models: 'reader',
      language: 'en',
    },
    decks,
    { code: { hash: code, commit: null }, labelsWithoutPdf: ['ghost'], deletedDecks: 0 },
  );

/** The chapters of a report, with these scores in the order of their questions. */
export function chaptersWithScores(...scores: readonly (number | null)[]): Pick<AnalysisReport, 'chapters'> {
  const { chapters } = reportWith('x');
  return {
    chapters: chapters.map((chapter, i) => ({
      ...chapter,
      questions: chapter.questions.map((question) => ({ ...question, score: scores[i] ?? null })),
    })),
  };
}

/** Makes the document of a run from what is stored: reviews through the API, costs from its ledger. */
import type { DeckhandClient } from '../../api/client.ts';
import type { AnalysisReport } from '../../domain/decks/report.ts';
import { DeckhandError, UNREADABLE_FILE_CODES } from '../../domain/errors.ts';
import type { EvaluatedDeck } from '../../domain/evaluation/deck-evaluation.ts';
import { evaluate, type Evaluation } from '../../domain/evaluation/evaluation.ts';
import type { DeckLabel } from '../../domain/evaluation/labels.ts';
import type { EvaluationRun, EvaluationRunDeck } from '../../platform/evaluation-files.ts';

const DAY_MS = 86_400_000;
/** Most lines that the API gives. */
const MOST_COSTS = 10_000;

/** Labels of decks by SHA-256, to judge by instead of the run's own. */
export type OtherLabels = ReadonlyMap<string, DeckLabel | null>;

/** Makes it. @param otherLabels for decks that have an entry in it */
export async function evaluationOf(
  client: DeckhandClient,
  run: EvaluationRun,
  signal: AbortSignal,
  otherLabels: OtherLabels = new Map(),
): Promise<Evaluation> {
  const usd = await costsByAnalysis(client, run, signal);
  const decks: EvaluatedDeck[] = [];
  for (const deck of run.decks) {
    const stored = await storedReview(client, deck, signal);
    decks.push({
      file: deck.file,
      sha256: deck.sha256,
      analysisId: deck.analysisId,
      failure: deck.failure,
      refused: UNREADABLE_FILE_CODES.some((code) => code === deck.failure?.code),
      label: otherLabels.has(deck.sha256) ? (otherLabels.get(deck.sha256) ?? null) : deck.label,
      report: stored?.report ?? null,
      storedCalls: stored?.storedCalls ?? 0,
      usd: usd.get(deck.analysisId ?? '') ?? null,
    });
  }
  const { id, createdAt, finishedAt, folder, labels, models, language, code, labelsWithoutPdf, deletedDecks } = run;
  const facts = { id, createdAt, finishedAt, folder, labels, models, language };
  return evaluate(facts, decks, { code, labelsWithoutPdf, deletedDecks });
}

/** Null for a deck without an analysis, and for one that is gone without its entry: in the API of another data directory. */
async function storedReview(
  client: DeckhandClient,
  { analysisId }: EvaluationRunDeck,
  signal: AbortSignal,
): Promise<{ readonly report: AnalysisReport; readonly storedCalls: number } | null> {
  if (analysisId === null) return null;
  try {
    const [report, { progress }] = await Promise.all([
      client.report(analysisId, signal),
      client.GET('/analyses/{id}', { params: { path: { id: analysisId } }, signal }),
    ]);
    return { report, storedCalls: progress.cachedCalls };
  } catch (error) {
    if (error instanceof DeckhandError && error.code === 'not_found') return null;
    throw error;
  }
}

/** US dollars by analysis; nothing for a key that may not see costs. */
async function costsByAnalysis(
  client: DeckhandClient,
  run: EvaluationRun,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  // The analyses may be older than the run. Days are local ones of the API.
  const created = (await client.analysesById(idsOf(run), signal)).map(({ createdAt }) => Date.parse(createdAt));
  if (created.length === 0) return new Map();
  const from = new Date(Math.min(...created) - DAY_MS).toISOString().slice(0, 10);
  try {
    const { items } = await client.GET('/costs', {
      params: { query: { from, by: 'analysis', limit: MOST_COSTS } },
      signal,
    });
    return new Map(items.flatMap(({ key, usd }) => (key === null ? [] : [[key, usd]])));
  } catch (error) {
    if (error instanceof DeckhandError && error.code === 'forbidden') return new Map();
    throw error;
  }
}

const idsOf = ({ decks }: EvaluationRun): string[] =>
  decks.flatMap(({ analysisId }) => (analysisId === null ? [] : [analysisId]));

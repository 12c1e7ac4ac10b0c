/**
 * Reviews the decks of a folder for an evaluation: several at a time, each recorded as soon as it is started and done, so that an interrupted
 * run goes on where it ended.
 */
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import type { DeckhandClient } from '../../api/client.ts';
import { isFinished } from '../../domain/decks/report.ts';
import { asDeckhandError, DeckhandError } from '../../domain/errors.ts';
import { labelsWithoutFile } from '../../domain/evaluation/evaluation.ts';
import { deckNameOf } from '../../domain/evaluation/labels.ts';
import { isMadeWith, type CodeVersion } from '../../domain/evaluation/provenance.ts';
import type { Language } from '../../domain/models/model-tasks.ts';
import {
  readEvaluationRuns,
  writeEvaluationRun,
  type EvaluationRun,
  type EvaluationRunDeck,
} from '../../platform/evaluation-files.ts';
import { followAnalysis, startReview } from '../decks/follow.ts';
import type { Progress } from '../terminal/progress.ts';
import type { DeckFolder } from './folder.ts';

/** What a run is asked to do. */
export interface RunRequest {
  readonly home: string;
  readonly models: string;
  readonly language: Language;
  /** Null where the API is another machine's. */
  readonly code: CodeVersion | null;
  readonly apiUrl: string | null;
  /** Decks in review at the same time. */
  readonly atOnce: number;
  /** Review every deck, also those that were reviewed by the same profile and code. */
  readonly again: boolean;
}

/** What a run uses. */
export interface RunSurroundings {
  readonly client: DeckhandClient;
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

/**
 * Runs it, or goes on with the same run that was interrupted.
 *
 * @throws DeckhandError `cancelled` when the signal fires; what is done so far is kept
 */
export async function runEvaluation(
  folder: DeckFolder,
  request: RunRequest,
  surroundings: RunSurroundings,
): Promise<EvaluationRun> {
  const { home } = request;
  const earlier = await readEvaluationRuns(home);
  const record = new RunRecord(home, beginRun(folder, request, earlier));
  await record.save();
  const waiting = [...folder.decks];
  const reviewNext = async (): Promise<void> => {
    for (let deck = waiting.shift(); deck !== undefined; deck = waiting.shift()) {
      surroundings.signal.throwIfAborted();
      const { file } = deck;
      const known = request.again ? [] : earlierAnalyses(earlier, record.run, deck.sha256);
      await reviewOne(deck.path, request, surroundings, {
        entry: record.deck(file),
        known,
        note: (change) => record.change(file, change),
      });
      const { decks } = record.run;
      const done = decks.filter((each) => each.done).length;
      surroundings.progress.update(`${request.models}: ${done} of ${decks.length} decks are done, the last is ${file}`);
    }
  };
  const lanes = Array.from({ length: Math.min(request.atOnce, folder.decks.length) }, reviewNext);
  // All lanes end before an error is passed on: each cancels its analysis.
  const ends = await Promise.allSettled(lanes);
  const failed = ends.find((end) => end.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
  return record.run;
}

/** A run and its file: changes are written in the order in which they are made. */
class RunRecord {
  run: EvaluationRun;
  readonly #home: string;
  #saved: Promise<void> = Promise.resolve();

  constructor(home: string, run: EvaluationRun) {
    this.#home = home;
    this.run = run;
  }

  deck(file: string): EvaluationRunDeck {
    const deck = this.run.decks.find((each) => each.file === file);
    if (deck === undefined) throw new DeckhandError('internal', `${file} is not in run ${this.run.id}`);
    return deck;
  }

  change(file: string, change: Partial<EvaluationRunDeck>): Promise<void> {
    const decks = this.run.decks.map((deck) => (deck.file === file ? { ...deck, ...change } : deck));
    this.run = { ...this.run, decks };
    return this.save();
  }

  save(): Promise<void> {
    const { run } = this;
    this.#saved = this.#saved.then(() => writeEvaluationRun(this.#home, run));
    return this.#saved;
  }
}

/** A new run, or the newest unfinished one of the same folder, options, profile and code. The labels are those of now. */
function beginRun(folder: DeckFolder, request: RunRequest, earlier: readonly EvaluationRun[]): EvaluationRun {
  const { models, language, again, code, apiUrl } = request;
  const createdAt = new Date().toISOString();
  const fresh: EvaluationRun = {
    id: newRunId(createdAt, models, earlier),
    createdAt,
    finishedAt: null,
    folder: folder.folder,
    labels: folder.source,
    models,
    language,
    again,
    code,
    apiUrl,
    decks: folder.decks.map(({ file, sha256 }) => ({
      file,
      sha256,
      analysisId: null,
      done: false,
      failure: null,
      label: folder.labels.get(deckNameOf(file)) ?? null,
    })),
    labelsWithoutPdf: labelsWithoutFile(
      folder.labels,
      folder.decks.map(({ file }) => deckNameOf(file)),
    ),
    deletedDecks: 0,
    shares: [],
    invented: 0,
  };
  const open = earlier.find(
    (run) =>
      run.finishedAt === null && run.folder === fresh.folder && run.again === fresh.again && isSameMaking(run, fresh),
  );
  if (open === undefined) return fresh;
  const decks = fresh.decks.map((deck) => {
    const before = open.decks.find((each) => each.sha256 === deck.sha256);
    return before === undefined ? deck : { ...deck, analysisId: before.analysisId };
  });
  return { ...fresh, id: open.id, createdAt: open.createdAt, deletedDecks: open.deletedDecks, decks };
}

/** `2026-11-23-1404-reader`, with a number behind it where that minute has one already. */
function newRunId(createdAt: string, models: string, earlier: readonly EvaluationRun[]): string {
  const name = `${createdAt.slice(0, 10)}-${createdAt.slice(11, 16).replace(':', '')}-${models}`;
  const taken = new Set(earlier.map(({ id }) => id));
  if (!taken.has(name)) return name;
  for (let number = 2; ; number += 1) if (!taken.has(`${name}-${number}`)) return `${name}-${number}`;
}

const isSameMaking = (a: EvaluationRun, b: EvaluationRun): boolean =>
  a.models === b.models && a.language === b.language && a.apiUrl === b.apiUrl && a.code?.hash === b.code?.hash;

/** Analyses of this PDF by the same profile and code, newest first. Of another machine the code is not known, so none. */
function earlierAnalyses(earlier: readonly EvaluationRun[], run: EvaluationRun, sha256: string): string[] {
  if (run.code === null) return [];
  const decks = earlier.filter((each) => isSameMaking(each, run)).flatMap((each) => each.decks);
  return decks.flatMap((deck) =>
    deck.sha256 === sha256 && deck.done && deck.analysisId !== null ? [deck.analysisId] : [],
  );
}

interface DeckWork {
  readonly entry: EvaluationRunDeck;
  readonly known: readonly string[];
  readonly note: (change: Partial<EvaluationRunDeck>) => Promise<void>;
}

/** Reviews one deck, unless a review of it stands. A failure of the deck is recorded; only an abort is thrown. */
async function reviewOne(
  file: string,
  { models, language }: RunRequest,
  { client, progress, signal }: RunSurroundings,
  { entry, known, note }: DeckWork,
): Promise<void> {
  try {
    const candidates = entry.analysisId === null ? known : [entry.analysisId, ...known];
    let analysisId = await standingReview(client, candidates, signal);
    if (analysisId === null) {
      const choices = { models, language, idempotencyKey: randomUUID() };
      const { analysis } = await startReview(client, file, choices, progress, signal);
      ({ analysisId } = analysis);
      await note({ analysisId });
    }
    const report = await followAnalysis(client, analysisId, path.basename(file), progress, signal);
    await note({ analysisId, done: true, failure: report.failure });
  } catch (error) {
    if (signal.aborted) throw error;
    const { code, userMessage: message } = asDeckhandError(error);
    await note({ done: true, failure: { code, message } });
  }
}

/**
 * The first of these analyses that runs, or was made with the models that are configured now; null = none. One that failed or was cancelled
 * is made again.
 */
async function standingReview(
  client: DeckhandClient,
  analysisIds: readonly string[],
  signal: AbortSignal,
): Promise<string | null> {
  if (analysisIds.length === 0) return null;
  const [summaries, { items }] = await Promise.all([
    client.analysesById(analysisIds, signal),
    client.GET('/models', { signal }),
  ]);
  for (const id of analysisIds) {
    const summary = summaries.find(({ analysisId }) => analysisId === id);
    if (summary === undefined || summary.status === 'cancelled' || summary.status === 'failed') continue;
    if (!isFinished(summary.status)) return id;
    const report = await client.report(id, signal);
    const configured = items.filter(({ profile }) => profile === summary.models);
    if (isMadeWith(report, configured)) return id;
  }
  return null;
}

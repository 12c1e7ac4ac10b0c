/**
 * Runs of `deckhand evaluate` as files below the data directory: which analysis reviewed which deck, and the labels. What the reviews say stays
 * in the database; a report is made from there. So a deletion leaves nothing of a deck behind, and two runs are judged by the same rules,
 * whatever version made them.
 */
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { catalogName } from '../domain/models/catalog/catalog.ts';
import path from 'node:path';
import { z } from 'zod';
import { DeckhandError } from '../domain/errors.ts';
import { deckLabelSchema } from '../domain/evaluation/labels.ts';
import { LANGUAGES } from '../domain/models/model-tasks.ts';
import { ifAbsent } from './absent.ts';

const DIRECTORY = 'evaluations';
const RUN_FILE = 'run.json';
/** Reports with words of decks; they are removed with any of the decks, and made again on demand. */
export const EVALUATION_REPORT_FILES = { html: 'evaluation.html', json: 'evaluation.json' } as const;

const runDeckSchema = z.object({
  file: z.string(),
  sha256: z.string(),
  /** Null before it is started, and for a file that the API refused. */
  analysisId: z.string().nullable(),
  /** Nothing more is to be done for it in this run. */
  done: z.boolean(),
  failure: z.object({ code: z.string(), message: z.string() }).nullable(),
  label: deckLabelSchema.nullable(),
});
export type EvaluationRunDeck = z.infer<typeof runDeckSchema>;

const runSchema = z.object({
  id: z.string(),
  createdAt: z.iso.datetime(),
  /** Null for a run that was interrupted. */
  finishedAt: z.iso.datetime().nullable(),
  folder: z.string(),
  /** File of the labels, or what else they are from. */
  labels: z.string(),
  models: catalogName,
  language: z.enum(LANGUAGES),
  /** Whether decks that were reviewed before are reviewed anew. */
  again: z.boolean().default(false),
  /** Null for the API of another machine. */
  code: z.object({ hash: z.string(), commit: z.string().nullable() }).nullable(),
  /** Null for the runtime of this data directory. */
  apiUrl: z.string().nullable(),
  decks: z.array(runDeckSchema),
  labelsWithoutPdf: z.array(z.string()),
  deletedDecks: z.int(),
  /** Figures when it finished, for lists. */
  shares: z.array(z.object({ field: z.string(), right: z.int(), of: z.int() })),
  invented: z.int(),
});
/** One run, as stored. */
export type EvaluationRun = z.infer<typeof runSchema>;

const folderOf = (home: string): string => path.join(home, DIRECTORY);
/** Folder of a run: its record, and its reports where no other folder was asked for. */
export const evaluationFolder = (home: string, runId: string): string => path.join(folderOf(home), runId);

/** Every run, newest first. */
export async function readEvaluationRuns(home: string): Promise<EvaluationRun[]> {
  const runs: EvaluationRun[] = [];
  for (const name of await readdir(folderOf(home)).catch(ifAbsent([]))) {
    const run = await readRun(path.join(folderOf(home), name, RUN_FILE));
    if (run !== null) runs.push(run);
  }
  return runs.toSorted((a, b) => b.createdAt.localeCompare(a.createdAt) || b.id.localeCompare(a.id));
}

async function readRun(file: string): Promise<EvaluationRun | null> {
  const text = await readFile(file, 'utf8').catch(ifAbsent(null));
  if (text === null) return null;
  try {
    return runSchema.parse(JSON.parse(text));
  } catch (error) {
    throw new DeckhandError('internal', `${file} is damaged: ${String(error)}`, {
      userMessage: `The record of an evaluation cannot be read: ${file}`,
      hint: 'Remove its folder to go on without it.',
      cause: error,
    });
  }
}

/** Writes a run; a reader sees the old record or the new one. */
export async function writeEvaluationRun(home: string, run: EvaluationRun): Promise<void> {
  const folder = evaluationFolder(home, run.id);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const draft = path.join(folder, `${RUN_FILE}.${process.pid}`);
  await writeFile(draft, `${JSON.stringify(run, null, 1)}\n`, { mode: 0o600 });
  await rename(draft, path.join(folder, RUN_FILE));
}

/** Removes a deck's entry and its labels from every run that has this analysis, and the reports of these runs. */
export async function forgetEvaluatedDeck(home: string, analysisId: string): Promise<void> {
  for (const run of await readEvaluationRuns(home)) {
    const decks = run.decks.filter((deck) => deck.analysisId !== analysisId);
    const removed = run.decks.length - decks.length;
    if (removed === 0) continue;
    await writeEvaluationRun(home, { ...run, decks, deletedDecks: run.deletedDecks + removed });
    for (const name of Object.values(EVALUATION_REPORT_FILES)) {
      await rm(path.join(evaluationFolder(home, run.id), name), { force: true });
    }
  }
}

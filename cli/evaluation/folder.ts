/**
 * The folder that `deckhand evaluate` reviews: its PDFs and their labels, from one labels file, or from a file per deck as `samples/` has them.
 */
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { DeckhandError } from '../../domain/errors.ts';
import {
  deckNameOf,
  parseLabelDocument,
  parseLabelJson,
  parseLabels,
  type DeckLabel,
  type Labels,
} from '../../domain/evaluation/labels.ts';
import { sha256Hex } from '../../platform/hash.ts';
import {
  type DeckTopics,
  type DeckTruth,
  DeckTruth as deckTruthSchema,
  QUESTION_SLUGS,
} from '../../domain/evaluation/deck-truth.ts';
import type { TopicsLabel } from '../../domain/evaluation/topic-labels.ts';

/** Names that are looked for, in this order. */
const LABEL_FILES = ['labels.json', 'truth.json'] as const;
const MONTHS_OF_QUARTER = 3;

/** One PDF. */
export interface FolderDeck {
  readonly file: string;
  readonly path: string;
  readonly sha256: string;
}

/** What is reviewed, and by what it is judged. */
export interface DeckFolder {
  readonly folder: string;
  readonly decks: readonly FolderDeck[];
  /** Where the labels come from. */
  readonly source: string;
  readonly labels: Labels;
  readonly warnings: readonly string[];
}

/**
 * Reads it.
 *
 * @param labelsFile instead of the one in the folder
 * @throws DeckhandError `not_found` for a missing folder or labels file, `usage` for a folder without PDFs, `invalid_request` for wrong labels
 */
export async function readDeckFolder(folder: string, labelsFile: string | undefined): Promise<DeckFolder> {
  const names = await namesIn(folder);
  const files = names.filter((name) => /\.pdf$/iu.test(name));
  if (files.length === 0) {
    throw new DeckhandError('usage', `no PDF in ${folder}`, {
      userMessage: `There are no PDF files in ${folder}.`,
      hint: 'Name a folder that holds the decks themselves; folders within it are not searched.',
    });
  }
  const found =
    labelsFile ?? LABEL_FILES.filter((name) => names.includes(name)).map((name) => path.join(folder, name))[0];
  const labelled = found === undefined ? await labelsOfSamples(folder, names, files) : await labelsOfFile(found);
  const decks: FolderDeck[] = [];
  for (const file of files) {
    const location = path.join(folder, file);
    decks.push({ file, path: location, sha256: sha256Hex(await readFile(location)) });
  }
  return { folder: path.resolve(folder), decks, ...labelled };
}

type LabelSource = Pick<DeckFolder, 'source' | 'labels' | 'warnings'>;

async function namesIn(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).toSorted();
  } catch (error) {
    throw new DeckhandError('not_found', `cannot read ${folder}: ${String(error)}`, {
      userMessage: `${folder} is no folder that can be read.`,
      hint: 'Usage: deckhand evaluate DIR, with a folder of PDF files; `deckhand evaluate list` shows earlier runs.',
      cause: error,
    });
  }
}

async function labelsOfFile(file: string): Promise<LabelSource> {
  const content = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new DeckhandError('not_found', `cannot read ${file}: ${String(error)}`, {
      userMessage: `${file} is no labels file that can be read.`,
      hint: 'docs/label-format.md describes it.',
      cause: error,
    });
  });
  return { source: path.resolve(file), ...parseLabels(content, file) };
}

/** Labels of a folder like `samples/`: for each `deck.pdf` a `deck.json`. */
async function labelsOfSamples(
  folder: string,
  names: readonly string[],
  files: readonly string[],
): Promise<LabelSource> {
  const labels = new Map<string, DeckLabel>();
  for (const deck of files.map(deckNameOf)) {
    if (!names.includes(`${deck}.json`)) continue;
    const file = path.join(folder, `${deck}.json`);
    const document = parseLabelJson(await readFile(file, 'utf8'), file);
    labels.set(deck, labelOfSample(parseLabelDocument(deckTruthSchema, document, file)));
  }
  if (labels.size > 0) return { source: `${path.resolve(folder)} (a file of each deck)`, labels, warnings: [] };
  throw new DeckhandError('not_found', `no labels in ${folder}`, {
    userMessage: `There is no labels file in ${folder}: neither ${LABEL_FILES.join(' nor ')}.`,
    hint: 'Write one (docs/label-format.md), or name it with --labels FILE. A file with {} reviews the decks and judges none.',
  });
}

/** The truth of a sample deck as a label. What only its pictures state is labelled as well. */
export function labelOfSample({ visionOnly, ...inText }: DeckTruth): DeckLabel {
  const { company, offering, sector, amount, currency, date, datePrecision, answered, topics } = visionOnly ?? inText;
  return {
    company: company === null ? null : [company],
    name_in_text: visionOnly === undefined,
    offering,
    ask: amount === null ? null : { amount, currency },
    date,
    date_also_ok: date !== null && datePrecision === 'quarter' ? monthsOfQuarter(date) : [],
    sector,
    topics: topics === undefined ? undefined : topicsLabelOf(topics),
    questions: Object.fromEntries(
      QUESTION_SLUGS.map((slug) => [slug, { covered: answered[slug] === undefined ? 'no' : 'yes' }]),
    ),
  };
}

/** The facts of a truth as those of a label, in which a currency that the deck does not name is left out. */
function topicsLabelOf({ use_of_funds: funds, market, ...topics }: DeckTopics): TopicsLabel {
  const unpriced = <T extends { readonly currency: string | null }>(fact: T) => ({
    ...fact,
    currency: fact.currency ?? undefined,
  });
  return { ...topics, use_of_funds: funds?.map(unpriced), market: market?.map(unpriced) };
}

/** The months of a quarter that is written as its first month. */
function monthsOfQuarter(date: string): string[] {
  const [year = '', month = '1'] = date.split('-');
  return Array.from({ length: MONTHS_OF_QUARTER }, (_, i) => `${year}-${String(Number(month) + i).padStart(2, '0')}`);
}

/**
 * `deckhand compare A B`: what two analyses of one deck say differently. `deckhand delete DECK`: deletes a deck with all its data, and waits until
 * it is gone.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Command } from 'commander';
import type { DeckhandClient, DeletionDocument } from '../../api/client.ts';
import type { DeckEntry } from '../../domain/decks/list/entry.ts';
import { gpuNamed } from '../../domain/fleet/selection/gpu-names.ts';
import { isFinished } from '../../domain/decks/report.ts';
import { asDeckhandError, DeckhandError } from '../../domain/errors.ts';
import { counted } from '../../domain/text/words.ts';
import { askApi } from '../api/open.ts';
import { renderComparison } from '../decks/comparison-text.ts';
import { JSON_HELP, printResult } from '../terminal/output.ts';
import type { Progress } from '../terminal/progress.ts';
import { confirm } from '../terminal/prompt.ts';
import { clean } from '../terminal/style.ts';
import { priceOptions, showPrices, type PricesOptions } from './prices.ts';

interface DeleteOptions {
  readonly yes?: boolean;
  readonly json?: boolean;
}

/** Pause between looks at a deletion. */
const LOOK_MS = 300;

export function registerDelete(program: Command): void {
  program
    .command('delete')
    .description('delete a deck with its analyses, results, files and histories')
    .argument('<deck>', 'id of the deck')
    .option('--yes', 'do not ask')
    .option('--json', JSON_HELP)
    .action(async (deckId: string, options: DeleteOptions) => {
      const deletion = await askApi('Looking at the deck', (client, signal, progress) =>
        deleteDeck(client, deckId, options, { signal, progress }),
      );
      printResult(options, deletion, () => describe(deletion));
    });
}

interface Surroundings {
  readonly signal: AbortSignal;
  readonly progress: Progress;
}

async function deleteDeck(
  client: DeckhandClient,
  deckId: string,
  options: DeleteOptions,
  { signal, progress }: Surroundings,
): Promise<DeletionDocument> {
  const deck = await deckOrNull(client, deckId, signal);
  // A deletion that has begun was confirmed before.
  if (deck !== null && deck.deletingAt === null && options.yes !== true) {
    const question = await questionAbout(client, deck, signal);
    progress.end();
    if (!(await confirm(question, { input: process.stdin, output: process.stderr }, signal))) {
      throw new DeckhandError('cancelled', 'not confirmed', { userMessage: 'Nothing was deleted.' });
    }
  }
  let deletion = await client.DELETE('/decks/{id}', { params: { path: { id: deckId } }, signal });
  try {
    while (deletion.state === 'deleting') {
      progress.update('Stopping its runs and deleting its data');
      await delay(LOOK_MS, undefined, { signal });
      deletion = await client.GET('/decks/{id}/deletion', { params: { path: { id: deckId } }, signal });
    }
  } catch (error) {
    if (!signal.aborted) throw error;
    throw new DeckhandError('cancelled', 'not waited for', {
      userMessage: 'The deletion continues while Deckhand runs.',
      hint: `See its progress with: deckhand delete ${deckId}`,
      cause: error,
    });
  }
  return deletion;
}

/** Null for a deck that is deleted, or never existed: the request for its deletion tells these apart. */
async function deckOrNull(client: DeckhandClient, deckId: string, signal: AbortSignal): Promise<DeckEntry | null> {
  try {
    return await client.GET('/decks/{id}', { params: { path: { id: deckId } }, signal });
  } catch (error) {
    if (error instanceof DeckhandError && error.code === 'not_found') return null;
    throw error;
  }
}

async function questionAbout(client: DeckhandClient, deck: DeckEntry, signal: AbortSignal): Promise<string> {
  const analyses = await client.analysesOf(deck.id, signal);
  const open = analyses.filter((analysis) => !isFinished(analysis.status)).length;
  const count = counted(analyses.length, 'analysis', 'analyses');
  return `Delete ${clean(deck.fileName)} with ${count}${open === 0 ? '' : ` (${open} running)`}, for good?`;
}

function describe({ removed }: DeletionDocument): string {
  if (removed === null) return 'Deleted.';
  const parts = [
    counted(removed.analyses, 'analysis', 'analyses'),
    counted(removed.slides, 'slide', 'slides'),
    counted(removed.modelResults, 'stored answer', 'stored answers'),
    counted(removed.histories, 'history', 'histories'),
  ];
  return `Deleted, with ${parts.join(', ')}.`;
}

interface CompareOptions {
  readonly anyDeck?: boolean;
  readonly json?: boolean;
}

export function registerCompare(program: Command): void {
  const command = program
    .command('compare')
    .description(
      'show how two analyses of one deck differ, value by value, and possible reasons; with one GPU, such as H100, or --fits: its prices, as `prices` does',
    )
    .argument('[a]', 'id of the first analysis, or a GPU')
    .argument('[b]', 'id of the second analysis')
    .option('--any-deck', 'allow analyses of two different decks');
  priceOptions(command).action(
    async (a: string | undefined, b: string | undefined, options: CompareOptions & PricesOptions) => {
      if (b === undefined || a === undefined) return showPricesOf(a, options);
      const comparison = await askApi('Comparing', (client, signal) =>
        client.compare(a, b, { anyDeck: options.anyDeck === true }, signal),
      ).catch((error: unknown) => {
        throw withHint(error, 'not_found');
      });
      printResult(options, comparison, (style) => renderComparison(comparison, style));
    },
  );
}

/** What `compare` takes: two analyses, or one GPU. */
const COMPARE_HINT =
  'Name two analyses by their ids (in the reports of `analyze --json`, and in what `replay` prints), one GPU such as H100, or --fits MODEL.';

/** The same error; of this code with {@link COMPARE_HINT}. */
function withHint(error: unknown, of: DeckhandError['code']): unknown {
  const { code, message, userMessage } = asDeckhandError(error);
  return code === of ? new DeckhandError(code, message, { userMessage, hint: COMPARE_HINT, cause: error }) : error;
}

/** @throws DeckhandError `usage` where neither a GPU nor a model is named; others where the one word is no GPU, or one without prices */
async function showPricesOf(gpu: string | undefined, options: PricesOptions): Promise<void> {
  if (gpu === undefined && options.fits === undefined)
    throw new DeckhandError('usage', 'nothing to compare is named', {
      userMessage: 'What is to be compared?',
      hint: COMPARE_HINT,
    });
  try {
    await showPrices(gpu, options);
  } catch (error) {
    // The id of an analysis is no GPU either.
    throw gpu !== undefined && gpuNamed(gpu) === null ? withHint(error, 'selector_unknown') : error;
  }
}

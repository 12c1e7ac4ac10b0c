/**
 * `deckhand export FOLDER`: writes every deck with its reviews and everything people said about it into files, so that they outlive the
 * installation. A second call writes the files again.
 */
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import type { Command } from 'commander';
import type { DeckhandClient } from '../../api/client.ts';
import type { DeckEntry } from '../../domain/decks/list/entry.ts';
import { asDeckhandError, DeckhandError } from '../../domain/errors.ts';
import { counted } from '../../domain/text/words.ts';
import { askApi } from '../api/open.ts';
import { JSON_HELP, printResult } from '../terminal/output.ts';
import { clean } from '../terminal/style.ts';

interface Exported {
  readonly folder: string;
  readonly decks: number;
  readonly reviews: number;
  readonly verdicts: number;
  /** Decks of which something could not be written. The others are complete. */
  readonly failed: readonly { readonly deckId: string; readonly fileName: string; readonly reason: string }[];
}

export function registerExport(program: Command): void {
  program
    .command('export')
    .description('write every deck, review and human verdict of the tenant into a folder')
    .argument('<folder>', 'made where it is missing; files of an earlier export are replaced')
    .option('--json', JSON_HELP)
    .action(async (folder: string, options: { readonly json?: boolean }) => {
      const exported = await askApi('Reading the list of decks', (client, signal, progress) =>
        exportAll(client, path.resolve(folder), { signal, update: (line) => progress.update(line) }),
      );
      printResult(options, exported, () => describe(exported));
      if (exported.failed.length === 0) return;
      throw new DeckhandError('internal', `${exported.failed.length} decks were not exported`, {
        userMessage: `${counted(exported.failed.length, 'deck was', 'decks were')} not written completely.`,
        hint: 'Run the same command again; what is written already is replaced.',
      });
    });
}

interface Surroundings {
  readonly signal: AbortSignal;
  readonly update: (line: string) => void;
}

async function exportAll(client: DeckhandClient, folder: string, { signal, update }: Surroundings): Promise<Exported> {
  const decks = await client.allDecks(signal);
  const failed: Exported['failed'][number][] = [];
  let reviews = 0;
  let verdicts = 0;
  for (const [index, deck] of decks.entries()) {
    update(`Writing deck ${index + 1} of ${decks.length}: ${clean(deck.fileName)}`);
    try {
      const written = await exportDeck(client, deck, { folder, signal });
      reviews += written.reviews;
      verdicts += written.verdicts;
    } catch (error) {
      signal.throwIfAborted();
      const { code, userMessage } = asDeckhandError(error);
      // Every further deck would fail in the same way.
      if (code === 'service_unavailable' || code === 'unauthenticated') throw error;
      failed.push({ deckId: deck.id, fileName: deck.fileName, reason: userMessage });
    }
  }
  return { folder, decks: decks.length, reviews, verdicts, failed };
}

/** Writes one deck. Its folder bears its id alone: two decks may have one name, and names hold anything. */
async function exportDeck(
  client: DeckhandClient,
  deck: DeckEntry,
  { folder, signal }: { readonly folder: string; readonly signal: AbortSignal },
): Promise<{ readonly reviews: number; readonly verdicts: number }> {
  const directory = path.join(folder, deck.id);
  await mkdir(directory, { recursive: true });
  const json = (document: unknown): string => `${JSON.stringify(document, null, 2)}\n`;
  const params = { path: { id: deck.id } };
  const pdf = await client.stream('/decks/{id}/pdf', { params, signal, parseAs: 'stream' });
  await writeWhole(path.join(directory, 'deck.pdf'), Readable.fromWeb(pdf ?? new Blob([]).stream()));
  const analyses = await client.analysesOf(deck.id, signal);
  for (const { analysisId: id } of analyses) {
    await writeWhole(path.join(directory, `review-${id}.json`), json(await client.report(id, signal)));
    await writeWhole(path.join(directory, `review-${id}.html`), await client.reportText(id, 'html'));
  }
  const { items: verdicts } = await client.GET('/decks/{id}/verdicts', { params, signal });
  await writeWhole(path.join(directory, 'verdicts.json'), json(verdicts));
  await writeWhole(path.join(directory, 'deck.json'), json(deck));
  return { reviews: analyses.length, verdicts: verdicts.length };
}

/** A file is there whole or not at all, also when the command is killed. */
async function writeWhole(file: string, content: string | Readable): Promise<void> {
  const part = `${file}.part`;
  try {
    await writeFile(part, content);
    await rename(part, file);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}

function describe({ folder, decks, reviews, verdicts, failed }: Exported): string {
  const sums = [
    counted(decks - failed.length, 'deck', 'decks'),
    counted(reviews, 'review', 'reviews'),
    counted(verdicts, 'human verdict', 'human verdicts'),
  ];
  return [
    `Wrote ${sums.join(', ')} to ${folder}, one folder per deck.`,
    ...failed.map(({ deckId, fileName, reason }) => `Not complete: ${clean(fileName)} (${deckId}): ${clean(reason)}`),
  ].join('\n');
}

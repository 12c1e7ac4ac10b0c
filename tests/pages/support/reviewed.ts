/** Small reviewed decks for tests of pages, of which two can be versions of one company's deck. */
import { mkdtemp, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Language } from '../../../domain/models/model-tasks.ts';
import { drawPlainDeck, plainSlides, type PlainSlide } from '../../../testing/plain-deck.ts';
import type { Workspace } from './workspace.ts';

/** A deck with its newest review. */
export interface Reviewed {
  readonly deckId: string;
  readonly analysisId: string;
}

/** Uploads slides as a PDF, and waits for the end of its review. */
export async function reviewSlides(
  { rig, client }: Workspace,
  fileName: string,
  slides: readonly PlainSlide[],
): Promise<Reviewed> {
  const file = path.join(await mkdtemp(path.join(rig.config.home, 'pages-')), fileName);
  await writeFile(file, await drawPlainDeck(slides));
  const { id: deckId } = await client.uploadDeck(file);
  return reviewAgain({ client }, deckId);
}

/** Reviews a deck once more. */
export async function reviewAgain(
  { client }: Pick<Workspace, 'client'>,
  deckId: string,
  language: Language = 'en',
): Promise<Reviewed> {
  const { analysisId } = await client.startAnalysis(deckId, { models: 'reader', language });
  for await (const event of client.events(analysisId)) if (event.type === 'finished') break;
  return { deckId, analysisId };
}

/** What the second version says in other words than the first. */
const LATER: readonly (readonly [string, string])[] = [
  ['March 2026', 'September 2026'],
  ['14 hospitals', '31 hospitals'],
  ['4.5 million euros', '6.5 million euros'],
];

/** The slides of a company's deck half a year later: other figures, and one slide more. */
export const laterSlides = (company: string): PlainSlide[] => [
  ...plainSlides(company).map(({ title, lines }) => ({
    title,
    lines: lines.map((line) => LATER.reduce((text, [from, to]) => text.replace(from, to), line)),
  })),
  { title: 'Competition', lines: ['Our sales cycle is five months from the first visit to the first order.'] },
];

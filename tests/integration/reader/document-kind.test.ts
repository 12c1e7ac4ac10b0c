/** Documents that are no pitch decks, as their pages are read from a PDF. */
import { expect, it } from 'vitest';
import { deckBlock } from '../../../domain/models/prompt-assembly.ts';
import { textOfPages } from '../../../domain/pages/deck-pages.ts';
import { documentKindOf } from '../../../reader/document-kind.ts';
import { readPrompt } from '../../../reader/prompt.ts';
import { drawPlainDeck, plainSlides, type PlainSlide } from '../../../testing/plain-deck.ts';
import { layoutsOf } from '../../../testing/read-pdf.ts';

const ROOM = '_'.repeat(40);
const FORM: readonly PlainSlide[] = [
  {
    title: 'Hillside Seed Programme',
    lines: [
      'Please complete all sections in block capitals.',
      `Name of applicant: ${ROOM}`,
      `Postal address: ${ROOM}`,
      '1. Describe the need of your customers. (max. 150 words) [10 points]',
      ROOM,
      '2. What do you sell, and at which price? [10 points]',
      ROOM,
      'Signature: ________ Date: ________',
    ],
  },
];
const PROGRAMME: readonly PlainSlide[] = [
  {
    title: 'Gründertag Mittelhessen',
    lines: [
      '09:00 Uhr Einlass',
      '09:30 Uhr Begrüßung durch die Kammer',
      '10:00 Uhr Vortrag: Von der Idee zum Kunden',
      '11:00 Uhr Kaffeepause',
      '12:30 Uhr Mittagessen',
      'Veranstaltungsort: Stadthalle',
      'Anmeldung bis 1. Oktober',
    ],
  },
];

it.each([
  ['form', FORM],
  ['event_programme', PROGRAMME],
  [undefined, plainSlides('Planwerk')],
  // A pitch deck with such a page.
  [undefined, [...plainSlides('Planwerk'), ...PROGRAMME]],
  [undefined, [...plainSlides('Planwerk'), ...FORM]],
])('a document is known as %s: case %#', async (kind, slides) => {
  const layouts = await layoutsOf(await drawPlainDeck(slides));
  const { pages, running } = textOfPages(layouts.map((layout, index) => ({ number: index + 1, layout })));
  const block = deckBlock(
    pages.map((page) => ({ ...page, description: null })),
    running,
  );
  expect(documentKindOf(readPrompt([{ role: 'user', content: block }]).slides)?.kind).toBe(kind);
});

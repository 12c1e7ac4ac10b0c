/**
 * The decks that are committed in `samples/`, made afresh: name, PDF and truth.
 */
import { drawDeck, truthOf } from './deck-pdf.ts';
import { cardiosense } from './decks/cardiosense.ts';
import { dermaline } from './decks/dermaline.ts';
import { lumbalis } from './decks/lumbalis.ts';
import { quayline } from './decks/quayline.ts';
import { scanOf } from './scan.ts';
import type { DeckSpec } from './spec.ts';
import { asVisionOnly, type DeckTruth } from '../../domain/evaluation/deck-truth.ts';

/** One committed sample. */
export interface CommittedSample {
  /** File name without its extension. */
  readonly name: string;
  readonly pdf: Uint8Array;
  readonly truth: DeckTruth;
  /** The truth as its file holds it. */
  readonly truthJson: string;
}

const VECTOR_DECKS: readonly (readonly [name: string, deck: DeckSpec])[] = [
  ['cardiosense', cardiosense],
  ['lumbalis', lumbalis],
  ['quayline', quayline],
];

/** Makes every committed sample. Takes some seconds for the scanned one. */
export async function committedSamples(): Promise<CommittedSample[]> {
  const samples: CommittedSample[] = [];
  const add = (name: string, pdf: Uint8Array, truth: DeckTruth): void => {
    samples.push({ name, pdf, truth, truthJson: `${JSON.stringify(truth, null, 2)}\n` });
  };
  for (const [name, deck] of VECTOR_DECKS) add(name, await drawDeck(deck, { compress: false }), truthOf(deck));
  const printed = await drawDeck(dermaline, { compress: false });
  const scan = await scanOf(printed, { title: dermaline.metadataTitle, createdAt: dermaline.createdAt });
  add('dermaline-scan', scan, asVisionOnly(truthOf(dermaline)));
  return samples;
}

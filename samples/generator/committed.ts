/**
 * The decks that are committed in `samples/`, made afresh: name, PDF and truth.
 */
import { drawDeck, truthOf } from './deck-pdf.ts';
import { cardiosense } from './decks/cardiosense.ts';
import type { DeckSpec } from './spec.ts';
import type { DeckTruth } from './truth.ts';

/** One committed sample. */
export interface CommittedSample {
  /** File name without its extension. */
  readonly name: string;
  readonly pdf: Uint8Array;
  readonly truth: DeckTruth;
  /** The truth as its file holds it. */
  readonly truthJson: string;
}

const VECTOR_DECKS: readonly (readonly [name: string, deck: DeckSpec])[] = [['cardiosense', cardiosense]];

/** Makes every committed sample. Takes some seconds for the scanned one. */
export async function committedSamples(): Promise<CommittedSample[]> {
  const samples: CommittedSample[] = [];
  for (const [name, deck] of VECTOR_DECKS) {
    const truth = truthOf(deck);
    samples.push({ name, pdf: await drawDeck(deck, { compress: false }), truth, truthJson: asJson(truth) });
  }
  return samples;
}

function asJson(truth: DeckTruth): string {
  return `${JSON.stringify(truth, null, 2)}\n`;
}

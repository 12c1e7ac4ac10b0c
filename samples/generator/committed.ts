/**
 * The decks that are committed in `samples/`, all of invented companies, made afresh: name, PDF and truth.
 */
import { drawWithTruth } from './deck-pdf.ts';
import cardiosenseFile from './decks/cardiosense.json' with { type: 'json' };
import dermalineFile from './decks/dermaline.json' with { type: 'json' };
import lumbalisFile from './decks/lumbalis.json' with { type: 'json' };
import quaylineFile from './decks/quayline.json' with { type: 'json' };
import { scanOf } from './scan.ts';
import { deckSchema } from './spec.ts';
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

/**
 * A diagnostics device in English with charts and tables. A strong deck that still leaves some questions open: it says nothing about customer
 * churn, about how sales fluctuate, or about skills the team lacks.
 */
export const cardiosense = deckSchema.parse(cardiosenseFile);

/**
 * A digital therapeutic in German. Clinical and regulatory matters are strong; unit economics, the sales cycle and churn are thin or missing,
 * and the burn is given per year only.
 */
export const lumbalis = deckSchema.parse(lumbalisFile);

/**
 * Logistics software, nothing to do with health, in English. Sales and unit economics are strong; customer satisfaction and gaps in the team
 * are not mentioned, and hiring stays vague.
 */
export const quayline = deckSchema.parse(quaylineFile);

/** Teledermatology in the United Kingdom, the deck that is only sent as a scan. Short and honest about what is missing. */
const dermaline = deckSchema.parse(dermalineFile);

/** Makes every committed sample. Takes some seconds for the scanned one. */
export async function committedSamples(): Promise<CommittedSample[]> {
  const samples: CommittedSample[] = [];
  const add = (name: string, pdf: Uint8Array, truth: DeckTruth): void => {
    samples.push({ name, pdf, truth, truthJson: `${JSON.stringify(truth, null, 2)}\n` });
  };
  for (const [name, deck] of Object.entries({ cardiosense, lumbalis, quayline })) {
    const { pdf, truth } = await drawWithTruth(deck, { compress: false });
    add(name, pdf, truth);
  }
  const printed = await drawWithTruth(dermaline, { compress: false });
  const scan = await scanOf(printed.pdf, { title: dermaline.metadataTitle, createdAt: dermaline.createdAt });
  add('dermaline-scan', scan, asVisionOnly(printed.truth));
  return samples;
}

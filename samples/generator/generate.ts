/**
 * Makes decks from seeds: realistic, each with another company, wording, order, look and number format, and with its truth.
 *
 * Facts are worded in many ways and stand at different places; earlier rounds, market sizes, founding years and milestones are there to be
 * mistaken for the ask and the date. What a deck does not say is null in its truth.
 */
import { drawDeck, truthOf } from './deck-pdf.ts';
import { randomTheme } from './seeded/looks.ts';
import type { SlideSubject } from './seeded/phrases.ts';
import { slidesAbout } from './seeded/slides.ts';
import { capital, pitchOf, type Pitch } from './seeded/pitch.ts';
import type { Block, DeckSpec, SlideSpec } from './spec.ts';
import type { DeckTruth, FactPlace } from './truth.ts';

/** A deck with its truth. */
export interface GeneratedDeck {
  readonly pdf: Uint8Array;
  readonly truth: DeckTruth;
}

const ORDERS: readonly (readonly SlideSubject[])[] = [
  [
    'problem',
    'solution',
    'proof',
    'market',
    'competition',
    'traction',
    'customers',
    'model',
    'financials',
    'team',
    'roadmap',
    'ask',
  ],
  [
    'problem',
    'market',
    'solution',
    'model',
    'traction',
    'customers',
    'competition',
    'proof',
    'team',
    'financials',
    'ask',
    'roadmap',
  ],
  [
    'team',
    'problem',
    'solution',
    'competition',
    'proof',
    'traction',
    'model',
    'customers',
    'market',
    'roadmap',
    'financials',
    'ask',
  ],
  [
    'solution',
    'problem',
    'proof',
    'competition',
    'market',
    'customers',
    'traction',
    'model',
    'ask',
    'financials',
    'roadmap',
    'team',
  ],
];

function coverOf(pitch: Pitch): SlideSpec {
  const { random, phrases, venture, company, legal } = pitch;
  const tagline = random.pick(phrases.taglines);
  const occasion = random.pick(phrases.occasions);
  const offer = pitch.offerAt === 'cover' ? capital(venture.offering) : tagline;
  const lines: string[] = [];
  if (pitch.date !== null && pitch.dateAt === 'cover') {
    const { text } = pitch.date;
    lines.push(
      ...random.pick([
        [occasion, text],
        [`${occasion}, ${text}`],
        [`${pitch.city}, ${text}`],
        [`${occasion} | ${text}`],
      ]),
    );
  } else lines.push(occasion);
  if (pitch.nameAt === 'title') return { kind: 'cover', title: company, subtitle: offer, lines };
  const title = pitch.offerAt === 'cover' ? tagline : occasion;
  if (pitch.nameAt === 'subtitle') {
    return pitch.offerAt === 'cover'
      ? { kind: 'cover', title, subtitle: offer, lines: [legal, ...lines] }
      : { kind: 'cover', title, subtitle: legal, lines: [tagline, ...lines.filter((line) => line !== title)] };
  }
  return {
    kind: 'cover',
    title: tagline,
    subtitle: pitch.offerAt === 'cover' ? offer : occasion,
    lines: lines.filter((line) => line !== occasion),
  };
}

function closingOf(pitch: Pitch): SlideSpec {
  const mail = `${pitch.company.toLowerCase().replace(/[^a-z]/g, '')}.example`;
  const lines = [pitch.random.pick([pitch.legal, `${pitch.legal}, ${pitch.city}`]), `hello@${mail}`];
  if (pitch.date !== null && pitch.dateAt === 'closing') lines.push(pitch.date.text);
  return { kind: 'statement', text: pitch.random.pick(pitch.phrases.closings), lines };
}

function footerOf(pitch: Pitch): string {
  const { words } = pitch.phrases;
  const name = pitch.random.pick([pitch.company, pitch.legal]);
  if (pitch.date !== null && pitch.dateAt === 'footer') return `${name} | ${pitch.date.text}`;
  return pitch.random.pick([name, `${name} · ${words.confidential}`, `${pitch.legal}, ${pitch.city}`]);
}

/** The first slide whose words hold the text. */
function placeOf(slides: readonly SlideSpec[], footer: string, text: string): FactPlace {
  const index = slides.findIndex((slide) => slideWords(slide, footer).includes(text));
  if (index < 0) throw new RangeError(`no slide says: ${text}`);
  return { slide: index + 1, text };
}

/** The offering with the first letter as it stands on the slide. */
function offeringPlace(slides: readonly SlideSpec[], footer: string, offering: string): FactPlace {
  const lower = slides.some((slide) => slideWords(slide, footer).includes(offering));
  return placeOf(slides, footer, lower ? offering : capital(offering));
}

/** The deck of a seed as data. */
export function deckOf(seed: number): DeckSpec {
  const pitch = pitchOf(seed);
  const theme = randomTheme(pitch.random);
  const footer = footerOf(pitch);
  const middle = pitch.random.pick(ORDERS).flatMap((subject) => slidesAbout(pitch, subject));
  const slides = [coverOf(pitch), ...middle, closingOf(pitch)];
  return {
    language: pitch.language,
    theme,
    footer,
    metadataTitle: pitch.random.pick(['Presentation', 'deck_final_v7', 'Pitch', `Pitch Deck ${pitch.year}`]),
    createdAt: new Date(Date.UTC(pitch.year, 0, 1)),
    slides,
    sector: pitch.venture.sector,
    facts: {
      company: pitch.company,
      offering: pitch.venture.offering,
      amount: pitch.ask?.amount ?? null,
      currency: pitch.ask === null ? null : pitch.currency,
      date: pitch.date?.date ?? null,
      datePrecision: pitch.date?.datePrecision ?? null,
      places: {
        company: placeOf(slides, footer, pitch.company),
        offering: offeringPlace(slides, footer, pitch.venture.offering),
        amount: pitch.ask === null ? null : placeOf(slides, footer, pitch.ask.text),
        date: pitch.date === null ? null : placeOf(slides, footer, pitch.date.text),
      },
    },
  };
}

/** Makes the deck of a seed. Equal seeds give equal bytes and truths; seeds below 240 give different companies within a language. */
export async function generateDeck({ seed }: { readonly seed: number }): Promise<GeneratedDeck> {
  const deck = deckOf(seed);
  return { pdf: await drawDeck(deck, { compress: true }), truth: truthOf(deck) };
}

function blockWords(block: Block): string[] {
  switch (block.type) {
    case 'paragraph':
    case 'heading':
    case 'callout':
    case 'note':
      return [block.text];
    case 'bullets':
      return [...block.items];
    case 'stats':
      return block.items.flatMap((item) => [item.value, item.label]);
    case 'cards':
      return block.items.flatMap((item) => [item.title, item.text]);
    case 'people':
      return block.items.flatMap((item) => [item.name, item.role, item.text]);
    case 'timeline':
      return block.items.flatMap((item) => [item.when, item.what]);
    case 'quote':
      return [block.text, block.by];
    case 'table':
      return [block.head, ...block.rows].flat();
    case 'bars':
    case 'lines':
      return [block.title, ...block.categories, ...block.series.map((one) => one.name)];
    case 'donut':
      return [block.title, ...block.points.map((point) => point.label)];
  }
}

/** All words of a slide, one statement per line, the footer last on slides that have one. */
function slideWords(slide: SlideSpec, footer: string): string {
  switch (slide.kind) {
    case 'cover':
      return [slide.title, slide.subtitle, ...slide.lines].join('\n');
    case 'statement':
      return [slide.kicker ?? '', slide.text, ...slide.lines].join('\n');
    case 'content':
      return [slide.title, ...slide.columns.flat().flatMap(blockWords), footer].join('\n');
  }
}

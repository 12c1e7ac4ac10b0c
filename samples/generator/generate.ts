/**
 * Makes decks from seeds: realistic, each with another company, wording, order, look and number format, and with its truth.
 *
 * Facts are worded in many ways and stand at different places; earlier rounds, market sizes, founding years and milestones are there to be
 * mistaken for the ask and the date. What a deck does not say is null in its truth.
 */
import { z } from 'zod';
import { drawWithTruth } from './deck-pdf.ts';
import { EXPORTERS, type Exporter } from './exporters.ts';
import { withoutCharacterMap, withShiftedCharacterMap, withWrongXref } from './file-faults.ts';
import { randomFrom, type Random } from './random.ts';
import { foreignDeck } from './seeded/foreign.ts';
import { laidOut } from './seeded/layouts.ts';
import { randomTheme } from './seeded/looks.ts';
import { slideSubject } from './seeded/phrases.ts';
import { slidesOf } from './seeded/topics/slides.ts';
import { capital, pitchOf, type Pitch } from './seeded/pitch.ts';
import { templateDeck } from './seeded/template.ts';
import { offeringPlace, placeOf } from './places.ts';
import type { DeckSpec, Drawing, SlideSpec, Theme } from './spec.ts';
import type { DrawnMockUp } from './topics.ts';
import { type Trait, traitsOf } from './traits.ts';
import type { DeckTruth } from '../../domain/evaluation/deck-truth.ts';

/** A deck with its truth. */
export interface GeneratedDeck {
  readonly pdf: Uint8Array;
  readonly truth: DeckTruth;
  /** What it has of real decks. */
  readonly traits: readonly Trait[];
  /** Screens whose words are no statements of the deck. */
  readonly mockUps: readonly DrawnMockUp[];
}

const ORDERS = [
  'problem solution proof market competition traction customers model financials team roadmap ask',
  'problem market solution model traction customers competition proof team financials ask roadmap',
  'team problem solution competition proof traction model customers market roadmap financials ask',
  'solution problem proof competition market customers traction model ask financials roadmap team',
].map((order) => z.array(slideSubject).parse(order.split(' ')));

/** How the cover may name the occasion. A deck that names its stage says it once. */
function occasionsOf({ phrases, traits }: Pitch): readonly string[] {
  return traits.has('stage_line') ? phrases.occasions.filter((words) => !/seed/iu.test(words)) : phrases.occasions;
}

function coverOf(pitch: Pitch): SlideSpec {
  const { random, phrases, venture, company, legal } = pitch;
  const tagline = random.pick(phrases.taglines);
  const occasion = random.pick(occasionsOf(pitch));
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
  if (pitch.ask !== null && pitch.traits.has('ask_on_cover')) lines.push(pitch.say(random.pick(phrases.shortAsks)));
  if (pitch.nameAt === 'title') return { kind: 'cover', title: company, subtitle: offer, lines };
  if (pitch.nameAt === 'picture')
    return { kind: 'cover', title: company, titleAsPicture: true, subtitle: offer, lines };
  const title = pitch.offerAt === 'cover' ? tagline : occasion;
  if (pitch.nameAt === 'logo') {
    const drawnAs = random.pick(['picture', 'outlines'] as const);
    const logo = { words: company, drawnAs, isCentred: random.chance(0.5) };
    const subtitle = pitch.offerAt === 'cover' ? offer : tagline;
    return { kind: 'cover', logo, title, subtitle, lines: lines.filter((line) => line !== title) };
  }
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
  const lines = ((): string[] => {
    if (pitch.nameAt === 'domain') return [`hello@${pitch.domain}`, `www.${pitch.domain}`];
    if (pitch.nameAt === 'picture') return [pitch.city];
    return [pitch.random.pick([pitch.legal, `${pitch.legal}, ${pitch.city}`]), `hello@${mail}`];
  })();
  if (pitch.date !== null && pitch.dateAt === 'closing') lines.push(pitch.date.text);
  return { kind: 'statement', text: pitch.random.pick(pitch.phrases.closings), lines };
}

function footerOf(pitch: Pitch): string {
  const { words } = pitch.phrases;
  const name = ((): string => {
    if (pitch.nameAt === 'domain') return `www.${pitch.domain}`;
    if (pitch.nameAt === 'picture') return words.confidential;
    return pitch.random.pick([pitch.company, pitch.legal]);
  })();
  const isRunning = pitch.traits.has('running_footer');
  if (isRunning || pitch.traits.has('ask_in_footer')) {
    const parts = [
      isRunning ? `© ${name}` : name,
      pitch.dateAt === 'footer' ? (pitch.date?.text ?? '') : '',
      pitch.traits.has('ask_in_footer') ? pitch.say(pitch.random.pick(pitch.phrases.shortAsks)) : '',
      isRunning ? pitch.random.pick(pitch.phrases.rights) : '',
    ];
    return parts.filter((part) => part !== '').join(pitch.random.pick([' · ', ' | ', '  ']));
  }
  if (pitch.date !== null && pitch.dateAt === 'footer') return `${name} | ${pitch.date.text}`;
  if (pitch.nameAt === 'domain' || pitch.nameAt === 'picture') return name;
  return pitch.random.pick([name, `${name} · ${words.confidential}`, `${pitch.legal}, ${pitch.city}`]);
}

/** Fonts that are embedded: the standard ones have neither outlines nor a character map to lose. */
const EMBEDDED = ['dejavu', 'dejavu-condensed', 'dejavu-serif'] as const;

function drawingOf(traits: ReadonlySet<Trait>, random: Random): Drawing {
  const exporter = (Object.keys(EXPORTERS) as Exporter[]).find((name) => traits.has(`export_${name}`)) ?? null;
  return {
    exporter,
    headings: traits.has('letter_spaced_headings') ? random.pick(['blanks', 'spaced']) : 'plain',
    turn: traits.has('rotated_pages') ? random.pick([90, 270]) : 0,
    outlines: traits.has('text_as_paths'),
  };
}

/** How the deck is drawn, for traits that change no word of it. */
function drawnWith(deck: DeckSpec, traits: ReadonlySet<Trait>, random: Random): DeckSpec {
  const unreadable = traits.has('text_as_paths') || traits.has('broken_character_map');
  const isEmbedded = unreadable || traits.has('name_only_in_picture') || traits.has('white_logo');
  const theme: Theme = isEmbedded ? { ...deck.theme, font: random.pick(EMBEDDED) } : deck.theme;
  return {
    ...deck,
    theme,
    drawing: drawingOf(traits, random),
    ...(traits.has('blank_last_page') ? { blankLastPage: true } : {}),
    ...(unreadable
      ? { onlyInPictures: 'everything' }
      : traits.has('name_only_in_picture')
        ? { onlyInPictures: 'name' }
        : {}),
  };
}

/** The deck of a seed with some traits as data. */
export function deckOf(seed: number, wanted: readonly Trait[] = []): DeckSpec {
  const traits = new Set(wanted);
  const random = randomFrom(`drawing/${seed}`);
  const deck = traits.has('other_language')
    ? foreignDeck(seed)
    : traits.has('template')
      ? templateDeck(seed)
      : pitchDeck(seed, traits);
  return traits.size === 0 ? deck : drawnWith(deck, traits, random);
}

function pitchDeck(seed: number, traits: ReadonlySet<Trait>): DeckSpec {
  const pitch = pitchOf(seed, traits);
  const theme = randomTheme(pitch.random);
  const footer = footerOf(pitch);
  const middle = pitch.random.pick(ORDERS).flatMap((subject) => slidesOf(pitch, subject));
  const written = laidOut([coverOf(pitch), ...middle, closingOf(pitch)], traits, pitch.phrases, pitch.random);
  const slides = withAskAnswered(written, traits);
  return {
    language: pitch.language,
    theme,
    footer,
    ...(traits.has('running_footer') && pitch.nameAt === 'title' ? { header: pitch.company } : {}),
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
        company: placeOf(slides, footer, pitch.nameAt === 'domain' ? pitch.domain : pitch.company),
        offering: offeringPlace(slides, footer, pitch.venture.offering),
        amount: pitch.ask === null ? null : placeOf(slides, footer, pitch.ask.text),
        date: pitch.date === null ? null : placeOf(slides, footer, pitch.date.text),
      },
    },
  };
}

/** Where the sum stands on the cover or in the footer, this slide answers the question for it. */
function withAskAnswered(slides: readonly SlideSpec[], traits: ReadonlySet<Trait>): SlideSpec[] {
  const at = traits.has('ask_on_cover')
    ? 0
    : traits.has('ask_in_footer')
      ? slides.findIndex(({ kind }) => kind === 'content')
      : -1;
  return slides.map((slide, index) =>
    index === at ? { ...slide, answers: [...(slide.answers ?? []), 'funding_requirements'] } : slide,
  );
}

/**
 * Makes the deck of a seed, with traits of real decks: those that the seed draws, or the named ones; `[]` for a plain deck. Equal seeds give
 * equal bytes and truths; seeds below 240 give different companies within a language.
 */
export async function generateDeck({
  seed,
  traits = traitsOf(seed),
}: {
  readonly seed: number;
  readonly traits?: readonly Trait[];
}): Promise<GeneratedDeck> {
  const deck = deckOf(seed, traits);
  const random = randomFrom(`faults/${seed}`);
  const isBroken = traits.includes('broken_character_map');
  const { truth, mockUps, ...drawn } = await drawWithTruth(deck, { compress: !isBroken });
  let { pdf } = drawn;
  if (isBroken) pdf = random.chance(0.5) ? withoutCharacterMap(pdf) : withShiftedCharacterMap(pdf, random.int(5, 40));
  if (traits.includes('wrong_xref')) pdf = withWrongXref(pdf, random.int(3, 90));
  return { pdf, truth, traits, mockUps };
}

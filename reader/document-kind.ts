/**
 * Tells documents that are no pitch decks: a form that is to be filled in, an invoice, a thesis, a canvas of a business model, the programme
 * of an event, a template. A pitch deck may hold a page of each, so the whole document has to be one.
 */
import { oncePerDeck } from './once-per-deck.ts';
import { isOnly, phrases } from './phrases.ts';
import type { ReadSlide } from './prompt.ts';
import { isWorded, namedBy } from './subjects.ts';
import type { Subject } from './subject.ts';
import { cutQuote, type TextUnit } from './text.ts';
import { asTemplate, type Page, type Shown } from './template-deck.ts';
import { distinctMatches, either, has } from './words.ts';

/** Kinds of documents that are no pitch decks; a template says what an author should write. */
export type DocumentKind = 'form' | 'invoice' | 'thesis' | 'lean_canvas' | 'event_programme' | 'template';

/** A kind, and words of one slide that show it. */
export interface KnownDocument {
  readonly kind: DocumentKind;
  /** Number of the slide. */
  readonly slide: number;
  /** Verbatim, of one unit of that slide. */
  readonly quote: string;
}

/** Rules in the order in which they are asked; each gives the page and the unit that show it. */
const RULES: readonly { readonly kind: DocumentKind; readonly find: (pages: readonly Page[]) => Shown | null }[] = [
  { kind: 'invoice', find: asInvoice },
  { kind: 'thesis', find: asThesis },
  { kind: 'lean_canvas', find: asCanvas },
  { kind: 'event_programme', find: asProgramme },
  { kind: 'form', find: asForm },
  { kind: 'template', find: asTemplate },
];

const findKind = oncePerDeck(({ slides }: { readonly slides: readonly ReadSlide[] }): KnownDocument | null => {
  const pages = slides
    .map((slide) => ({ slide, units: slide.units.filter((unit) => /\p{L}{2}/u.test(unit.text)) }))
    .filter(({ units }) => units.length > 0);
  // A template and a form that names itself may have the headlines of a pitch.
  const isHeadedAsPitch = isPitch(pages);
  for (const { kind, find } of RULES) {
    const shown =
      isHeadedAsPitch && kind !== 'template' && !(kind === 'form' && isNamedForm(pages)) ? null : find(pages);
    if (shown !== null) return { kind, slide: shown.page.slide.number, quote: cutQuote(shown.unit.text) };
  }
  return null;
});

/** The kind of a document that is no pitch deck, with the words that show it; null for a pitch deck and for what is not known. */
export const documentKindOf = (slides: readonly ReadSlide[]): KnownDocument | null => findKind({ slides });

/** Kinds whose words are no statements of a company; a thesis and a canvas do state something. */
const STATES_NOTHING: ReadonlySet<DocumentKind> = new Set<DocumentKind>([
  'form',
  'invoice',
  'event_programme',
  'template',
]);

/** True for a document that answers no question on a company. */
export function statesNothing(slides: readonly ReadSlide[]): boolean {
  const known = documentKindOf(slides);
  return known !== null && STATES_NOTHING.has(known.kind);
}

/** Subjects by which pages of a pitch deck are headed; a document of another kind has a few of them. */
const PITCHED: ReadonlySet<Subject> = new Set<Subject>([
  'problem',
  'solution',
  'market',
  'competition',
  'model',
  'pricing',
  'traction',
  'financials',
  'ask',
  'funds',
  'team',
  'roadmap',
]);
const LEAST_PITCHED = 4;

/** True where the headlines of several pages name different subjects of a pitch. */
function isPitch(pages: readonly Page[]): boolean {
  const headed = pages.flatMap(({ slide }) => namedBy(slide.title).find((subject) => PITCHED.has(subject)) ?? []);
  return new Set(headed).size >= LEAST_PITCHED;
}

/** How many of these lists have a phrase on the page, and the shortest unit with one of the first list that has any. */
function kindsOn(
  page: Page,
  lists: readonly RegExp[],
): { readonly count: number; readonly unit: TextUnit | undefined } {
  const met = lists
    .map((list) => page.units.filter((unit) => has(unit.text, list)))
    .filter((units) => units.length > 0);
  return { count: met.length, unit: met[0]?.toSorted((a, b) => a.text.length - b.text.length)[0] };
}

const INVOICE = phrases('invoice');
const INVOICE_LISTS = [
  phrases('invoice number'),
  phrases('invoice due'),
  phrases('invoice bank'),
  phrases('invoice tax'),
  phrases('invoice items'),
  phrases('invoice totals'),
  phrases('invoice parties'),
];
/** How many of them are enough on the pages of an invoice, and on the first page of a longer document. */
const [LEAST_OF_INVOICE, MOST_OF_INVOICE, INVOICE_PAGES] = [4, 5, 3];

/** An invoice says so on its first page, with its number and most of what the law asks for; the pages behind go on with items. */
function asInvoice(pages: readonly Page[]): Shown | null {
  const [page] = pages;
  if (page === undefined || !page.units.some((unit) => has(unit.text, INVOICE))) return null;
  const { count, unit } = kindsOn(page, INVOICE_LISTS);
  const least = pages.length <= INVOICE_PAGES ? LEAST_OF_INVOICE : MOST_OF_INVOICE;
  return count < least || unit === undefined ? null : { page, unit };
}

const [THESIS, SUPERVISED, SUBMITTED, THESIS_PARTS] = [
  phrases('thesis'),
  phrases('thesis supervised'),
  phrases('thesis submitted'),
  phrases('thesis parts'),
];
const LEAST_PARTS = 2;

/** A thesis names itself, who supervised it and what it was submitted for on its first page, or, behind a cover too, and has the parts of one. */
function asThesis(pages: readonly Page[]): Shown | null {
  const headlines = pages.flatMap(({ units }) => units.filter((unit) => unit.heading || unit.words <= MOST_OF_PART));
  const parts = distinctMatches(headlines.map(({ text }) => text).join('\n'), THESIS_PARTS).size >= LEAST_PARTS;
  for (const [at, page] of pages.slice(0, 2).entries()) {
    const unit = page.units.find(({ text }) => has(text, THESIS));
    const words = page.units.map(({ text }) => text).join('\n');
    const signs = [has(words, SUPERVISED), has(words, SUBMITTED), parts].filter(Boolean).length;
    if (unit !== undefined && signs >= 2 && (at === 0 || parts)) return { page, unit };
  }
  return null;
}
/** Most words of the headline of a part. */
const MOST_OF_PART = 4;

const [CANVAS, ONLY_CANVAS] = [phrases('canvas'), phrases('only canvas')];
const [LEAST_BLOCKS, LEAST_OF_CANVAS, MOST_CANVAS_PAGES] = [7, 3, 2];
/** Pages beside the canvas: a cover, a note. */
const MOST_BESIDE = 2;

/** A canvas has the titles of its nine blocks on one or two pages, and there is little else. */
function asCanvas(pages: readonly Page[]): Shown | null {
  const titled = pages
    .map((page) => ({ page, titles: page.units.filter(isBlockTitle) }))
    .filter(({ titles }) => titles.length >= LEAST_OF_CANVAS);
  if (titled.length === 0 || titled.length > MOST_CANVAS_PAGES || pages.length - titled.length > MOST_BESIDE)
    return null;
  const all = titled.flatMap(({ page, titles }) => titles.map((unit) => ({ page, unit })));
  const words = all.map(({ unit }) => unit.text).join('\n');
  const own = all.find(({ unit }) => has(unit.text, ONLY_CANVAS));
  const enough =
    distinctMatches(words, CANVAS).size >= LEAST_BLOCKS && distinctMatches(words, ONLY_CANVAS).size >= LEAST_OF_CANVAS;
  return enough && own !== undefined ? own : null;
}

/** True for the titles of blocks and nothing beside them, or one before a colon. */
const isBlockTitle = ({ text }: TextUnit): boolean =>
  isOnly(text.replace(/:\s.*$/u, '').replaceAll(/\d/gu, ''), 'canvas');

/** A time of day, alone or the first of two: "09:30", "9.30 Uhr", "2 pm". */
const CLOCK =
  /(?<![\d.,:])(?:[01]?\d|2[0-3])(?::[0-5]\d|[.h][0-5]\d(?=\s?(?:Uhr|[ap]\.?m|[-–—]\s?\d|h(?!\p{L})))|(?=\s?(?:[ap]\.?m\.?|Uhr)(?!\p{L})))/giu;
const EVENT_LISTS = [
  phrases('event registration'),
  phrases('event place'),
  phrases('event people'),
  phrases('event breaks'),
  phrases('event'),
];
const [LEAST_TIMES, LEAST_OF_EVENT, MOST_OF_EVENT] = [4, 3, 4];
/** Share of the pages that speak of the event, where its name stands on the first. */
const EVENT_SHARE = 0.6;

/** A programme has items with times of day, places, speakers, breaks, all through. */
function asProgramme(pages: readonly Page[]): Shown | null {
  const timed = pages.flatMap((page) =>
    page.units.filter((unit) => has(unit.text, CLOCK)).map((unit) => ({ page, unit })),
  );
  const times = timed.flatMap(({ unit }) => unit.text.match(CLOCK) ?? []);
  const counts = pages.map((page) => kindsOn(page, EVENT_LISTS).count + (timed.some((at) => at.page === page) ? 1 : 0));
  const kinds = EVENT_LISTS.filter((list) => pages.some(({ units }) => units.some((unit) => has(unit.text, list))));
  const named = pages[0]?.units.some((unit) => has(unit.text, phrases('event'))) === true;
  const throughout =
    kinds.length >= MOST_OF_EVENT && named && counts.filter((count) => count > 0).length >= pages.length * EVENT_SHARE;
  const isProgramme =
    new Set(times).size >= LEAST_TIMES &&
    kinds.length >= LEAST_OF_EVENT &&
    (throughout || counts.filter((count) => count > 2).length * 2 >= pages.length);
  return isProgramme ? (timed.find(({ unit }) => unit.words > 1) ?? timed[0] ?? null) : null;
}

const FORM = phrases('form');
const RUBRIC = phrases('rubric');
const ASKED = phrases('asks an applicant');
/** Room for an answer: a line, boxes, a label with nothing behind it. */
const FIELD = either(
  String.raw`_{3,}|\.{6,}|…{2,}|[☐□❏❑◻▢⬜]|\[\s{0,3}\](?!\()|\(\s{1,4}\)`,
  String.raw`^(?=.{2,60}$)\p{L}[^.!?]*:$`,
);
/** The words that were filled in behind a label. */
const VALUE = /:\s*[\p{L}\p{N}]/u;
/** A question or a task with its number. */
const NUMBERED =
  /^\s*(?:(?:question|frage|q|part|teil|section|abschnitt)\s?)?\(?(?:[a-h]?\d{1,2}(?:\.\d{1,2})*|[a-h])[.):]?\s+\p{L}/iu;
const [LEAST_SIGNS, FORM_SHARE] = [6, 0.4];
/** A form that names itself may be filled in for the most part, where it has so many signs of one. */
const [SIGNS_OF_NAMED, SHARE_OF_NAMED] = [12, 0.2];
const MOST_OF_NAME = 8;

/** True where the first page has the name of a form, as a line of its own. */
const isNamedForm = ([first]: readonly Page[]): boolean =>
  first?.units.some(({ text, words }) => words <= MOST_OF_NAME && has(text, phrases('form by name'))) === true;

/** A form asks, with numbers, points and room for answers, and states little. */
function asForm(pages: readonly Page[]): Shown | null {
  const units = pages.flatMap((page) => page.units.filter(isWorded).map((unit) => ({ page, unit })));
  const numbered = new Set(
    pages.flatMap(({ slide }) =>
      slide.lines.filter((line) => NUMBERED.test(line)).map((line) => line.replace(/^[\s\d.)(:]+/u, '')),
    ),
  );
  const signs = units.flatMap((at) => {
    const { text } = at.unit;
    const asks = text.endsWith('?') || has(text, ASKED);
    const kinds = [
      has(text, FIELD) ? 'field' : null,
      has(text, FORM) && !VALUE.test(text) ? 'form' : null,
      has(text, RUBRIC) ? 'rubric' : null,
      asks ? 'question' : null,
      asks && [...numbered].some((line) => line.startsWith(text.slice(0, 30))) ? 'numbered' : null,
    ].filter((kind) => kind !== null);
    return kinds.length > 0 ? [{ ...at, kinds }] : [];
  });
  const kinds = new Map(
    (['field', 'form', 'rubric', 'question', 'numbered'] as const).map((kind) => [
      kind,
      signs.filter((sign) => sign.kinds.includes(kind)).length,
    ]),
  );
  const several = [...kinds].filter(([, count]) => count >= 2).map(([kind]) => kind);
  const room = (kinds.get('field') ?? 0) + (kinds.get('rubric') ?? 0) + (kinds.get('numbered') ?? 0);
  const pagesWith = new Set(signs.map(({ page }) => page)).size;
  const isForm =
    signs.length >= LEAST_SIGNS &&
    (signs.length >= units.length * FORM_SHARE ||
      (isNamedForm(pages) && signs.length >= SIGNS_OF_NAMED && signs.length >= units.length * SHARE_OF_NAMED)) &&
    several.length >= 2 &&
    room >= 3 &&
    pagesWith * 2 >= pages.length;
  return isForm ? (signs.find((sign) => sign.kinds.length > 1) ?? signs[0] ?? null) : null;
}

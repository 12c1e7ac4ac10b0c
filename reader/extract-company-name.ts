/**
 * Finds the name of the company that presents the deck. Several places speak for a name: lines that come back, the owner behind ©, legal
 * forms, the first slide, titles, sentences about "X is …", e-mail and web addresses. One place is not enough unless it is a certain one;
 * ordinary words and pieces of titles are no name.
 */
import type { ExtractValueOutput } from '../domain/models/result-schemas.ts';
import { ownAddresses, withoutAddresses } from '../domain/companies/addresses.ts';
import { headsIn } from './name-heads.ts';
import { NameVotes } from './name-votes.ts';
import {
  cleanName,
  isCoined,
  isNameLike,
  isShouted,
  keyOf,
  LEGAL_FORM,
  NAME_WORD,
  nameTokens,
  rareShare,
} from './names.ts';
import { NOT_STATED } from './extract-funding.ts';
import { oncePerDeck } from './once-per-deck.ts';
import type { ReadPrompt, ReadSlide } from './prompt.ts';
import { coverAt } from './subjects.ts';
import { documentKindOf } from './document-kind.ts';
import { countWords, MIN_QUOTE_WORDS, quoteOf, type TextUnit } from './text.ts';
import { phrases, sourceOf } from './phrases.ts';
import { has } from './words.ts';

/** Labels of a chart's axis, which run into the footer below it. */
const FORM_WORD = String.raw`(?!(?:Q[1-4]|(?:19|20)\d\d)\s)${NAME_WORD}`;
const WITH_FORM = new RegExp(
  String.raw`(?<![\p{L}\p{N}])(${FORM_WORD}(?:[ -]${FORM_WORD}){0,3}),?\s?(?:(?<=[\s,])${LEGAL_FORM})(?![\p{L}])`,
  'gu',
);
const COPYRIGHT = new RegExp(
  String.raw`(?:©|\(c\)|Copyright)\s*(?:by\s+)?(?:(?:19|20)\d\d(?:\s?[-–]\s?(?:19|20)?\d\d)?,?\s*)?(?:by\s+)?(${NAME_WORD}(?: ${NAME_WORD}){0,3})|(${NAME_WORD}(?: ${NAME_WORD}){0,2})\s+(?:©|\(c\))`,
  'gu',
);
const NAME = `${NAME_WORD}(?: (?:of |for |& )?${NAME_WORD}){0,3}`;
const DEFINES = sourceOf('verbs after a name');
const DEFINED = new RegExp(
  String.raw`(?:^|[.!?]\s)(?:(?:With|Mit|Enter|Meet|About|Über|Why|Warum) )?(${NAME})(?:,? (?:Inc\.?|GmbH|LLC|Ltd\.?))?(?: \([^)]*\))?\s(?:${DEFINES})(?![\p{L}])`,
  'gu',
);
const WE = new RegExp(
  String.raw`(?:At|Bei|With|Mit) (${NAME}),? (?:we|our|wir|unser\p{L}*)(?!\p{L})|(?:Introducing|Meet|Welcome to|Willkommen bei|Enter|What is|Was ist|What['’]s) (${NAME})(?=[?.!:]|$)|(${NAME})['’]s (?:mission|vision|team|goal|approach|platform|solution|customers)`,
  'gu',
);
const LABELLED =
  /(?:^|[\s(])(?:team ?name|name of (?:the |our )?(?:company|start-?up|team|project)|company(?: name)?|start-?up(?: name)?|project(?: name)?|firma|unternehmen|projektname|produktname)\s*(?:\([^)]*\))?\s*(?:[:–—]|\s-)\s*(.+)$/iu;
/** Slides about others: what they name is not the company. */
const OTHERS = phrases('titles about others');
const [MADE_WITH, PERSON] = [phrases('made with'), phrases('person')];

/** Points for the places that speak for a name. */
const POINTS = {
  copyright: 6,
  form: 5,
  running: 4.5,
  email: 5,
  web: 4,
  cover: 4.4,
  labelled: 4.5,
  we: 3.5,
  repeatedTitle: 2.5,
  file: 2.5,
};

/** Names a line may hold: the whole line, or its part before a dash, colon or bar. */
function namesIn(line: string): string[] {
  const text = withoutAddresses(line).trim();
  const parts = text.split(/\s[–—|·•‑-]\s|:\s|\s?\|\s?|,\s|\s\(/u);
  const names = [text, parts[0] ?? ''].map(cleanName).filter(isNameLike);
  return [...new Set(names)];
}

/** The cover names the company. */
function voteCover(slide: ReadSlide, deck: string, votes: NameVotes): void {
  const units = slide.units.filter((unit) => !unit.running && !has(unit.text, MADE_WITH));
  const lead = units.find((unit) => /\p{L}{2}/u.test(unit.text) && cleanName(unit.text) !== '');
  for (const block of new Set(units.map((unit) => unit.block))) {
    const lines = units.filter((unit) => unit.block === block && unit.words > 0);
    // A name is often set over two or three lines.
    const name = cleanName(lines.map((unit) => unit.text).join(' '));
    if (lines.length < 2 || lines.length > 3 || lines.some((unit) => unit.words > 2) || !isNameLike(name)) continue;
    votes.add(name, 'cover', POINTS.cover - 1 - coverDoubt(name, deck));
  }
  voteSetApart(units, deck, votes);
  const title = units.find((unit) => unit.kind === 'title');
  // Where the title is no name, a heading may be.
  const stands = title === undefined || namesIn(title.text).length > 0 ? 'title' : 'heading';
  for (const unit of units.slice(0, 12)) {
    const labelled = LABELLED.exec(unit.text)?.[1];
    if (labelled !== undefined && isNameLike(cleanName(labelled)))
      votes.add(cleanName(labelled), 'labelled', POINTS.labelled);
    const next = units.find((other) => other.index === unit.index + 1 && other.block === unit.block);
    // A line that runs on into the next is a piece of a sentence.
    if (has(unit.text, PERSON) || /^\p{Ll}+(?!\p{L})/u.test(next?.text ?? '')) continue;
    for (const name of namesIn(unit.text)) {
      const prominent = unit.kind === stands || unit === lead;
      if (prominent && name === cleanName(unit.text)) votes.headline(name);
      const part = name !== cleanName(unit.text) && countWords(unit.text) > 12 ? 1 : 0;
      const own = prominent ? POINTS.cover : isCoined(name) ? 3 : 1.5;
      votes.add(name, 'cover', own - (nameTokens(name).length - 1) * 0.4 - part - coverDoubt(name, deck));
    }
  }
}

/** Two words of a name may be set in different sizes or boxes; the deck has to write them as one elsewhere. */
function voteSetApart(units: readonly TextUnit[], deck: string, votes: NameVotes): void {
  const words = units.filter((unit) => unit.words > 0).slice(0, 4);
  for (const [at, unit] of words.entries()) {
    const next = words[at + 1];
    if (next === undefined || next.block === unit.block || unit.words > 1 || next.words > 1) continue;
    const name = cleanName(`${unit.text} ${next.text}`);
    const isWritten = deck.toLowerCase().includes(` ${name.toLowerCase()}`);
    if (isNameLike(name) && isWritten) votes.add(name, 'cover', POINTS.cover);
  }
}

/** Words that the deck also writes small, ordinary words, and several words in capitals are seldom a name. */
const coverDoubt = (name: string, deck: string): number => {
  // A brand in small letters is written small everywhere.
  const isSmall = name === name.toLowerCase() && rareShare(name) === 1;
  const isAlsoSmall = deck.includes(` ${name.toLowerCase()}`) && !isSmall;
  const isAlsoMixed = deck.includes(titled(name));
  return (
    (isAlsoSmall || rareShare(name) < 0.5 ? 2 : 0) +
    (isShouted(name) && !isAlsoMixed && nameTokens(name).length > 1 ? 1.5 : 0)
  );
};

/** Each word with a capital: "KOPI LORONG" as "Kopi Lorong". */
const titled = (name: string): string =>
  name.replaceAll(/\p{L}+/gu, (word) => word.charAt(0) + word.slice(1).toLowerCase());

function voteSentences(slide: ReadSlide, edge: boolean, votes: NameVotes): void {
  const others = has(slide.title, OTHERS);
  for (const unit of slide.units) {
    if (has(unit.text, MADE_WITH)) continue;
    for (const match of /©|\(c\)|Copyright/u.test(unit.text) ? unit.text.matchAll(COPYRIGHT) : [])
      addName(votes, match[1] ?? match[2], 'copyright', POINTS.copyright);
    for (const match of unit.text.matchAll(WITH_FORM)) {
      addName(
        votes,
        match[1],
        edge || unit.running ? 'form' : `form ${slide.number}`,
        edge || unit.running ? POINTS.form : 1,
      );
    }
    const text = withoutAddresses(unit.text);
    for (const match of text.matchAll(WE)) addName(votes, match[1] ?? match[2] ?? match[3], 'we', POINTS.we);
    if (others || unit.heading) continue;
    for (const match of text.matchAll(DEFINED)) addName(votes, match[1], `defined ${slide.number}`, 1.5);
  }
}

function addName(votes: NameVotes, raw: string | undefined, place: string, points: number): void {
  const name = cleanName(raw ?? '');
  if (isNameLike(name)) votes.add(name, place, points);
}

/** A footer without the part of who made it, and what follows; empty where that comes first. */
function ownParts(line: string): string {
  const parts = line.split(/(\s?[|·•]\s?|\s[–—-]\s)/u);
  const made = parts.findIndex((part) => has(part, MADE_WITH));
  return made < 0 ? line : parts.slice(0, made).join('');
}

function voteRunning(units: readonly TextUnit[], votes: NameVotes): void {
  for (const unit of units) {
    for (const part of withoutAddresses(ownParts(unit.text)).split(
      /\s[–—|·•/‑-]+\s|\s?[|©·•]\s?|\s{2,}|,\s|:\s|\d+/u,
    )) {
      const name = cleanName(part);
      if (isNameLike(name))
        votes.add(
          name,
          'running',
          POINTS.running - (nameTokens(name).length - 1) * 0.5 - (rareShare(name) < 0.5 ? 1.5 : 0),
        );
    }
  }
}

/** Titles that come back as they are, and words that titles name again and again. */
function voteTitles(prompt: ReadPrompt, votes: NameVotes): void {
  const titles = new Map<string, number>();
  for (const slide of prompt.slides.slice(1)) {
    const line = cleanName(slide.title === '' ? (slide.lines[0] ?? '') : slide.title);
    if (isNameLike(line)) titles.set(line, (titles.get(line) ?? 0) + 1);
    if (has(slide.title, OTHERS)) continue;
    for (const word of nameTokens(slide.title).slice(0, 2)) {
      if (isNameLike(word) && /^\p{Lu}|\p{Ll}\p{Lu}/u.test(word)) votes.add(word, `title ${slide.number}`, 0.6);
    }
  }
  for (const [title, count] of titles)
    if (count >= 3 && rareShare(title) >= 0.5) votes.add(title, 'repeated title', POINTS.repeatedTitle);
}

function voteAddresses(prompt: ReadPrompt, votes: NameVotes): void {
  const last = prompt.slides.length - 1;
  const cover = coverAt(prompt.slides);
  for (const [at, slide] of prompt.slides.entries()) {
    if (has(slide.title, OTHERS) && at !== cover && at !== last) continue;
    for (const unit of slide.units) {
      if (has(unit.text, MADE_WITH)) continue;
      const edge = unit.running || at === cover || at >= last - 1;
      for (const { label, kind } of ownAddresses(unit.text)) {
        // A footer may name the account of an event.
        if (kind === 'user' && unit.running) continue;
        votes.address(label, kind, kind === 'user' ? 2.5 : edge ? POINTS[kind] : POINTS[kind] - 2.5);
      }
    }
  }
}

/**
 * Words that only names look like: with a capital inside, or in English text with a capital in the middle of sentences and never without.
 * What they name, other places tell.
 */
function voteProper(slides: readonly ReadSlide[], votes: NameVotes): void {
  const coined = new Map<string, Set<number>>();
  const proper = new Map<string, Set<number>>();
  const note = (seen: Map<string, Set<number>>, word: string, slide: number): void => {
    seen.set(word, (seen.get(word) ?? new Set()).add(slide));
  };
  for (const slide of slides) {
    for (const unit of slide.units) {
      const text = withoutAddresses(unit.text);
      for (const word of nameTokens(text)) if (isCoined(word)) note(coined, word, slide.number);
      const english = /\s(?:the|of|and|to|for|is|with|in)\s/u.test(text);
      if (!english || unit.heading) continue;
      for (const [, word = ''] of text.matchAll(/(?<=\p{Ll}\s)(\p{Lu}\p{Ll}{2,})(?=\s\p{Ll}|['’]s\s|[.,])/gu))
        note(proper, word, slide.number);
    }
  }
  for (const [word, slides] of coined) if (slides.size >= 3 && isNameLike(word)) votes.add(word, 'coined', 2);
  for (const [word, slides] of proper) if (slides.size >= 4 && isNameLike(word)) votes.add(word, 'proper', 1.2);
}

const LEAST_POINTS = 4;
/** More than one place gives. */
const SURE_POINTS = 6;

/** The company's name without legal form, in the deck's own most frequent spelling, or not stated. */
export const extractCompanyName: (prompt: ReadPrompt) => ExtractValueOutput = oncePerDeck(findCompanyName);

function findCompanyName(prompt: ReadPrompt): ExtractValueOutput {
  const votes = new NameVotes(prompt.slides);
  const cover = coverAt(prompt.slides);
  // The column heads of a table name others beside the company.
  const slides = prompt.slides.map((slide, at) =>
    at === cover ? slide : { ...slide, units: slide.units.filter((unit) => !unit.headsColumns) },
  );
  const [first, last] = [slides[cover], slides.at(-1)];
  if (first === undefined || last === undefined) return NOT_STATED;
  const deck = prompt.slides.map((slide) => ` ${slide.text}`).join('\n');
  voteCover(first, deck, votes);
  for (const slide of slides) voteSentences(slide, slide === first || slide === last, votes);
  voteRunning(
    slides.flatMap((slide) => slide.units.filter((unit) => unit.running)),
    votes,
  );
  for (const { name, isSure } of headsIn(slides, deck))
    votes.add(name, isSure ? 'head' : 'head of with', POINTS.we - coverDoubt(name, deck));
  for (const part of prompt.title.split(' | ')) addName(votes, part, 'file', POINTS.file);
  voteTitles(prompt, votes);
  voteProper(slides, votes);
  if (last !== first) {
    for (const unit of last.units)
      if (!has(unit.text, PERSON)) for (const name of namesIn(unit.text)) votes.add(name, 'last slide', 1);
  }
  voteAddresses(prompt, votes);
  const best = votes.best();
  // A template may name who made it, a form who asks, an invoice who pays.
  if (best === null || best.points < LEAST_POINTS || documentKindOf(prompt.slides) !== null) return NOT_STATED;
  const evidence = evidenceFor(prompt, best.name);
  if (evidence === null) return NOT_STATED;
  const answering = best.points >= SURE_POINTS ? 'high' : 'some';
  return { evidence: [{ ...evidence, answering }], stated: true, value: best.name };
}

/** A quote of the name alone, else one that holds it, from the first slide that has one; of an address or a table last. */
function evidenceFor(prompt: ReadPrompt, name: string): ExtractValueOutput['evidence'][number] | null {
  const key = keyOf(name);
  const quotes = prompt.slides.flatMap((slide) =>
    slide.units
      .filter((unit) => keyOf(unit.text).includes(key))
      .map((unit) => {
        // A line with the name and little else says it whole.
        const isLine =
          unit.kind !== 'row' && countWords(unit.text) < MIN_QUOTE_WORDS && slide.lines.includes(unit.text);
        const quote = isLine ? unit.text : quoteOf(slide.units, unit.index);
        return { slide: slide.number, quote, row: unit.kind === 'row' };
      })
      .filter(({ quote }) => quote.toLowerCase().includes(name.toLowerCase())),
  );
  const best =
    quotes.find(({ quote, row }) => !row && keyOf(quote) === key) ??
    quotes.find(({ quote, row }) => !row && !quote.includes('@')) ??
    quotes.find(({ row }) => !row) ??
    quotes[0];
  return best === undefined ? null : { slide: best.slide, quote: best.quote };
}

/** Uses of the money as sentences name them: "half goes into sales, 30% into engineering", "we will use the funds to hire and to expand". */
import { findMoney } from '../../domain/evidence/money.ts';
import { isTooShort } from '../../domain/evidence/quote-check.ts';
import { phrases } from '../phrases.ts';
import { countWords } from '../text.ts';
import { has } from '../words.ts';
import { labelFrom } from './fact.ts';

/** A use with its share or amount, both in words of the deck, and the run of text that says it. */
export interface Use {
  readonly name: string;
  readonly value: string;
  readonly quote: string;
}

/** Words that lead from the money to its uses. */
export const LEADS: RegExp = phrases('money goes to');
/** Words of money that is sought; words of no purpose. */
const [SEEKS, NO_PURPOSE] = [phrases('money is sought to'), phrases('no purpose of money')];

const MOST_QUOTE = 90;
const MOST_NAME = 60;
const MOST_NAME_WORDS = 9;

const PART = String.raw`\d{1,3}(?:[.,]\d{1,2})?\s?(?:%|percent|per cent|prozent)|half|a (?:third|quarter|fifth)|die hälfte|ein (?:drittel|viertel|fünftel)`;
const INTO = String.raw`(?:into|to|for|on|towards?|in|für|auf)`;
const GOES = String.raw`(?:of (?:it|this|that|the \p{L}+)\s|davon\s)?(?:(?:will |would )?(?:goes?|going|flows?|is (?:spent|used)|fließ(?:t|en)|geh(?:t|en)|entfallen|entfällt)\s)?(?:davon\s)?`;
const ARTICLE = String.raw`(?:(?:the|our|an?|den|die|das|der|unsere?[nrms]?|eine?[nrms]?)\s)?`;
const END = String.raw`(?=\s?[,;.]|\s(?:and|und|sowie)\s|$)`;

/** "30% into engineering", "rund 400 T€ in die Serienreife": the share or the amount before its use. */
const LED = new RegExp(
  String.raw`(?<value>${PART}|AMOUNT\d)\s(?:${GOES})${INTO}\s${ARTICLE}(?<name>[^,;.%()]{3,60}?)${END}`,
  'giu',
);
/** "Personal (25 %)": the share behind its use, which may be a list itself. */
const IN_BRACKETS = /\((?<value>(?:ca\.\s|approx\.\s|~\s?)?(?:\d{1,3}(?:[.,]\d{1,2})?\s?%|AMOUNT\d))\)/gu;

/** The uses that a sentence names; none where it speaks of something else. */
export function usesInSentence(text: string): Use[] {
  const shared = sharesIn(text);
  return shared.length > 1 ? shared : purposesIn(text);
}

/** Shares and amounts with their uses. */
export function sharesIn(text: string): Use[] {
  const { masked, unmask } = withoutAmounts(text);
  const led = [...masked.matchAll(LED)].map(({ index, 0: all, groups = {} }) => ({
    name: groups['name'] ?? '',
    value: groups['value'] ?? '',
    start: index,
    end: index + all.length,
  }));
  const brackets = [...masked.matchAll(IN_BRACKETS)];
  const named = brackets.map(({ index, 0: all, groups = {} }, at) => {
    const before = brackets[at - 1];
    const from = before === undefined ? 0 : before.index + before[0].length;
    const words = masked.slice(from, index);
    const begin =
      before === undefined
        ? beginOfFirst(words)
        : (/^\s?[,;&+]?\s?(?:(?:and|und|sowie|for|für)\s)?/u.exec(words)?.[0].length ?? 0);
    return { name: words.slice(begin), value: groups['value'] ?? '', start: from + begin, end: index + all.length };
  });
  const found = led.length >= named.length ? led : named;
  return found.flatMap(({ name, value, start, end }): Use[] => {
    const label = labelFrom(unmask(name));
    const [from, to] = [unmask(masked.slice(0, start)).length, unmask(masked.slice(0, end)).length];
    return fits(label) ? [{ name: label, value: unmask(value), quote: around(text, from, to) }] : [];
  });
}

/** The first use of a list begins behind the words that lead to it. */
const beginOfFirst = (words: string): number =>
  [...words.matchAll(/(?::|,|;|(?<!\p{L})(?:for|für|into|in|to))\s/giu)].reduce(
    (_, { index, 0: all }) => index + all.length,
    0,
  );

/** Amounts of money hold points and commas; they are set aside while a sentence is cut at those. */
function withoutAmounts(text: string): { masked: string; unmask: (part: string) => string } {
  const placed = findMoney(text).slice(0, 10);
  const masked = placed.toReversed().reduce((rest, { start, end }, at) => {
    const words = text.slice(start, end);
    const trailing = words.length - words.trimEnd().length;
    return `${rest.slice(0, start)}AMOUNT${placed.length - 1 - at}${rest.slice(end - trailing)}`;
  }, text);
  const unmask = (part: string): string =>
    part.replaceAll(/AMOUNT(\d)/gu, (_, at: string) => {
      const one = placed[Number(at)];
      return one === undefined ? '' : text.slice(one.start, one.end).trimEnd();
    });
  return { masked, unmask };
}

/** The purposes of a sentence without shares, as a list behind the words that lead to them. */
function purposesIn(text: string): Use[] {
  const [leads] = [...text.matchAll(LEADS)];
  const [seeks] = findMoney(text).length > 0 ? [...text.matchAll(SEEKS)] : [];
  const found = leads ?? seeks;
  if (found === undefined || text.endsWith('?')) return [];
  const from = Math.max(
    found.index + found[0].length,
    leads === undefined ? Math.min(...findMoney(text).map(({ end }) => end)) : 0,
  );
  const behind = text.slice(from);
  const to = leads === undefined ? /(?:^|[\s,])(?:to|for|um|für|zur|zum)\s/iu.exec(behind) : null;
  if (leads === undefined && to === null) return [];
  const start = from + (to === null ? 0 : to.index + to[0].length);
  const list = /^[^.;!?]*(?:\.\d[^.;!?]*)*/u.exec(text.slice(start))?.[0] ?? '';
  const parts = list.split(/,\s(?:and\s|und\s|sowie\s)?/u).flatMap((part) => cutAtAnd(part));
  const uses = parts.flatMap((part): Use[] => {
    const name = labelFrom(
      part.replace(
        /^\s*:?\s*(?:to|the|our|an?|den|die|das|der|unsere?[nrms]?|eine?[nrms]?|in|in den|in die|into|for|für)\s/iu,
        '',
      ),
    );
    const at = text.indexOf(part, start);
    return fits(name) && !has(name, NO_PURPOSE) ? [{ name, value: '', quote: around(text, at, at + part.length) }] : [];
  });
  return uses.length < parts.length ? [] : uses;
}

/** "hire engineers and expand sales" are two purposes, "launch in Japan and Korea" is one. */
function cutAtAnd(part: string): string[] {
  const halves = part.split(/\s(?:and|und|sowie)\s(?=\p{L})/u);
  const [first = '', second = ''] = halves;
  return halves.length === 2 && countWords(first) >= 3 && countWords(second) <= 2 ? [part] : halves;
}

const fits = (name: string): boolean =>
  name.length > 1 && name.length <= MOST_NAME && countWords(name) <= MOST_NAME_WORDS && /\p{L}{2}/u.test(name);

/** A run of text with the words before it where it is too short to prove anything. */
function around(text: string, from: number, to: number): string {
  const own = text.slice(from, to).trim();
  if (!isTooShort(own)) return own;
  const longer = text.slice(Math.max(0, to - MOST_QUOTE), to);
  const whole = longer.length === to ? longer : longer.replace(/^\S*\s/u, '');
  return isTooShort(whole)
    ? text
        .slice(from, from + MOST_QUOTE)
        .replace(/\s\S*$/u, '')
        .trim()
    : whole.trim();
}

/**
 * What sentences of a deck state plainly about the company: the sum it asks for, the year it was founded, and named figures such as revenue
 * of a year, customers or TAM. A statement is taken only where cue and value stand close together and nothing says that it is about another
 * time, another round or somebody else: a statement that is missed costs nothing, a wrong one makes a false contradiction.
 */
import { findDates } from '../decks/deck-date.ts';
import { lowerCase } from '../text/lower-case.ts';
import { findMoney, parseAmount, type Money } from './money.ts';
import { statedAsks } from './stated-asks.ts';

/** The text of one page; a blank line ends a block, tabs stand between the cells of a table. */
export interface PageText {
  readonly slide: number;
  readonly text: string;
}

export interface Statement {
  /** Statements with the same subject can be compared. */
  readonly subject: string;
  readonly slide: number;
  /** The words of the slide. */
  readonly quote: string;
  /** The value as written. */
  readonly value: string;
  readonly money: Money | null;
  readonly count: number | null;
  /** True for "more than" and "+": a larger value does not contradict it. */
  readonly atLeast: boolean;
}

/** Longest text that is read as one label over several lines, as on a card. */
const MAX_LABEL = 120;
const MAX_LABEL_LINES = 4;
const MAX_QUOTE = 240;
/** Sentences looked at on a page; no slide has more. */
const MAX_SENTENCES = 300;

/** Not after abbreviations that stand before numbers and currencies. */
const SENTENCE_END =
  /(?<=[.!?;])(?<!(?<!\p{L})(?:[Mm]io|[Mm]rd|[Tt]sd|mln|mld|mil|ca|approx|Rs|Fr|Nr|No)\.)\s+(?=\p{Lu}|\d)/u;

/** Sentences and labels of a page; rows of tables are not among them. */
export function sentencesOf(text: string): string[] {
  return text.split(/\n[^\S\n]*\n/u).flatMap((block) => {
    const lines = block.split('\n').filter((line) => /\S/u.test(line) && !line.includes('\t'));
    const label = lines.join(' ');
    const units = lines.length <= MAX_LABEL_LINES && label.length <= MAX_LABEL ? [label] : lines;
    return units.flatMap((unit) => unit.split(SENTENCE_END)).map((unit) => unit.trim());
  });
}

/** Words that make a figure a plan, somebody else's, or one of a part. */
const NOT_NOW =
  /(?<!\p{L})(?:will|plan\p{L}*|target\p{L}*|goal|project\p{L}*|forecast\p{L}*|expect\p{L}*|estimate\p{L}*|by|until|potential|reach|grow|aim|average|typical|competitors?|up to|lost|interview\p{L}*|survey\p{L}*|per|each|every|new|if|could|should|case|scenario|prognose|ziel\p{L}*|geplant\p{L}*|erwartet\p{L}*|bis|potenzial|pro|je|durchschnitt\p{L}*|neue|soll\p{L}*|interviews?|befragt\p{L}*)(?!\p{L})/u;

const NUMBER = String.raw`(\d{1,3}(?:[.,]\d{3})+|\d+(?:[.,]\d)?)(k|m)?(\+)?`;
const COUNTED: readonly (readonly [subject: string, words: string])[] = [
  ['paying customers', String.raw`paying customers|zahlende kunden`],
  ['customers', String.raw`customers|clients|kunden|kundinnen und kunden`],
  ['employees', String.raw`employees|full-time employees|ftes|mitarbeiter(?:innen)?|mitarbeitende|beschäftigte`],
  ['users', String.raw`users|active users|nutzer(?:innen)?|nutzende`],
  ['team members', String.raw`team members|teammitglieder`],
  ['subscribers', String.raw`subscribers|abonnent(?:inn)?en`],
  ['pilots', String.raw`pilots|pilot customers|pilotkunden|piloten`],
  ['downloads', String.raw`downloads`],
  ['patents', String.raw`patents|patents granted|patente`],
];
/** On such a page a number alone may be a plan. */
const PLANNING =
  /(?<!\p{L})(?:rais(?:e|ing)|use of (?:funds|proceeds)|roadmap|milestones?|forecasts?|projections?|projected|plan|goals?|targets?|vision|next steps|prognose|meilensteine?|ziele?|ausblick|mittelverwendung|y[1-5]|year [1-5]|jahr [1-5])(?!\p{L})/u;
/** Titles of pages about others, or about what people did before. */
const ABOUT_OTHERS =
  /(?<!\p{L})(?:compet\p{L}*|landscape|alternatives?|benchmarks?|case stud\p{L}*|team|founders?|advisors?|why us|wettbewerb\p{L}*|konkurren\p{L}*|gründerteam|beirat|fallstudie\p{L}*)(?!\p{L})/u;
/** Words with which a sentence speaks of today and of the company itself. */
const OWN_NOW =
  /(?<!\p{L})(?:we (?:have|serve|employ|are)|our team (?:of|has)|currently|today|already|to date|so far|trusted by|used by|team of|wir (?:haben|beschäftigen|sind|zählen)|unser team|aktuell|derzeit|heute|bereits|bisher)(?!\p{L})/u;

const YEARLY = /(?<!\p{L})(revenues?|turnover|arr|mrr|umsatz)(?!\p{L})/u;

const shortened = (quote: string): string =>
  quote.length <= MAX_QUOTE ? quote : `${quote.slice(0, MAX_QUOTE - 1).trimEnd()}…`;

/** Least number of pages that a header or footer stands on, and least share of the deck. */
const MIN_RUNNING_PAGES = 3;
const RUNNING_SHARE = 0.5;

/** Sentences that come back on most pages: headers and footers. */
function runningSentences(pages: readonly ReadonlySet<string>[]): ReadonlySet<string> {
  const counts = new Map<string, number>();
  for (const sentences of pages)
    for (const sentence of sentences) counts.set(sentence, (counts.get(sentence) ?? 0) + 1);
  const least = Math.max(MIN_RUNNING_PAGES, Math.ceil(pages.length * RUNNING_SHARE));
  return new Set([...counts].filter(([, count]) => count >= least).map(([sentence]) => sentence));
}

/** All statements of the pages that can be compared with each other. What comes back on most pages says nothing of the page it stands on. */
export function statementsOf(pages: readonly PageText[]): Statement[] {
  const sentencesOfPages = pages.map(({ text }) => new Set(new Set(sentencesOf(text)).values().take(MAX_SENTENCES)));
  const running = runningSentences(sentencesOfPages);
  return pages.flatMap(({ slide, text }, page) => {
    const planned = PLANNING.test(text.toLowerCase());
    const others = ABOUT_OTHERS.test(text.split('\n\n', 1)[0]?.slice(0, MAX_LABEL).toLowerCase() ?? '');
    const sentences = [...(sentencesOfPages[page] ?? [])];
    const found = sentences.flatMap((sentence, index) => {
      if (running.has(sentence)) return [];
      const lower = lowerCase(sentence);
      const before = sentences[index - 1] ?? '';
      const say = (subject: string, value: string, rest: Partial<Statement>): Statement => ({
        subject,
        slide,
        quote: shortened(sentence),
        value,
        money: null,
        count: null,
        atLeast: false,
        ...rest,
      });
      const own = others ? [] : [...foundingIn(lower, say), ...countsIn(sentence, lower, planned, say)];
      return [
        ...statedAsks(sentence, before).map(({ round, money, value, atLeast }) =>
          say(`ask ${round}`.trim(), value, { money, atLeast }),
        ),
        ...own,
        ...marketIn(sentence, lower, say),
        ...yearlyIn(sentence, lower, say),
      ];
    });
    return comparable(found);
  });
}

/**
 * Two values of one subject on one slide are of different things: years, regions. What a slide says in several ways is one statement. Two sums
 * asked for in two sentences without the name of a round stay: nothing tells one from the other.
 */
function comparable(onSlide: readonly Statement[]): Statement[] {
  return Map.groupBy(onSlide, ({ subject }) => subject)
    .values()
    .flatMap((same) => {
      if (same[0]?.subject === 'ask' && new Set(same.map(({ quote }) => quote)).size === same.length) return same;
      const isOneValue = same.every(({ value }) => value === same[0]?.value);
      return isOneValue
        ? Map.groupBy(same, ({ atLeast }) => atLeast)
            .values()
            .flatMap((alike) => alike.slice(0, 1))
        : [];
    })
    .toArray();
}

type Say = (subject: string, value: string, rest: Partial<Statement>) => Statement;

const FOUNDED =
  /(?:^|[•|·–-] ?|we were |company was |startup was |(?:gmbh|inc\.?|ltd\.?|ag|ug) (?:was |wurde )?|wir wurden )(founded|established|incorporated|gegründet|gründung|gründungsjahr)(?: in| im jahr| im|:| am)?:? ?/u;
const OTHERS_FOUNDED = /(?<!\p{L})(?:sold|exit(?:ed)?|acquired|co-founded|verkauft|übernommen)(?!\p{L})/u;

/** "Wir wurden 2021 gegründet": the year stands before the verb. */
const FOUNDED_AFTER =
  /(?:^|[•|·–-] ?|(?:gmbh|inc\.?|ltd\.?|ag|ug) )(?:wir wurden|wurde|unternehmen wurde|firma wurde) (?:im jahr |im |in )?(?:\p{L}+ )?((?:19|20)\d{2}) gegründet/u;

function foundingIn(lower: string, say: Say): Statement[] {
  const after = OTHERS_FOUNDED.test(lower) ? undefined : FOUNDED_AFTER.exec(lower)?.[1];
  if (after !== undefined) return [say('founded', after, { count: Number(after) })];
  const match = FOUNDED.exec(lower);
  if (match === null || OTHERS_FOUNDED.test(lower)) return [];
  const [date] = findDates(lower.slice(match.index + match[0].length));
  if (date?.start !== 0) return [];
  const year = date.iso.slice(0, 4);
  // A company may be founded in one year and entered in the register in another.
  return [say(match[1] === 'incorporated' ? 'incorporated' : 'founded', year, { count: Number(year) })];
}

/** "1,200", "12.5k". */
function countOf(digits = '', factor = ''): number {
  const grouped = /^\d{1,3}(?:[.,]\d{3})+$/u.test(digits);
  const value = Number(grouped ? digits.replaceAll(/[.,]/gu, '') : digits.replace(',', '.'));
  return value * (factor === 'k' ? 1e3 : factor === 'm' ? 1e6 : 1);
}

function countsIn(sentence: string, lower: string, planned: boolean, say: Say): Statement[] {
  if (NOT_NOW.test(lower) || /(?:19|20)\d{2}/u.test(lower)) return [];
  return COUNTED.flatMap(([subject, words]) => {
    const match = new RegExp(String.raw`(?<![\d.,$€£₹\p{L}-])${NUMBER} (?:${words})(?![\p{L}-])`, 'u').exec(lower);
    const alone = new RegExp(String.raw`^${NUMBER} (?:${words})$`, 'u').test(lower);
    if (match === null || !((alone && !planned) || OWN_NOW.test(lower))) return [];
    const before = lower.slice(0, match.index);
    const atLeast = match[3] === '+' || /(?:over|more than|at least|über|mehr als|mindestens|>)\s?$/u.test(before);
    return [
      say(subject, sentence.slice(match.index, match.index + match[0].length), {
        count: countOf(match[1], match[2]),
        atLeast,
      }),
    ];
  });
}

const MARKET_NAMES = {
  tam: 'total (?:addressable|available) market',
  sam: 'serviceable (?:addressable|available) market',
  som: 'serviceable obtainable market',
};

/** "TAM: €5B", "$5 billion total addressable market": the market and its size, and nothing else. */
function marketIn(sentence: string, lower: string, say: Say): Statement[] {
  for (const [market, name] of Object.entries(MARKET_NAMES)) {
    const named = new RegExp(String.raw`(?<![\p{L}\d])(?:${name})?[ (]*(?:${market})?\)?(?![\p{L}\d])`, 'gu');
    const rest = lower.replaceAll(named, ' ');
    if (rest.replaceAll(' ', '') === lower.replaceAll(' ', '')) continue;
    const money = parseAmount(sentence);
    const words = rest.replaceAll(
      /million(?:en)?|billion|trillion|milliarden?|mio\.?|mrd\.?|mln|bn|usd|eur|chf|gbp|of|is|ist|von|market|[kmbt](?!\p{L})|[\d.,\s:=()~+€$£₹–—-]/gu,
      '',
    );
    if (money === null || words !== '') continue;
    const [placed] = findMoney(sentence);
    return [
      say(market.toUpperCase(), placed === undefined ? sentence : sentence.slice(placed.start, placed.end), { money }),
    ];
  }
  return [];
}

/** "Revenue 2024: €1.2M": one year, one amount and few words beside them. */
function yearlyIn(sentence: string, lower: string, say: Say): Statement[] {
  const [only, ...others] = findMoney(sentence);
  const years = [...new Set(lower.match(/(?<!\d)(?:19|20)\d{2}(?!\d)/gu))];
  const metric = YEARLY.exec(lower)?.[1];
  if (only === undefined || others.length > 0 || metric === undefined || years.length !== 1 || NOT_NOW.test(lower))
    return [];
  const value = sentence.slice(only.start, only.end);
  const words = lower.replace(lowerCase(value), ' ').match(/\p{L}+/gu) ?? [];
  if (words.length > MAX_WORDS) return [];
  return [say(`${metric.replace('revenues', 'revenue')} ${years[0]}`, value, { money: only.money })];
}
/** More words may speak of a part: a region, a product. */
const MAX_WORDS = 5;

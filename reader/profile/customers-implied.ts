/**
 * Target customers that a deck names without saying so: subjects of "pays" and "buys", groups that are counted as paying or live, units and tiers
 * of a price, first columns of tables of customers and of prices.
 */
import { phrases } from '../phrases.ts';
import type { ReadSlide } from '../prompt.ts';
import type { Subject } from '../subject.ts';
import { countWords, type TextUnit } from '../text.ts';
import { has } from '../words.ts';
import { blocksOf, joined, labelFrom } from './fact.ts';

/** A group with the words that name it; the higher the score, the surer. */
export interface ImpliedGroup {
  readonly name: string;
  readonly quote: string;
  readonly score: number;
}

const [GROUP, NOT_GROUP, NOT_SEGMENT] = [
  phrases('customer group'),
  phrases('no customer group'),
  phrases('no segment'),
];

const MOST_NAME_WORDS = 6;
const MOST_CLAUSE_WORDS = 40;

/** Groups on one slide about such subjects. */
export function impliedOn(slide: ReadSlide, subjects: ReadonlySet<Subject>): ImpliedGroup[] {
  const about = (...names: readonly Subject[]): boolean => names.some((name) => subjects.has(name));
  const sells = about('model', 'pricing', 'customers', 'traction', 'evidence') && !about('team', 'ask');
  const texts = slide.units.filter(({ kind, running }) => kind !== 'row' && !running);
  return [
    ...texts.flatMap((unit) => [
      ...payingIn(unit, sells),
      ...countedIn(unit, sells && !about('evidence')),
      ...(about('model', 'pricing') ? pricedIn(unit) : []),
      ...(about('solution') && !about('team', 'competition') ? actingIn(slide, unit, USES) : []),
      ...(about('problem') && !about('team', 'competition') ? actingIn(slide, unit, 1.5) : []),
    ]),
    ...(about('model', 'pricing') ? tiersOf(slide) : []),
    ...blocksOf(slide).flatMap((block) =>
      sells || CUSTOMERS_TITLE.test(slide.title) ? rowsOf(block, slide.title) : [],
    ),
  ];
}

/** The words end with a group and begin with no preposition. */
const isGroup = (name: string): boolean =>
  name !== '' &&
  countWords(name) <= MOST_NAME_WORDS &&
  has(name, ENDS_WITH_GROUP) &&
  !has(name, NOT_GROUP) &&
  !NO_NAME.test(name) &&
  !NOBODY.test(name);
const NOBODY =
  /^(?:teams?|people|menschen|women|business(?:es)?|enterprise|users?|customers?|clients?|kunden|nutzer)$/iu;
const ENDS_WITH_GROUP = new RegExp(`(?:${GROUP.source})(?=$|[,(:]| ·| \\(|,? (?:and|und|or|oder|&|\\+) )`, 'giu');
const NO_NAME =
  /^(?:if|our|unsere?|of|in|from|über|davon|von|im|the other|other|andere|weitere|per|pro|je|new|average)\s|[\d\p{Sc}]/iu;

/** "Private insurers pay €290", "Die Kasse zahlt", "Clinics buy". */
function payingIn({ text }: TextUnit, sells: boolean): ImpliedGroup[] {
  if (countWords(text) > MOST_CLAUSE_WORDS) return [];
  const [, of = '', verb = '', after = ''] =
    /^(?:what )?(?:the |an? |die |der |das |eine? |our |unsere? )?(.{3,60}?) (pays?|buys?|subscribe|rents?|leases?|zahl(?:t|en)|kauf(?:t|en)|bezahl(?:t|en)|mietet|mieten|buch(?:t|en))(?!\p{L})(.*)$/iu.exec(
      text,
    ) ?? [];
  if (verb === '' || !isGroup(of) || /(?<!\p{L})(?:to|not|nicht|who|that|die|already|today|heute)$/iu.test(of))
    return [];
  if (!sells && !/^\s?(?:us|uns|per|by|je|pro)\s|\p{Sc}/iu.test(after)) return [];
  return [{ name: labelFrom(of), quote: text, score: sells ? 3 : 2 }];
}

/** "19 paying farms", "171 Höfe nutzen es": counts of customers name them. */
function countedIn({ text }: TextUnit, sells: boolean): ImpliedGroup[] {
  return [...text.matchAll(COUNTED)].flatMap(([, paying = '', name = '']) => {
    const group = name.replace(
      /\s(?:and|und|&|or|oder|of|through|who|that|which|die|on|in|im|at|with|mit|signed|live|are|sind|have|haben|already|use|nutzen|pay|zahlen|under|across|auf|by)(?!\p{L}).*$/iu,
      '',
    );
    if (!isGroup(group) || /^if\s|^wenn\s/iu.test(text) || (paying === '' && !sells)) return [];
    return [{ name: labelFrom(group), quote: text, score: paying === '' ? 1.7 : 2.6 }];
  });
}
const COUNTED =
  /(?<![\p{L}\d.,€$£-])[\d.,’']*\d\+?\s+(?:(paying|active|zahlende[nr]?|aktive[nr]?)\s)?((?:\p{L}[\p{L}-]*\s?){1,4})/giu;

/** "per practice and month", "je Praxis": the unit of a price names its payer. */
function pricedIn({ text }: TextUnit): ImpliedGroup[] {
  if (!/\p{Sc}|\bCHF|\bEUR|\bUSD/u.test(text)) return [];
  const [, words = ''] = PRICED.exec(text) ?? [];
  const unit = [words, words.split(' ')[0] ?? ''].find((each) => isGroup(each));
  return unit === undefined ? [] : [{ name: labelFrom(unit), quote: text, score: 2.2 }];
}
const PRICED =
  /(?:\bper|\ban?|\beach|(?<!\p{L})je|(?<!\p{L})pro)\s(\p{L}[\p{L}-]*(?:\s(?!a\s|per\s|and\s|und\s|je\s|pro\s|im\s)\p{L}[\p{L}-]*)?)/iu;

/** A card of a price that begins with a group: "Praxis, 39 € pro Monat". */
const tiersOf = (slide: ReadSlide): ImpliedGroup[] =>
  blocksOf(slide).flatMap((block) => {
    const [first] = block;
    if (first === undefined || first.kind === 'row' || block.length < 2 || first.words > 4 || !isGroup(first.text))
      return [];
    const rest = joined(block.slice(1, 4));
    return /\p{Sc}|\bCHF|free|kostenlos|gratis/iu.test(rest) && !/[.!?]$/u.test(first.text)
      ? [{ name: labelFrom(first.text), quote: first.text, score: 2.8 }]
      : [];
  });

/** First cells of a table of prices or customers, and rows of a table of figures that count customers. */
function rowsOf(block: readonly TextUnit[], title: string): ImpliedGroup[] {
  const [first] = block;
  if (first?.kind !== 'row') return [];
  const names = block.slice(1).map(({ cells, quote }) => ({ name: (cells[0] ?? '').trim(), quote }));
  const groups = names.filter(({ name }) => isGroup(name) && !has(name, NOT_SEGMENT) && !/^\d/u.test(name));
  const counted = groups.flatMap(({ name, quote }): ImpliedGroup[] => {
    const [, of = ''] = /^(?:paying|active|zahlende|aktive)\s(.+)$/iu.exec(name) ?? [];
    return of === '' ? [] : [{ name: labelFrom(of), quote, score: 2.6 }];
  });
  if (counted.length > 0) return counted;
  // A table of named customers has them in its first column; two groups at least make one of prices by group.
  const heads = CUSTOMERS_TITLE.test(title);
  const listed = heads ? names.filter(({ name }) => /\p{L}{3}/u.test(name) && !has(name, NOT_SEGMENT)) : groups;
  if (listed.length * 2 < names.length || listed.length < 2) return headsOf(first);
  return listed
    .filter(({ name, quote }) => quote.includes(name) && countWords(name) <= MOST_NAME_WORDS)
    .map(({ name, quote }) => ({ name, quote, score: 2.6 }));
}
const CUSTOMERS_TITLE =
  /(?<!\p{L})(?:customers?|clients?|who (?:buys|pays|uses)|kund(?:en|innen)|abnehmer|wer (?:kauft|zahlt|nutzt))(?!\p{L})/iu;

/** "Season | Farms | Hectares": a column that counts a group. */
const headsOf = (first: TextUnit): ImpliedGroup[] =>
  first.headsColumns
    ? first.cells.flatMap((cell) =>
        countWords(cell) <= 2 && isGroup(cell) ? [{ name: cell, quote: first.quote, score: 1.7 }] : [],
      )
    : [];

/** "Every clinic loses …", "The nurse sees …": a group that has the problem or uses the product. */
function actingIn(slide: ReadSlide, { text, heading, index, block }: TextUnit, score: number): ImpliedGroup[] {
  const before = slide.units[index - 1];
  // It goes on with a figure or a line above.
  if (before !== undefined && before.block === block && !before.heading && !/[.!?:]$/u.test(before.text)) return [];
  if (countWords(text) > MOST_CLAUSE_WORDS) return [];
  const [, ...words] = /^(\S+) (\S+) (\S+) ?(\S*) ?(\S*)/u.exec(text.replace(SUBJECT_LEAD, '')) ?? [];
  const length = [1, 2, 3].find((count) => isGroup(words.slice(0, count).join(' ')));
  if (length === undefined) return [];
  const [name, verb] = [words.slice(0, length).join(' '), words[length]?.replace(/[.,]$/u, '') ?? ''];
  if (/[,:(]/u.test(name) || GENERIC.test(name) || NO_VERB.test(verb) || !/^[\p{L}’']{2,}$/u.test(verb)) return [];
  if (score < USES && !PROBLEM_VERB.test(verb)) return [];
  return heading && /^\p{Lu}/u.test(verb) && !IS_VERB.test(verb) ? [] : [{ name: labelFrom(name), quote: text, score }];
}
const USES = 1.8;
const SUBJECT_LEAD =
  /^(?:(?:meanwhile|but|and|yet|today|so|doch|aber|und|heute),? )?(?:(?:the|an?|every|each|most|many|the average|der|die|das|eine?|jede[rs]?|viele|die meisten) )?/iu;
/** Score of a group that acts, which may be anybody. */
const GENERIC =
  /^(?:people|menschen|teams?|businesses|founders?|gründer|(?:the )?users?|customers?|companies|stadtwerke|banks?)$/iu;
const PROBLEM_VERB =
  /^(?:\p{L}+(?:en|t)|lose|miss|spend|waste|struggle|need|wait|have|has|are|is|know|keep|face|plan|cannot|can|still|must|guess|rely|want|told|loses|misses|spends|wastes|struggles|needs|waits|keeps|faces)$/iu;
const IS_VERB = /^(?:are|lose|have|need|spend|can|sind|haben|brauchen|verlieren)$/iu;
const NO_VERB =
  /^(?:of|in|on|at|with|and|or|for|to|who|that|which|from|by|under|over|per|as|was|were|paid|said|had|got|lost|mit|und|oder|für|von|aus|ohne|als|bei|beim|im|am|an|auf|je|pro|zu|zum|zur|nach|vor|war|wurden?|die|der|das)$/iu;

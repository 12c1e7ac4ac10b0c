/**
 * Finds the one sentence that says what the company offers: what the product or service is, does, and for whom. It looks at sentences that
 * define ("X is a …", "We build …"), at the first slides and at slides about the solution, and leaves out what is said about problems,
 * competitors, customers, figures and plans.
 */
import { findMoney } from '../domain/evidence/money.ts';
import type { ExtractValueOutput } from '../domain/models/result-schemas.ts';
import { withoutAddresses } from '../domain/companies/addresses.ts';
import { extractCompanyName } from './extract-company-name.ts';
import { NOT_STATED } from './extract-funding.ts';
import { isOfDocument, keyOf } from './names.ts';
import { oncePerDeck } from './once-per-deck.ts';
import { phrases, sourceOf } from './phrases.ts';
import type { ReadPrompt, ReadSlide } from './prompt.ts';
import { coverAt } from './subjects.ts';
import { documentKindOf } from './document-kind.ts';
import { countWords, cutQuote, quoteOf, type TextUnit } from './text.ts';
import { countDistinct, either, has } from './words.ts';

/** What is offered, what it does and for whom. */
const [PRODUCT, ACTS, AUDIENCE] = [phrases('product'), phrases('acts'), phrases('audience')];
/** Says by itself that an offering follows; other things that decks tell; a person. */
const [DEFINES, NOT_OFFERING, PERSON] = [
  phrases('defines an offering'),
  phrases('not offering'),
  phrases('person in the offering'),
];
/** A label or heading before its text: "What we sell: …". */
const labelled = (source: string): RegExp => new RegExp(String.raw`^(?:${source})\s*(?::|[–—-]\s)\s*`, 'iu');
const OFFERS = labelled(sourceOf('offers'));
const LEAD = labelled(`${sourceOf('offers')}|${sourceOf('leads')}`);
/** The company says what it makes, or what its product is. */
const MAKES = new RegExp(`^(?:${sourceOf('makes')}) `, 'iu');
/** What a product does in one step of its use; the product itself is named elsewhere. */
const ANAPHORA = new RegExp(
  String.raw`^(?:the|der|die|das|our|unsere?) (?!first|only|world|next|erste|einzige)(?:[\p{L}-]+ )?(?:${sourceOf('product')}) (?!is |ist |for |für |that |to |with |mit |in |of |by |and |und )\p{L}+`,
  'iu',
);
/** Ends in the middle of a sentence. */
const CUT_OFF = new RegExp(String.raw`(?<!\p{L})(?:${sourceOf('cut off')}):?$|[,&(/–—-]$`, 'iu');
/** Goes on with a story, or tells of somebody. */
const NARRATIVE = new RegExp(String.raw`^(?:${sourceOf('narrative')})(?!\p{L})`, 'iu');
const BOILERPLATE = either(phrases('boilerplate'), '©');

interface Candidate {
  readonly slide: ReadSlide;
  readonly unit: TextUnit;
  /** As it stands on the slide. */
  readonly quote: string;
  readonly text: string;
  readonly score: number;
}

const LEAST_WORDS = 3;
const MOST_WORDS = 50;
const LEAST_SCORE = 3.8;
/** Two signs at least: it defines the offering, or stands where that is said, and names product, act or audience. */
const SURE_SCORE = 7;
/** For a deck without a company: it may be a template or a report. */
const LEAST_WITHOUT_COMPANY = 5.5;

/** One sentence on the offering, as the deck words it, or not stated. */
export const extractOffering: (prompt: ReadPrompt) => ExtractValueOutput = oncePerDeck(findOffering);

function findOffering(prompt: ReadPrompt): ExtractValueOutput {
  const company = extractCompanyName(prompt).value;
  const cover = coverAt(prompt.slides);
  const best = offeringCandidates(prompt, company, cover)[0];
  const sure = company !== '' || best?.slide === prompt.slides[cover] || has(best?.text ?? '', DEFINES);
  const least = sure ? LEAST_SCORE : LEAST_WITHOUT_COMPANY;
  if (best === undefined || best.score < least || documentKindOf(prompt.slides) !== null) return NOT_STATED;
  return {
    evidence: [
      {
        slide: best.slide.number,
        quote: best.quote === best.unit.text ? quoteOf(best.slide.units, best.unit.index) : cutQuote(best.quote),
        answering: best.score >= SURE_SCORE ? 'high' : 'some',
      },
    ],
    stated: true,
    value: withoutCompany(best.text, company).slice(0, 300),
  };
}

/** Sentences that may say what is offered, best first. */
function offeringCandidates(prompt: ReadPrompt, company: string, cover: number): Candidate[] {
  const subject = subjectOf(company);
  const companyKey = keyOf(company);
  const front = prompt.slides[cover];
  const tagline = front === undefined ? null : taglineOf(front, companyKey);
  return [
    ...(tagline === null ? [] : [tagline]),
    ...prompt.slides.flatMap((slide, at) => {
      const titleKey = keyOf(slide.title);
      return slide.units.flatMap((unit): Candidate[] => {
        if (unit.running || continuesBefore(slide, unit)) return [];
        // A row of a table is no sentence.
        if (unit.kind === 'row' && !OFFERS.test(unit.text)) return [];
        const quote = runFrom(slide, unit);
        const text = withoutLooseEnd(withoutLead(quote));
        const words = countWords(text);
        if (words < LEAST_WORDS || words > MOST_WORDS || !isWhole(text)) return [];
        return [
          {
            slide,
            unit,
            quote,
            text,
            score: rate({ slide, at: at - cover, unit, quote, text, words, subject, company, companyKey, titleKey }),
          },
        ];
      });
    }),
  ].toSorted((a, b) => b.score - a.score || a.slide.number - b.slide.number);
}

const MOST_TAGLINE_WORDS = 24;
/** Letters of a legal form behind the name. */
const LEGAL_LETTERS = 4;
/** A German clause ends with its verb; "10 am" is a time. */
const ENDS_WELL = /(?:\p{L}+ ){2}(?:sind|ist|kann|können)$|\d ?am$/iu;
/** A thing and what it does, whatever words follow: "The crunchy snack that used to be waste". */
const IS_THING = /^(?:an?|the|eine?|der|die|das)\s.{3,60}\s(?:that|which|for|who|die|der|das|für)\s/iu;

/**
 * The line under the name on the cover: it is there to say what the company offers, in whatever words, so it counts where nothing says it
 * better.
 */
function taglineOf(slide: ReadSlide, companyKey: string): Candidate | null {
  const units = slide.units.filter((unit) => !unit.running && /\p{L}{2}/u.test(unit.text));
  const isName = ({ text }: TextUnit): boolean =>
    companyKey !== '' && keyOf(text).startsWith(companyKey) && keyOf(text).length <= companyKey.length + LEGAL_LETTERS;
  const name = units.findIndex(isName);
  if (name < 0) return null;
  // Some covers set it above the name.
  const unit = [...units.slice(name + 1), ...units.slice(0, name)].find((each) => isTagline(slide, each));
  if (unit === undefined) return null;
  // It may be made of several short sentences.
  const block = units.filter((each) => each.block === unit.block && each.index >= unit.index && isTagline(slide, each));
  const whole = block.map((each) => each.text).join(' ');
  const isJoined = block.every((each) => /[.!]$/u.test(each.text)) && countWords(whole) <= MOST_TAGLINE_WORDS;
  const text = isJoined ? whole : runFrom(slide, unit);
  const says = has(text, ACTS) || has(text, AUDIENCE);
  return {
    slide,
    unit,
    quote: text,
    text,
    score: 4 + (has(text, PRODUCT) ? 1 : 0) + (says ? 1.5 : 0) + (IS_THING.test(text) ? 1.5 : 0),
  };
}

/** True for a line of the cover that may say what is offered. */
function isTagline(slide: ReadSlide, unit: TextUnit): boolean {
  const text = runFrom(slide, unit);
  const words = countWords(text);
  return (
    words >= (/[.!]$/u.test(text) ? 2 : LEAST_WORDS) &&
    words <= MOST_TAGLINE_WORDS &&
    !continuesBefore(slide, unit) &&
    !/[?…:]$|^["“„«»'‘]|\d{4}/u.test(text) &&
    !isOfDocument(text) &&
    (!has(text, CUT_OFF) || ENDS_WELL.test(text)) &&
    !has(text, BOILERPLATE) &&
    !has(text, PERSON) &&
    (!has(text, NOT_OFFERING) || IS_THING.test(text)) &&
    /\p{Ll}{3}/u.test(text) &&
    findMoney(text).length === 0 &&
    withoutAddresses(text) === text &&
    // Names of people, places and events have no words in small letters.
    (text.match(/(?<![\p{L}\d])\p{Ll}{2,}/gu) ?? []).length > 0
  );
}

/** "What we sell: an app …" becomes "An app …". */
function withoutLead(quote: string): string {
  const rest = quote.replace(LEAD, '').trim();
  return rest === quote ? quote : rest.charAt(0).toUpperCase() + rest.slice(1);
}

const goesOn = (unit: TextUnit, next: TextUnit | undefined): next is TextUnit =>
  next !== undefined &&
  next.block === unit.block &&
  next.kind === unit.kind &&
  (unit.kind === 'sentence' || unit.kind === 'heading') &&
  !/[.!?:;]$/u.test(unit.text) &&
  (/^\p{Ll}/u.test(next.text) || has(unit.text, CUT_OFF));

const continuesBefore = (slide: ReadSlide, unit: TextUnit): boolean => {
  const before = slide.units[unit.index - 1];
  return before !== undefined && goesOn(before, unit);
};

/** The unit with the lines of its block in which it goes on. */
function runFrom(slide: ReadSlide, unit: TextUnit): string {
  let [last, text] = [unit, unit.text];
  for (let next = slide.units[last.index + 1]; goesOn(last, next); next = slide.units[last.index + 1]) {
    text = `${text} ${next.text}`;
    last = next;
  }
  return text;
}

/** A sentence that goes on in a list, without the word before the list. */
function withoutLooseEnd(text: string): string {
  // A definition is whole before the word that announces its list.
  const announced = /\s(?:providing|including|offering|featuring|with|mit|für|for):$/iu.exec(text);
  if (announced !== null) return text.slice(0, announced.index);
  const end = /(?:\s(?:to|that|by|for|and|with|which|um|zu|und|für|mit)|[:,–—-])+$/iu.exec(text);
  return end !== null && countWords(text) >= 10 ? text.slice(0, end.index) : text;
}

/** The company's name where it is the subject of a sentence. */
const subjectOf = (company: string): RegExp | null =>
  company === ''
    ? null
    : new RegExp(
        String.raw`^(?:(?:at|with|mit|bei) )?${RegExp.escape(company)}(?:,?\s?(?:Inc\.?|GmbH|LLC|Ltd\.?|AG|UG))?(?:\s\([^)]*\))?(?:\s(?=\p{L})|\s?[:–—-]\s)`,
        'iu',
      );

/** True where the name begins the sentence; a capital after it goes on with a heading. */
const isSubject = (subject: RegExp, text: string): boolean => {
  const match = subject.exec(text);
  return match !== null && (/[:–—-]\s$/u.test(match[0]) || /^(?:\p{Ll}|Is\s|Ist\s)/u.test(text.slice(match[0].length)));
};

/** False for a piece of a sentence, a question, a quotation, an enumeration of features. */
function isWhole(text: string): boolean {
  if (
    /[?…]$|^["“„«»'‘]|["”«»]$/u.test(text) ||
    /^(?:0|no|zero|none|kein\p{L}*)\s/iu.test(text) ||
    has(text, CUT_OFF) ||
    has(text, BOILERPLATE) ||
    isOfDocument(text)
  )
    return false;
  if (has(text, NARRATIVE) || (text.match(/[^\p{L}\p{N}\s.,;:'’()–—-]/gu)?.length ?? 0) > text.length / 12)
    return false;
  if (/^\p{Ll}+(?!\p{L})/u.test(text) && !/^[a-z]+[.A-Z]/u.test(text)) return false;
  return withoutAddresses(text) === text && (text.match(/[•|→⬡·]/gu)?.length ?? 0) <= 1;
}

interface Place extends Omit<Candidate, 'score'> {
  /** Slides after the cover; negative before it. */
  readonly at: number;
  readonly words: number;
  readonly subject: RegExp | null;
  readonly company: string;
  readonly companyKey: string;
  readonly titleKey: string;
}

function rate({ slide, at, unit, quote, text, words, subject, company, companyKey, titleKey }: Place): number {
  const title = slide.title === '' ? (slide.units[0]?.text ?? '') : slide.title;
  const cover = at === 0;
  // Under the name as title, what the product does needs no subject.
  const under = titleKey === companyKey || (unit.kind === 'title' && unit.index > 0 && titleKey.startsWith(companyKey));
  const named = company !== '' && !cover && under && isAmongFirst(slide, unit);
  const own = (subject !== null && isSubject(subject, text)) || (named && words >= 4);
  const labelled = OFFERS.test(quote) || MAKES.test(text);
  const defines = own || labelled || has(text, DEFINES);
  const heads = `${title}\n${unit.under}`;
  if (!defines && !cover && has(heads, phrases('about problems', 'about others'))) return 0;
  const products = countDistinct(text, PRODUCT);
  const acts = countDistinct(text, ACTS);
  if (products === 0 && acts === 0 && !cover && !own) return 0;
  let score = Math.min(products, 2) * 1.2 + Math.min(acts, 2) * 0.8 + (has(text, AUDIENCE) ? 0.6 : 0);
  const rest = subject === null ? text : text.replace(subject, '');
  if (!own && subject !== null && subject.test(text)) score -= 2;
  if (own) score += isDefinition(rest) ? 5.5 : 4.3;
  else if (labelled) score += 5;
  else if (defines) score += 3;
  else if (isNoun(text)) score += 1.5;
  if (cover) score += coverPoints(slide, unit, products);
  else if (has(heads, phrases('about solution')) && !(unit.kind === 'title' && text === unit.text))
    score += has(heads, phrases('steps')) && !defines ? 1.5 : firstOf(slide, unit) ? 3 : 2.5;
  else if (!defines) score -= 1.5;
  // A product named in the first words is defined; at the end it is mentioned.
  if (has(text.split(/\s+/u).slice(0, 7).join(' '), PRODUCT)) score += 1.5;
  if (unit.heading && !cover) score -= words < 6 ? 3 : own ? 0 : 1;
  if (words >= 8 && words <= 35) score += 1.5;
  if (words < 6) score -= unit.kind === 'item' ? 2.5 : 1;
  if (company !== '' && !own && text.toLowerCase().includes(company.toLowerCase())) score += 0.5;
  if (!/[.!]$/u.test(text) && !unit.heading && !cover && unit.kind !== 'item' && words > 12) score -= 0.5;
  if (ANAPHORA.test(text)) score -= 2.5;
  if (isStep(slide, unit)) score -= 3;
  return score - faults(text) - Math.min(own || defines ? 2 : 4, Math.max(0, at) * (own || defines ? 0.2 : 0.25));
}

/** A text under a number is one of several steps. */
const isStep = (slide: ReadSlide, unit: TextUnit): boolean =>
  /^0?\d$/u.test(slide.units[unit.index - 1]?.text ?? '') && slide.units[unit.index - 1]?.block === unit.block;

/** "a platform that …", "ist eine App für …". */
const isDefinition = (rest: string): boolean =>
  /^(?:is|are|ist|was|es|é|est|è|to)\s+(?:an?|the|one|your|our|eine?|die|der|das|una?|uma?|une|jest)(?!\p{L})|^(?:an?|eine?|die|der|das)\s/iu.test(
    rest.trim(),
  );

/** "A platform that …", "Eine App für …": a product with what it does or for whom. */
const isNoun = (text: string): boolean =>
  /^(?:an?|the (?:first|only|world)|eine?|die erste|das erste)\s/iu.test(text) &&
  has(text.split(/\s+/u).slice(0, 8).join(' '), PRODUCT) &&
  (has(text, ACTS) || has(text, AUDIENCE));

/** True for the first two texts under the title. */
const isAmongFirst = (slide: ReadSlide, unit: TextUnit): boolean =>
  slide.units.filter((other) => !other.heading && !other.running && other.words >= 4).indexOf(unit) < 2;

/** The first sentence under the title. */
const firstOf = (slide: ReadSlide, unit: TextUnit): boolean =>
  slide.units.find((other) => !other.heading && !other.running && other.words >= 5) === unit;

/** A line under the name on the first slide says what it is about. */
function coverPoints(slide: ReadSlide, unit: TextUnit, products: number): number {
  const rivals = slide.units.filter((other) => other !== unit && other.words >= 5 && !other.running).length;
  if (unit.words < 5 && products === 0) return 0;
  return (products > 0 ? 4.5 : 1.5) + (/^\p{Lu}\p{Ll}+ing\s/u.test(unit.text) ? 1 : 0) + (rivals === 0 ? 0.5 : 0);
}

function faults(text: string): number {
  return (
    countDistinct(text, NOT_OFFERING) * 2 +
    (has(text, phrases('negation')) ? 1 : 0) +
    (findMoney(text).length > 0 ? 2 : 0) +
    (has(text, PERSON) ? 2.5 : 0) +
    Math.min(2, (text.match(/\d+/gu)?.length ?? 0) * 0.4) +
    (text.endsWith('!') ? 1 : 0) +
    (/^(?:these|this|they|their|such|its?|diese[rs]?|dies|es|ihre?)\s/iu.test(text) && !has(text, DEFINES) ? 2.5 : 0) +
    // An enumeration of features.
    ((text.match(/[,(]/gu)?.length ?? 0) >= 3 && !has(text, ACTS) ? 2 : 0)
  );
}

/** "CardioSense is a patch that …" becomes "A patch that …"; a full stop at the end goes. */
function withoutCompany(text: string, company: string): string {
  let value = text.replace(/[.!]$/u, '').trim();
  if (company !== '') {
    const lead = new RegExp(
      `^${RegExp.escape(company)}(?:,?\\s?(?:GmbH|AG|Inc\\.?|Ltd\\.?|LLC))?(?:\\s+(?:is|ist)\\s+|\\s*[:–—-]\\s+)`,
      'iu',
    );
    value = value.replace(lead, '');
  }
  return value.charAt(0).toUpperCase() + value.slice(1);
}

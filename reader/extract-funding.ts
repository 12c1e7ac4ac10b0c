/**
 * Finds how much money the company seeks in this round. An amount counts only with words that ask for it: in its sentence, as the label
 * beside it, or as the heading over it. Money raised earlier, revenue, market sizes, valuations, prices and parts of the use of funds do
 * not count. When in doubt the deck does not say it.
 */
import type { ExtractValueOutput } from '../domain/models/result-schemas.ts';
import { findMoney, parseAmount } from '../domain/evidence/money.ts';
import { oncePerDeck } from './once-per-deck.ts';
import type { ReadPrompt, ReadSlide } from './prompt.ts';
import { isTemplate } from './template-deck.ts';
import { countWords, quoteOf, type TextUnit } from './text.ts';
import { findSums } from './sums.ts';

export const NOT_STATED: ExtractValueOutput = { evidence: [], stated: false, value: '' };

/** Words of asking now. */
const ASKS =
  /(?<![\p{L}\p{N}])(?:(?:now |currently )?(?<!, )raising|(?:we|which) requires?|requesting|fund(?:ing|raise|raising)?(?=\s*:)|raise(?=\s*:)|needs?|to be raised|needed|join our|(?:this|current|our|open) (?:\p{L}+ )?raise|we raise|(?:to|will|want to) raise|seek(?:s|ing)?|looking (?:for|to (?:raise|secure))|asking for|(?:the|our) ask|ask(?=\s*[:–-])|funding (?:need(?:ed|s)?|requirements?|ask|sought|target|goal)|(?:capital|investment) (?:need(?:ed|s)?|requirements?|ask|sought|required|target)|(?:round|raise) (?:size|target|volume)|target (?:round|raise|volume)|(?:this|current|open|new) (?:financing |funding |investment )?round|we (?:need|are opening)|opening (?:a|an|our)|invest(?:ment)? opportunity)(?![\p{L}\p{N}])|(?<![\p{L}\p{N}])(?:kapitalbedarf|finanzierungsbedarf|finanzbedarf|investitionsbedarf|kapitalsuche|gesuchtes? (?:kapital|investment|volumen)|gesucht(?:e)?|(?:wir )?suchen|(?:wir )?benötigen|(?:wir )?brauchen|einwerben|einsammeln|aufnehmen|sammeln|werben|zielvolumen|zielbetrag|rundengröße|rundenvolumen|volumen der runde|aufzunehmen|einzuwerben|unsere? (?:angebot|anfrage|bitte)|(?:diese|aktuelle|laufende|neue) (?:finanzierungs)?runde|nehmen\b.{0,60}\bauf\b|holen\b.{0,40}\ban bord)(?![\p{L}\p{N}])/giu;
/** Words of asking in other languages, which often stand alone over the amount. */
const ASKS_ELSEWHERE =
  /(?<![\p{L}\p{N}])(?:szukamy|poszukujemy|buscamos|buscando|solicitamos|procuramos|captando|recherchons|cherchons|levons|cerchiamo)(?![\p{L}\p{N}])/giu;
/** Names of a round: ask only where nothing says that it is over. */
const ROUND =
  /(?<![\p{L}\p{N}])(?:pre-?seed|seed|series [a-e]|serie [a-e]|bridge|angel|growth|wachstums)[- ]?(?:extension[- ]?|plus[- ]?)?(?:round|financing|funding|runde|finanzierung(?:srunde)?|raise|investment)(?![\p{L}\p{N}])|(?<![\p{L}\p{N}])(?:finanzierungsrunde|round|runde|bridge|convertible(?: note| loan)?|wandeldarlehen)(?![\p{L}\p{N}])/giu;
/** Words of money that came earlier or is only promised. */
const EARLIER =
  /(?<![\p{L}\p{N}])(?:raised|closed|received|secured|previous(?:ly)?|earlier|prior|last round|to date|so far|already|backed|committed|commitments?|pledged|soft[- ]circled|bootstrapped|grants?|awarded|invested|bisher\p{L}*|bereits|erhalten|eingeworben|eingesammelt|abgeschlossen\p{L}*|letzte\p{L}*|vorherige\p{L}*|frühere\p{L}*|zugesagt\p{L}*|zusagen?|investiert|gefördert|förder\p{L}+|zuschuss|zuschüsse|stipendium|eigenmittel|aufgenommen|flossen|gründer\p{L}*darlehen|erste runde|first round)(?![\p{L}\p{N}])/giu;
/** Words of money that is no funding at all. */
const OTHER =
  /(?<![\p{L}\p{N}])(?:revenues?|turnover|sales|arr|mrr|bookings|pipeline|tam|sam|som|market|valuation|pre-?money|post-?money|valued|burn|cash|costs?|price|pricing|fee|fees|salary|savings?|saves?|profit|margin|ebitda|ebit|exit|acquired|acquisition|ltv|cac|per|each|monthly|annually|yearly|budget|contract|orders?|damages?|losses|loses?|spend(?:s|ing)?|fines?|competitors?|umsatz|umsätze|erlöse?|markt\p{L}*|bewertung|kosten|kostet|preis\p{L}*|gebühr\p{L}*|pro|je|monatlich\p{L}*|jährlich\p{L}*|gewinn|marge|einsparung\p{L}*|spart|sparen|ersparnis|auftrag\p{L}*|aufträge|vertrag\p{L}*|verlust\p{L}*|schäden|schaden|volkswirtschaft\p{L}*|ausgaben|kasse|liquidität|guthaben|konto|listenpreis|lizenz\p{L}*|wettbewerber\p{L}*|verkauft|übernahme)(?![\p{L}\p{N}])/giu;
const ASK_HEADING =
  /(?<![\p{L}\p{N}])(?:ask|need|brauchen|benötigen|raising|raise|seeking|funding|financing|investment|invest|round|kapitalbedarf|finanzierungsbedarf|finanzierung\p{L}*|investment|kapital\p{L}*|runde|angebot|series [a-e]|seed|join us|partner with us|einsteigen|beteilig\p{L}*|investier\p{L}*|deal terms|fundraise|fundraising|fund ?raising|raise|inwestycyj\p{L}*|inversión|investimento|investissement|levée|rodada|ronda)(?![\p{L}\p{N}])/iu;
const NO_ASK_HEADING =
  /(?<![\p{L}\p{N}])(?:history|so far|to date|traction|financials?|market|milestones|track record|bisher\p{L}*|historie|markt|finanzzahlen|finanzplan\p{L}*|kennzahlen|case|model|modell)(?![\p{L}\p{N}])/iu;
/** All that may stand beside an amount that is the ask. */
const LABELS =
  /^[\s:–—|·•,.-]*(?:(?:total|gesamt|amount|betrag|volumen|volume|round|runde|ask|target|ziel|now|jetzt|pre-?seed|seed|series [a-e]|serie [a-e]|investment|kapital|funding|finanzierung|summe|raise|current|our|this|diese\p{L}*|unsere\p{L}*|equity|eigenkapital|in|of|von|über)[\s:–—|·•,.-]*)*$/iu;
/** Labels that ask by themselves. */
const ASK_LABEL =
  /^[\s:–—-]*(?:(?:the|our|current|total|target|minimum|seed|pre-?seed|equity|series [a-e]|unsere?|aktuelle?|gesamt) ?)*(?:ask|raise|raising|amount (?:raising|sought)|funding(?: (?:goal|target|amount|round))?|fund ?raise|round(?: size)?|seeking|investment (?:sought|ask|amount|size)|we (?:ask|seek|need|want)|kapitalbedarf|investitionssumme|finanzierungsrunde|gesucht|wir suchen|zielsumme)[\s:–—-]*$/iu;
/** Before a share of the whole. */
const PART =
  /(?<!\p{L})(?:additional|further|another|first tranche|of which|including|weitere|zusätzlich\p{L}*|davon|tranche)(?!\p{L})/iu;
const NEED = /(?<!\p{L})need(?:s|ed)?(?!\p{L})/iu;
const CAPITAL = /(?<!\p{L})(?:fund|capital|invest|money|financ|amount)/iu;
const USE_OF_FUNDS = /use of (?:funds|proceeds)|mittelverwendung|verwendung der mittel/iu;

/** An amount of the deck and where it stands. */
interface Amount {
  readonly slide: ReadSlide;
  readonly unit: TextUnit;
  readonly raw: string;
  readonly start: number;
  readonly end: number;
  readonly size: number;
  /** False for "2M", which is money only beside words that ask. */
  readonly sure: boolean;
}

interface Candidate {
  readonly amount: Amount;
  readonly score: number;
}

/** Smallest amount that counts as funding, in any currency. */
const LEAST_SIZE = 10_000;
const BARE_AMOUNT =
  /(?<![\p{L}\d.,$€£₹])\d+(?:[.,]\d+)?\s?(?:[MK]|Mio\.?|Mn|million(?:en|s)?|mln|Cr|crores?|lakhs?)(?![\p{L}\d])/gu;

function amountsOf(slide: ReadSlide): Amount[] {
  return slide.units.flatMap((unit): Amount[] => {
    if (!/\d/u.test(unit.text)) return [];
    const placed = findMoney(unit.text);
    const sure = placed.map(({ money, start, end }) => ({
      slide,
      unit,
      raw: unit.text.slice(start, end),
      start,
      end,
      size: money.amount,
      sure: true,
    }));
    const bare = [...unit.text.matchAll(BARE_AMOUNT)]
      .filter(({ index }) => placed.every(({ start, end }) => index >= end || index < start))
      .map((match) => {
        const [start, end] = [match.index, match.index + match[0].length];
        return { slide, unit, raw: match[0], start, end, size: parseAmount(match[0])?.amount ?? 0, sure: false };
      });
    return [...sure, ...bare].filter(({ size }) => size >= LEAST_SIZE);
  });
}

/** Characters between an amount and the nearest match of the pattern; null when there is none, or another amount stands between. */
function distance(amount: Amount, pattern: RegExp, others: readonly Amount[]): number | null {
  let nearest: number | null = null;
  for (const match of amount.unit.text.matchAll(pattern)) {
    const end = match.index + match[0].length;
    const [from, to] = end <= amount.start ? [end, amount.start] : [amount.end, match.index];
    const gap = Math.max(0, to - from);
    const between = others.some((o) => o !== amount && o.unit === amount.unit && o.start >= from && o.end <= to);
    if (!between && (nearest === null || gap < nearest)) nearest = gap;
  }
  return nearest;
}

/** Short texts that may label an amount that stands alone: the lines beside it, and the heading over it. A sentence is no label. */
function labelsOf({ slide, unit }: Amount): string[] {
  const before = slide.units[unit.index - 1];
  const after = slide.units[unit.index + 1];
  // A heading belongs to what follows it.
  const beside = [before, after?.heading === true ? undefined : after].filter(
    (other) => other !== undefined && !other.running && other.words <= 8 && !/[.!?]$/u.test(other.text),
  );
  const heading = slide.units.findLast((other) => other.kind === 'heading' && other.index < unit.index);
  const near = heading !== undefined && unit.block - heading.block <= 2 && heading.words <= 8;
  return [...beside.map((other) => other?.text ?? ''), ...(near ? [heading.text] : [])].filter(
    (label) => !isBare(label),
  );
}

/** True between other figures without words: a column of a table. */
const isAmongFigures = ({ slide, unit }: Amount): boolean =>
  [slide.units[unit.index - 1], slide.units[unit.index + 1]].some(
    (other) => other !== undefined && isBare(other.text) && findMoney(other.text).length === 0,
  );

/** True for an amount without words of its own. */
const isBare = (text: string): boolean => {
  const rest = findMoney(text).reduceRight((left, { start, end }) => left.slice(0, start) + left.slice(end), text);
  return /\d/u.test(text) && !/\p{L}{3,}/u.test(rest.replaceAll(BARE_AMOUNT, ''));
};

/** Headings of a slide that say what its amounts are. */
const headingsOf = (slide: ReadSlide): string[] =>
  slide.units
    .filter((unit) => !unit.running && (unit.heading || unit.index === 0) && unit.words <= 12)
    .map((unit) => unit.text);

/** A slide that asks: one of its headings, or words of asking that stand alone. */
function asks(slide: ReadSlide): boolean {
  const headings = headingsOf(slide);
  if (headings.some((text) => matches(NO_ASK_HEADING, text))) return false;
  return (
    headings.some((text) => matches(ASK_HEADING, text)) ||
    slide.units.some((unit) => !unit.running && unit.words <= 3 && labelAsks(unit.text))
  );
}

/** True for a label that asks. What is "needed" may be anything but money. */
const labelAsks = (label: string): boolean =>
  ASK_LABEL.test(label) ||
  matches(ASKS_ELSEWHERE, label) ||
  (matches(ASKS, label) && (!matches(NEED, label) || matches(CAPITAL, label)));

const matches = (pattern: RegExp, text: string): boolean => text.search(pattern) >= 0;

function rate(amount: Amount, amounts: readonly Amount[], asking: boolean): number {
  const { unit, slide } = amount;
  const bonus = asking ? 2 : 0;
  if (isBare(unit.text) && !unit.running) return rateBare(amount, amounts, asking);
  const ask = distance(amount, ASKS, amounts) ?? distance(amount, ASKS_ELSEWHERE, amounts);
  const round = distance(amount, ROUND, amounts);
  const earlier = distance(amount, EARLIER, amounts);
  const other = distance(amount, OTHER, amounts);
  // The nearest words decide.
  const nearer = (cue: number | null, rival: number | null): boolean =>
    cue !== null && (rival === null || cue <= rival);
  const part = matches(PART, unit.text.slice(Math.max(0, amount.start - 25), amount.start)) ? 5 : 0;
  if (ask !== null && ask <= 90 && nearer(ask, earlier) && nearer(ask, other)) {
    return 10 - ask / 20 + bonus + (unit.heading ? 1 : 0) - part - (amount.sure ? 0 : 2);
  }
  if ((earlier !== null && (earlier <= 60 || round !== null)) || (other !== null && other <= 45)) return 0;
  const planned = headingsOf(slide).some((text) => matches(NO_ASK_HEADING, text));
  if (round !== null && round <= 40 && !planned) return 6 - round / 20 + bonus - part - (amount.sure ? 0 : 2);
  if (!asking || !amount.sure || unit.running) return 0;
  const rest = unit.text.slice(0, amount.start) + unit.text.slice(amount.end);
  if (unit.heading && countWords(rest) <= 3) return 6;
  // Under a heading that asks, an amount alone or with a label is the ask; with any other words it may be one share of it.
  return LABELS.test(rest) ? 4 : 0;
}

/** An amount that stands alone is what its labels say. */
function rateBare(amount: Amount, amounts: readonly Amount[], asking: boolean): number {
  const labels = labelsOf(amount);
  const asked = labels.some(labelAsks);
  const other = labels.some(
    (label) => matches(OTHER, label) || matches(EARLIER, label) || matches(USE_OF_FUNDS, label),
  );
  if (asked) return other ? 0 : 9 + (asking ? 2 : 0) - (amount.sure ? 0 : 2);
  if (other || !asking || !amount.sure) return 0;
  if (amount.unit.heading) return 6;
  if (labels.some((label) => matches(ROUND, label))) return 7;
  if (labels.some((label) => label !== '' && (LABELS.test(label) || matches(ASK_HEADING, label)))) return 4;
  // Without a label it is the ask where the slide says little else.
  const words = amount.slide.units.reduce((sum, unit) => sum + (unit.running ? 0 : unit.words), 0);
  return words <= SHORT_SLIDE && amounts.length === 1 && !isAmongFigures(amount) ? 3 : 2;
}

/** Words of a slide that is made of a few large ones. */
const SHORT_SLIDE = 40;
const LEAST_SCORE = 3;

/** The amount sought, as written, or not stated. */
export const extractFunding: (prompt: ReadPrompt) => ExtractValueOutput = oncePerDeck(findFunding);

function findFunding(prompt: ReadPrompt): ExtractValueOutput {
  const candidates = prompt.slides.flatMap((slide): Candidate[] => {
    const amounts = amountsOf(slide);
    if (amounts.length === 0) return [];
    const asking = asks(slide);
    const scores = new Map(amounts.map((amount) => [amount, rate(amount, amounts, asking)]));
    // The sum of others is the whole where something asks for it; what it is made of is not.
    for (const { total, parts } of asking ? findSums(amounts) : []) {
      const score = scores.get(total) ?? 0;
      if (score <= 0) continue;
      scores.set(total, score + 3);
      for (const part of parts) scores.set(part, (scores.get(part) ?? 0) - 7);
    }
    return [...scores].map(([amount, score]) => ({ amount, score }));
  });
  const good = candidates.filter(({ score }) => score >= LEAST_SCORE);
  // Amounts said twice gain; of equal ones the larger is the whole and the smaller a part.
  const total = (c: Candidate): number =>
    c.score + Math.min(3, good.filter((o) => o !== c && o.amount.size === c.amount.size).length);
  const best = good.toSorted((a, b) => total(b) - total(a) || b.amount.size - a.amount.size)[0]?.amount;
  if (best === undefined || isTemplate(prompt)) return NOT_STATED;
  return {
    evidence: [{ slide: best.slide.number, quote: quoteAround(best.slide, best.unit, best.raw) }],
    stated: true,
    value: best.raw,
  };
}

/** The unit's quote if it holds the value, else the words around the value. */
export function quoteAround(slide: ReadSlide, unit: TextUnit, value: string): string {
  const quote = quoteOf(slide.units, unit.index);
  if (quote.includes(value)) return quote;
  const at = unit.text.indexOf(value);
  const from = Math.max(0, unit.text.lastIndexOf(' ', Math.max(0, at - 80)) + 1);
  return unit.text.slice(from, at + value.length);
}

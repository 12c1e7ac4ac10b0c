/**
 * Finds how much money the company seeks in this round. An amount counts only next to words that ask for it; money raised earlier,
 * revenue, market sizes, valuations, prices and parts of the use of funds do not. When in doubt the deck does not say it.
 */
import type { ExtractValueOutput } from '../domain/models/result-schemas.ts';
import { findMoney, type MoneyWords } from './money-words.ts';
import type { ReadPrompt, ReadSlide } from './prompt.ts';
import { quoteOf, type TextUnit } from './text.ts';

export const NOT_STATED: ExtractValueOutput = { evidence: [], stated: false, value: '' };

/** Words of asking now. */
const ASKS =
  /(?<![\p{L}\p{N}])(?:(?:now |currently )?raising|to be raised|needed|join our|(?:this|current|our|open) (?:\p{L}+ )?raise|we raise|(?:to|will|want to) raise|seek(?:s|ing)?|looking (?:for|to (?:raise|secure))|asking for|(?:the|our) ask|ask(?=\s*[:–-])|funding (?:need(?:ed|s)?|requirements?|ask|sought|target|goal)|(?:capital|investment) (?:need(?:ed|s)?|requirements?|ask|sought|required|target)|(?:round|raise) (?:size|target|volume)|target (?:round|raise|volume)|(?:this|current|open|new) (?:financing |funding |investment )?round|we (?:need|are opening)|opening (?:a|an|our)|invest(?:ment)? opportunity)(?![\p{L}\p{N}])|(?<![\p{L}\p{N}])(?:kapitalbedarf|finanzierungsbedarf|finanzbedarf|investitionsbedarf|kapitalsuche|gesuchtes? (?:kapital|investment|volumen)|gesucht(?:e)?|(?:wir )?suchen|(?:wir )?benötigen|(?:wir )?brauchen|einwerben|einsammeln|aufnehmen|sammeln|werben|zielvolumen|zielbetrag|rundengröße|rundenvolumen|volumen der runde|aufzunehmen|einzuwerben|unsere? (?:angebot|anfrage|bitte)|(?:diese|aktuelle|laufende|neue) (?:finanzierungs)?runde|nehmen\b.{0,60}\bauf\b|holen\b.{0,40}\ban bord)(?![\p{L}\p{N}])/giu;
/** Names of a round: ask only where nothing says that it is over. */
const ROUND =
  /(?<![\p{L}\p{N}])(?:pre-?seed|seed|series [a-e]|serie [a-e]|bridge|growth|wachstums)[- ]?(?:extension[- ]?|plus[- ]?)?(?:round|financing|funding|runde|finanzierung(?:srunde)?|raise|investment)(?![\p{L}\p{N}])|(?<![\p{L}\p{N}])(?:finanzierungsrunde|round|runde|bridge|convertible(?: note| loan)?|wandeldarlehen)(?![\p{L}\p{N}])/giu;
/** Words of money that came earlier or is only promised. */
const EARLIER =
  /(?<![\p{L}\p{N}])(?:raised|closed|received|secured|previous(?:ly)?|earlier|prior|last round|to date|so far|already|backed|committed|commitments?|pledged|soft[- ]circled|bootstrapped|grants?|awarded|invested|bisher\p{L}*|bereits|erhalten|eingeworben|eingesammelt|abgeschlossen\p{L}*|letzte\p{L}*|vorherige\p{L}*|frühere\p{L}*|zugesagt\p{L}*|zusagen?|investiert|gefördert|förder\p{L}+|zuschuss|zuschüsse|stipendium|eigenmittel|aufgenommen|flossen|gründer\p{L}*darlehen|erste runde|first round)(?![\p{L}\p{N}])/giu;
/** Words of money that is no funding at all. */
const OTHER =
  /(?<![\p{L}\p{N}])(?:revenues?|turnover|sales|arr|mrr|bookings|pipeline|tam|sam|som|market|valuation|pre-?money|post-?money|valued|burn|cash|costs?|price|pricing|fee|fees|salary|savings?|saves?|profit|margin|ebitda|ebit|exit|acquired|acquisition|ltv|cac|per|each|monthly|annually|yearly|budget|contract|orders?|damages?|losses|loses?|spend(?:s|ing)?|fines?|competitors?|umsatz|umsätze|erlöse?|markt\p{L}*|bewertung|kosten|kostet|preis\p{L}*|gebühr\p{L}*|pro|je|monatlich\p{L}*|jährlich\p{L}*|gewinn|marge|einsparung\p{L}*|spart|sparen|ersparnis|auftrag\p{L}*|aufträge|vertrag\p{L}*|verlust\p{L}*|schäden|schaden|volkswirtschaft\p{L}*|ausgaben|kasse|liquidität|guthaben|konto|listenpreis|lizenz\p{L}*|wettbewerber\p{L}*|verkauft|übernahme)(?![\p{L}\p{N}])/giu;
const ASK_HEADING =
  /(?<![\p{L}\p{N}])(?:ask|need|brauchen|benötigen|raising|raise|seeking|funding|financing|investment|invest|round|kapitalbedarf|finanzierungsbedarf|finanzierung\p{L}*|investment|kapital\p{L}*|runde|angebot|series [a-e]|seed|join us|partner with us|einsteigen|beteilig\p{L}*|investier\p{L}*)(?![\p{L}\p{N}])/iu;
const NO_ASK_HEADING =
  /(?<![\p{L}\p{N}])(?:history|so far|to date|traction|financials?|market|milestones|track record|bisher\p{L}*|historie|markt|finanzzahlen|finanzplan\p{L}*|kennzahlen|case|model|modell)(?![\p{L}\p{N}])/iu;
/** All that may stand beside an amount that is the ask. */
const LABELS =
  /^[\s:–—|·•,.-]*(?:(?:total|gesamt|amount|betrag|volumen|volume|round|runde|ask|target|ziel|now|jetzt|pre-?seed|seed|series [a-e]|serie [a-e]|investment|kapital|funding|finanzierung|summe|raise|current|our|this|diese\p{L}*|unsere\p{L}*|equity|eigenkapital|in|of|von|über)[\s:–—|·•,.-]*)*$/iu;
const USE_OF_FUNDS = /use of (?:funds|proceeds)|mittelverwendung|verwendung der mittel/iu;

interface Candidate {
  readonly slide: ReadSlide;
  readonly unit: TextUnit;
  readonly money: MoneyWords;
  readonly score: number;
}

/** Characters between an amount and the nearest match of the pattern in the same clause group; null when there is none. */
function distance(text: string, money: MoneyWords, pattern: RegExp): number | null {
  let nearest: number | null = null;
  for (const match of text.matchAll(pattern)) {
    const end = match.index + match[0].length;
    const gap = end <= money.start ? money.start - end : match.index >= money.end ? match.index - money.end : 0;
    if (nearest === null || gap < nearest) nearest = gap;
  }
  return nearest;
}

/** An amount that stands alone is read together with the labels beside it. */
function withLabels(slide: ReadSlide, unit: TextUnit): { text: string; offset: number } {
  const bare = !/\p{L}{3,}/u.test(
    findMoney(unit.text).reduce((rest, money) => rest.replace(money.raw, ' '), unit.text),
  );
  if (!bare || unit.running) return { text: unit.text, offset: 0 };
  const before = slide.units[unit.index - 1];
  const after = slide.units[unit.index + 1];
  const lead = before !== undefined && before.words <= 8 && !before.running ? `${before.text} ` : '';
  const tail = after !== undefined && after.words <= 8 && !after.running ? ` ${after.text}` : '';
  return { text: lead + unit.text + tail, offset: lead.length };
}

function rate(slide: ReadSlide, unit: TextUnit, money: MoneyWords): number {
  const { text, offset } = withLabels(slide, unit);
  const shifted = { ...money, start: money.start + offset, end: money.end + offset };
  const ask = distance(text, shifted, ASKS);
  const round = distance(text, shifted, ROUND);
  const earlier = distance(text, shifted, EARLIER);
  const other = distance(text, shifted, OTHER);
  const heading = slide.units[0]?.text ?? '';
  const askHeading = ASK_HEADING.test(heading) && !NO_ASK_HEADING.test(heading);
  // The nearest words decide.
  const nearer = (cue: number | null, rival: number | null): boolean =>
    cue !== null && (rival === null || cue <= rival);
  if (ask !== null && ask <= 90 && nearer(ask, earlier) && nearer(ask, other))
    return 10 - ask / 20 + (askHeading ? 2 : 0);
  if (earlier !== null && (earlier <= 60 || round !== null)) return 0;
  if (other !== null && other <= 45) return 0;
  if (round !== null && round <= 40) return 6 - round / 20 + (askHeading ? 2 : 0);
  const fundsSlide = slide.units.some((other) => other.words <= 6 && USE_OF_FUNDS.test(other.text));
  if (!askHeading && !(fundsSlide && !NO_ASK_HEADING.test(heading))) return 0;
  if (unit.heading) return 6;
  // Under a heading that asks, an amount alone or with a label is the ask; with any other words it may be one share of it.
  return LABELS.test(unit.text.replace(money.raw, ' ')) ? 4 : 0;
}

const LEAST_SCORE = 3;
/** Smallest amount that counts as funding. */
const LEAST_SIZE = 20_000;

/** The amount sought, as written, or not stated. */
export function extractFunding(prompt: ReadPrompt): ExtractValueOutput {
  const candidates: Candidate[] = [];
  for (const slide of prompt.slides) {
    for (const unit of slide.units) {
      if (unit.steering || unit.running) continue;
      for (const money of findMoney(unit.text)) {
        if (money.size < LEAST_SIZE) continue;
        const score = rate(slide, unit, money);
        if (score >= LEAST_SCORE) candidates.push({ slide, unit, money, score });
      }
    }
  }
  // Amounts said twice gain; of equal ones the larger is the whole and the smaller a part.
  const total = (c: Candidate): number =>
    c.score + candidates.filter((o) => o !== c && o.money.size === c.money.size).length;
  const best = candidates.toSorted((a, b) => total(b) - total(a) || b.money.size - a.money.size)[0];
  if (best === undefined) return NOT_STATED;
  return {
    evidence: [{ slide: best.slide.number, quote: quoteAround(best.slide, best.unit, best.money.raw) }],
    stated: true,
    value: best.money.raw,
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

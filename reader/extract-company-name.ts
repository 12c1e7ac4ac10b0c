/**
 * Finds the name of the company that presents the deck: from the title slide, names with a legal form, footers, copyright lines, and the
 * domain of the contact address. A name needs several of these; one mention on an inner slide is not enough.
 */
import type { ExtractValueOutput } from '../domain/models/result-schemas.ts';
import { NOT_STATED } from './extract-funding.ts';
import type { ReadPrompt, ReadSlide } from './prompt.ts';
import { countWords, cutQuote, quoteOf } from './text.ts';

const LEGAL_FORM = String.raw`(?:GmbH(?: & Co\.? KG)?|gGmbH|UG(?: \(haftungsbeschränkt\))?|AG|SE|KG|e\.\s?V\.|e\.?K\.?|Inc\.?|Incorporated|Corp\.?|Corporation|LLC|Ltd\.?|Limited|PLC|plc|B\.?V\.?|N\.?V\.?|S\.?A\.?S?\.?|S\.?r\.?l\.?|AB|ApS|A/S|Oy|AS|Sàrl|Pty)`;
const NAME_WORD = String.raw`(?:[\p{Lu}\d][\p{L}\p{N}&'’.+-]*|[\p{Ll}]+[\p{Lu}][\p{L}\p{N}]*)`;
/** Labels of a chart's axis, which run into the footer below it. */
const AXIS_LABEL = String.raw`(?:Q[1-4]|(?:19|20)\d\d)\s`;
const FORM_WORD = `(?!${AXIS_LABEL})${NAME_WORD}`;
const WITH_FORM = new RegExp(
  String.raw`(?<![\p{L}\p{N}])(${FORM_WORD}(?:[ -]${FORM_WORD}){0,3}),?\s(?:${LEGAL_FORM})(?![\p{L}])`,
  'gu',
);
const COPYRIGHT = new RegExp(
  String.raw`(?:©|\(c\)|Copyright)\s*(?:\d{4}\s*)?(${NAME_WORD}(?: ${NAME_WORD}){0,2})`,
  'giu',
);
const DOMAIN = /(?:[\w.+-]+@|https?:\/\/|www\.)(?:www\.)?([a-z0-9-]+)(?:\.[a-z0-9-]+)*\.[a-z]{2,}/giu;
const BARE_DOMAIN =
  /(?<![@\w.-])([a-z0-9-]{3,})\.(?:com|io|de|ai|health|eu|ch|at|co|net|org|app|tech|bio|care|example)(?![\w.-])/giu;
const DEFINED = new RegExp(
  String.raw`(?:^|[.!?]\s|(?:At|Bei|With|Mit|About|Über|Meet|Why|Warum)\s)(${NAME_WORD}(?: ${NAME_WORD})?)\s(?:is|are|ist|offers|provides|helps|enables|makes|builds|develops|bietet|hilft|ermöglicht|entwickelt|macht|verbindet|connects|brings|gives|lets|turns)(?![\p{L}])`,
  'gu',
);

/** Words of a deck that are never its company. */
const GENERIC =
  /^(?:pitch ?deck|investor(?:en)?(?:s|[- ]?(?:deck|presentation|präsentation|briefing|pitch|update))?|presentation|präsentation|unternehmenspräsentation|company (?:overview|profile|presentation)|confidential|strictly (?:private|confidential)|vertraulich|streng vertraulich|overview|überblick|agenda|contents?|inhalt|introduction|einleitung|team|problem|solution|lösung|market|markt|thank you|danke|vielen dank|contact|kontakt|series [a-e]|seed|seed round|serie [a-e]|our .*|unser.*|the .*|das .*|die .*|der .*|we|wir|it|this|that|they|es|dies|das|today|heute|why|warum|business ?plan|executive summary|teaser|deck|draft|entwurf|gmail|outlook|web|gmx|linkedin|name|ceo|founder|gründer|slide|folie|page|seite|stand|version|financials|finanzen|traction|roadmap|appendix|anhang|sources?|quellen?|january|february|march|april|may|june|july|august|september|october|november|december|januar|februar|märz|mai|juni|juli|oktober|dezember)$/iu;

const keyOf = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
    .replaceAll('ä', 'ae')
    .replaceAll('ö', 'oe')
    .replaceAll('ü', 'ue')
    .replaceAll('ß', 'ss');

interface Tally {
  score: number;
  readonly spellings: Map<string, number>;
}

class NameVotes {
  readonly #tallies = new Map<string, Tally>();

  add(name: string, score: number): void {
    const clean = name.replace(/[\s.,:;–-]+$/u, '').trim();
    if (clean.length < 2 || clean.length > 60 || GENERIC.test(clean) || !/\p{L}/u.test(clean)) return;
    const key = keyOf(clean);
    const tally = this.#tallies.get(key) ?? { score: 0, spellings: new Map<string, number>() };
    tally.score += score;
    tally.spellings.set(clean, (tally.spellings.get(clean) ?? 0) + 1);
    this.#tallies.set(key, tally);
  }

  /** Adds to a name that was seen; names only in an address have no spelling of their own. */
  confirm(domainLabel: string, score: number): void {
    const label = keyOf(domainLabel);
    for (const [key, tally] of this.#tallies) {
      if (key === label) tally.score += score;
      else if (
        label.length >= 4 &&
        (key.startsWith(label) || label.startsWith(key)) &&
        Math.min(key.length, label.length) >= 4
      )
        tally.score += score / 2;
    }
  }

  /** "Lumbalis Therapeutics" speaks for "Lumbalis" where the deck calls itself so. */
  foldLongNames(): void {
    for (const [key, tally] of this.#tallies) {
      if (tally.score < OWN_LINE_SCORE) continue;
      for (const [long, other] of this.#tallies) {
        if (long !== key && key.length >= 4 && long.startsWith(key)) tally.score += other.score * 0.8;
      }
    }
  }

  /** The name with the most votes, in its most frequent spelling, capitals alone last. */
  best(): { name: string; score: number } | null {
    const [top] = [...this.#tallies.values()].toSorted((a, b) => b.score - a.score);
    if (top === undefined) return null;
    const spelling = [...top.spellings].toSorted(
      ([a, n], [b, m]) => Number(isShouted(a)) - Number(isShouted(b)) || m - n,
    )[0]?.[0];
    return spelling === undefined ? null : { name: spelling, score: top.score };
  }
}

/** What a name that is the first line of the deck has at least. */
const OWN_LINE_SCORE = 5;

const isShouted = (name: string): boolean => name.length > 5 && name === name.toUpperCase();

/** Names a title line may hold: the whole short line, or its part before a dash, colon or bar. */
function titleNames(line: string): string[] {
  const parts = line.split(/\s[–—|·•-]\s|:\s|\s\|\s/u).map((part) => part.trim());
  return [line, ...parts].filter(
    (part) => countWords(part) <= 4 && /^[\p{Lu}\p{Ll}\d]/u.test(part) && !/[.!?]$/u.test(part) && !/\d{4}/u.test(part),
  );
}

function voteTitle(slide: ReadSlide, votes: NameVotes): void {
  for (const [index, unit] of slide.units.slice(0, 6).entries()) {
    for (const name of new Set(titleNames(unit.text))) {
      const capital = /^(?:\p{Lu}|\d|\p{Ll}+\p{Lu})/u.test(name) || countWords(name) === 1;
      if (capital) votes.add(name, (index === 0 ? 5 : 2) - (countWords(name) - 1) * 0.8);
    }
  }
}

function voteSlide(slide: ReadSlide, edge: boolean, votes: NameVotes): void {
  const text = slide.units
    .filter((unit) => !unit.steering)
    .map((unit) => unit.text)
    .join('\n');
  const forms = new Set([...text.matchAll(WITH_FORM)].map((match) => match[1] ?? ''));
  for (const name of forms) votes.add(name.split('\n').at(-1) ?? '', edge ? 4 : 1.2);
  for (const [, name] of text.matchAll(COPYRIGHT)) votes.add(name ?? '', 3);
  for (const [, name] of text.matchAll(DEFINED)) votes.add(name ?? '', 1.5);
}

function voteFooters(prompt: ReadPrompt, votes: NameVotes): void {
  const footers = new Set(
    prompt.slides.flatMap((slide) =>
      slide.units.filter((unit) => unit.running).map((unit) => unit.text.replaceAll(/\d+/gu, ' ')),
    ),
  );
  for (const footer of footers) {
    for (const part of footer.split(/\s[–—|·•/-]\s|\s{2,}|,\s(?!Inc|Ltd|LLC)/u)) {
      const bare = part.trim().replace(new RegExp(String.raw`,?\s${LEGAL_FORM}$`, 'u'), '');
      if (countWords(bare) <= 4 && /^(?:\p{Lu}|\d|\p{Ll}+\p{Lu})/u.test(bare)) votes.add(bare, 4);
    }
  }
}

const LEAST_SCORE = 4;

/** The company's name without legal form, or not stated. */
export function extractCompanyName(prompt: ReadPrompt): ExtractValueOutput {
  const votes = new NameVotes();
  const [first] = prompt.slides;
  const last = prompt.slides.at(-1);
  if (first === undefined || last === undefined) return NOT_STATED;
  voteTitle(first, votes);
  for (const slide of prompt.slides) voteSlide(slide, slide === first || slide === last, votes);
  voteFooters(prompt, votes);
  if (last !== first) for (const unit of last.units) for (const name of titleNames(unit.text)) votes.add(name, 0.5);
  for (const slide of prompt.slides) {
    const edge = slide === first || slide === last;
    const labels = new Set(
      [...slide.text.matchAll(DOMAIN), ...slide.text.matchAll(BARE_DOMAIN)].map((match) =>
        (match[1] ?? '').toLowerCase(),
      ),
    );
    for (const label of labels) votes.confirm(label, edge ? 5 : 2);
  }
  confirmByRepetition(prompt, votes);
  votes.foldLongNames();
  const best = votes.best();
  if (best === null || best.score < LEAST_SCORE) return NOT_STATED;
  const evidence = evidenceFor(prompt, best.name);
  return evidence === null ? NOT_STATED : { evidence: [evidence], stated: true, value: best.name };
}

/** A name that returns on several slides is more than a word on the title. */
function confirmByRepetition(prompt: ReadPrompt, votes: NameVotes): void {
  const seen = new Map<string, number>();
  for (const slide of prompt.slides) {
    const words = new Set(
      slide.text
        .match(new RegExp(`(?<![\\p{L}\\p{N}])${NAME_WORD}`, 'gu'))
        ?.map((word) => word.replace(/[.'’-]+$/u, '')) ?? [],
    );
    for (const word of words) seen.set(word, (seen.get(word) ?? 0) + 1);
  }
  for (const [word, slides] of seen) if (slides >= 3) votes.confirm(word, Math.min(3, slides / 2));
}

/** A quote of at least four words that holds the name, from the title slide where possible. */
function evidenceFor(prompt: ReadPrompt, name: string): ExtractValueOutput['evidence'][number] | null {
  const wanted = name.toLowerCase();
  for (const slide of prompt.slides) {
    const unit = slide.units.find((candidate) => candidate.lower.includes(wanted) && !candidate.steering);
    if (unit === undefined) continue;
    const quote = quoteOf(slide.units, unit.index);
    if (quote.toLowerCase().includes(wanted)) return { slide: slide.number, quote };
    return { slide: slide.number, quote: cutQuote(unit.text.slice(unit.lower.indexOf(wanted))) };
  }
  return null;
}

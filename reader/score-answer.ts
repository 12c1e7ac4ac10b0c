/**
 * Scores how much information an answer gives, 0 to 7, from its quotes: those that bear on the question, set against the kinds of information
 * its criteria ask for. Words that ask for a score are not information.
 *
 * More than 3 takes two cues that are independent of each other; 6 and 7 take figures.
 */
import { findMoney } from '../domain/evidence/money.ts';
import { deckBlock } from '../domain/models/prompt-assembly.ts';
import type { ScoreAnswerOutput } from '../domain/models/result-schemas.ts';
import { cuesOf, type Cues } from './choose.ts';
import { extractFunding } from './extract-funding.ts';
import { readPrompt, type ReadPrompt } from './prompt.ts';
import { subjectsOf } from './subjects.ts';
import { isSteering } from './steering.ts';
import { countWords, splitSentences } from './text.ts';
import { topic, type Topic } from './topic.ts';
import { topicOf } from './topics.ts';
import { money } from './figures.ts';
import { phrases, sourceOf } from './phrases.ts';
import { has } from './words.ts';

interface Kind {
  readonly name: string;
  readonly german: string;
  /** The criteria ask for it. */
  readonly asked: RegExp;
  /** True for a text that has it. */
  readonly isIn: (text: string) => boolean;
}

const kind = (name: string, german: string, given = phrases(`${name} given`)): Kind => ({
  name,
  german,
  asked: phrases(`${name} asked`),
  isIn: (text) => has(text, given),
});

const KINDS: readonly Kind[] = [
  { ...kind('amounts', 'Beträge', money), isIn: (text) => has(text, money) || findMoney(text).length > 0 },
  kind('figures', 'Zahlen', /\d[\d.,]*\s?(?:%|prozent|percent)|(?<![\p{L}\d])\d[\d.,]*(?![\p{L}\d])/giu),
  kind('times', 'Zeiten'),
  kind(
    'names',
    'Namen',
    /(?<=[\p{Ll},;:]\s)\p{Lu}[\p{L}&-]+(?:\s\p{Lu}[\p{L}&-]+)+|\b(?:CEO|CTO|COO|CFO|CMO)\b|\p{Lu}\p{Ll}+\p{Lu}\p{L}+/gu,
  ),
  kind('reasons', 'Gründe'),
  kind('comparison', 'Vergleich'),
  kind('proof', 'Belege'),
];

const NOTHING = new RegExp(`^(?:${sourceOf('nothing')})`, 'iu');

/** A quote of the answer, and how it bears on the question; null when it does not. */
interface Proof {
  readonly slide: string;
  readonly quote: string;
  readonly cues: Cues | null;
  /** True when the quote means something else. */
  readonly other: boolean;
}

/** The quotes of an answer. */
interface Material {
  readonly proofs: readonly Proof[];
  /** What the answer says beside the quotes. */
  readonly own: string;
  /** True when its quotes only bear on the question. */
  readonly isNear: boolean;
}

/** The quotes and what the answer says beside them, without words to machines; null for an answer that says nothing. */
function materialOf(prompt: ReadPrompt): Material | null {
  const [prose = '', ...quoted] = prompt.answer.split(/\n?^Quote from slide (?=\d+: )/mu);
  const own = splitSentences(prose)
    .filter((sentence) => !isSteering(sentence))
    .join(' ');
  const about = topicOf(prompt.question?.slug ?? '', prompt.question?.text ?? '') ?? topic('', {});
  const seen = new Set<string>();
  const quotes: { readonly slide: string; readonly words: string }[] = [];
  for (const item of quoted) {
    const { slide = '', words = '' } = /^(?<slide>\d+): "?(?<words>[\s\S]*?)"?\s*$/u.exec(item)?.groups ?? {};
    if (isSteering(words) || countWords(words) < 2 || seen.has(words)) continue;
    seen.add(words);
    quotes.push({ slide, words });
  }
  if (quotes.length === 0 && (own.trim() === '' || NOTHING.test(own.trim()))) return null;
  const isOnAsk = prompt.question?.slug === 'funding_requirements';
  const proofsOf = (cuesFrom: Topic): Proof[] =>
    quotes.map(({ slide, words }) => ({
      slide,
      quote: words,
      cues: cuesOfQuote(cuesFrom, words, labelsOf(own, slide, words)) ?? (isOnAsk && asks(words) ? ASKS : null),
      other: cuesFrom.not !== null && has(words, cuesFrom.not),
    }));
  const proofs = proofsOf(about);
  const isNear = about.near !== null && proofs.every(({ cues }) => cues === null);
  return { proofs: isNear && about.near !== null ? proofsOf(about.near) : proofs, own, isNear };
}

/** Cues of a quote that asks for an amount. */
const ASKS: Cues = { there: false, says: true, figure: true };

/** True for words that ask for an amount, as the rule for the ask reads them; an answer takes them from it. */
function asks(quote: string): boolean {
  const deck = deckBlock([{ number: 1, markup: quote, description: null }]);
  return extractFunding(readPrompt([{ role: 'user', content: deck }])).stated;
}

/** What the quote stands under, as the answer says: "Slide 4 (Team; Advisors): …". */
function labelsOf(prose: string, slide: string, quote: string): string[] {
  const before = prose.slice(0, Math.max(0, prose.indexOf(quote)));
  const place = [...before.matchAll(/(?<!\p{L})(?:slide|folie) (\d+)(?: \(([^)]*)\))?/giu)].at(-1);
  return place?.[1] === slide && place[2] !== undefined ? place[2].split('; ') : [];
}

function cuesOfQuote(about: Topic, quote: string, labels: readonly string[]): Cues | null {
  const own = subjectsOf(labels.at(-1) ?? '');
  // A headline stands under itself.
  const above = labels.length > 0 ? labels : [quote];
  const subjects = new Set(own.length > 0 ? own : above.flatMap((label) => subjectsOf(label)));
  return cuesOf(about, quote, labels, subjects);
}

const round = (value: number, most: number): number => Math.max(1, Math.min(most, Math.floor(value)));

/** Score and rationale; 0 when the answer says nothing. */
export function scoreAnswer(prompt: ReadPrompt): ScoreAnswerOutput {
  const german = prompt.language === 'de';
  const material = materialOf(prompt);
  if (material === null) {
    return {
      rationale: german
        ? 'Zu dieser Frage wurde im Deck nichts gefunden.'
        : 'Nothing on this question was found in the deck.',
      score: 0,
      supported: false,
    };
  }
  // A quote beside one that bears on the question supports it.
  const bearing = material.proofs.filter(
    (proof) =>
      proof.cues !== null ||
      (!proof.other && material.proofs.some((each) => each.cues !== null && each.slide === proof.slide)),
  );
  const text = bearing.map((proof) => proof.quote).join('\n');
  const quoted = material.proofs.map((proof) => proof.quote).join('\n');
  const asked = KINDS.filter((kind) => has(prompt.criteria, kind.asked));
  const met = asked.filter((kind) => kind.isIn(text));
  const figures = new Set(text.match(/(?<![\p{L}\d])\d[\d.,]*/gu) ?? []).size;
  const words = countWords(text);
  return {
    rationale: rationale(
      german,
      bearing.length,
      met,
      // A figure or name in a quote is not missing, whether or not the quote bears on the question.
      asked.filter((kind) => !kind.isIn(quoted)),
    ),
    score:
      bearing.length === 0
        ? unproven(material.own)
        : Math.min(
            material.isNear ? MOST_FOR_NEAR : Infinity,
            points(bearing, met.length / Math.max(1, asked.length), figures, words),
          ),
    supported: bearing.length > 0,
  };
}

/** Most points of an answer whose quotes only bear on the question. */
const MOST_FOR_NEAR = 2;

/** A claim without a quote that bears on the question counts as a passing mention. */
const unproven = (own: string): number => (countWords(own) >= 12 && /\d/u.test(own) ? 2 : 1);

/** Two quotes say the same where the shorter one has so many of its words in common with the other. */
const SAME_SHARE = 0.6;

/** Quotes that do not say again what one before them says. */
function independent(proofs: readonly Proof[]): Proof[] {
  const kept: { readonly proof: Proof; readonly words: ReadonlySet<string> }[] = [];
  for (const proof of proofs) {
    const words = new Set(proof.quote.toLowerCase().match(/[\p{L}\d]{3,}/gu) ?? []);
    const repeats = kept.some(
      (other) => words.intersection(other.words).size >= SAME_SHARE * Math.min(words.size, other.words.size),
    );
    if (!repeats) kept.push({ proof, words });
  }
  return kept.map(({ proof }) => proof);
}

function points(bearing: readonly Proof[], share: number, figures: number, words: number): number {
  const there = bearing.some(({ cues }) => cues?.there === true) ? 1 : 0;
  const statements = independent(bearing);
  const says = statements.filter(({ cues }) => cues?.says === true).length;
  const figure = bearing.some(({ cues }) => cues?.figure === true && cues.says) ? 1 : 0;
  const sum =
    1.3 + Math.min(bearing.length, 4) * 0.5 + share * 2.5 + Math.min(figures, 4) * 0.25 + Math.min(words, 60) / 120;
  if (there + says + figure < 2 || words < 8) return round(sum, 3);
  if (statements.length < 3 || says < 2 || share < 0.75) return round(sum, 4);
  if (figure + there === 0 || words < (figure === 1 ? 30 : 40)) return round(sum, 4);
  if (figure === 0 || figures < 3 || share < 1) return round(sum, 5);
  return round(sum, figures >= 5 && words >= 40 ? 7 : 6);
}
function rationale(german: boolean, quotes: number, met: readonly Kind[], missing: readonly Kind[]): string {
  const list = (kinds: readonly Kind[]): string => kinds.map((kind) => (german ? kind.german : kind.name)).join(', ');
  if (german) {
    const first =
      quotes === 0
        ? 'Kein Zitat sagt mit eigenen Worten, dass es diese Frage beantwortet.'
        : `Die Antwort stützt sich auf ${quotes} ${quotes === 1 ? 'Zitat' : 'Zitate'} aus dem Deck.`;
    return [
      first,
      met.length > 0 ? `Enthalten: ${list(met)}.` : '',
      missing.length > 0 ? `Es fehlen nach den Kriterien: ${list(missing)}.` : '',
    ]
      .filter(Boolean)
      .join(' ');
  }
  const first =
    quotes === 0
      ? 'No quote says by its own words that it answers this question.'
      : `The answer rests on ${quotes} ${quotes === 1 ? 'quote' : 'quotes'} from the deck.`;
  return [
    first,
    met.length > 0 ? `It gives ${list(met)}.` : '',
    missing.length > 0 ? `Asked for by the criteria and missing: ${list(missing)}.` : '',
  ]
    .filter(Boolean)
    .join(' ');
}

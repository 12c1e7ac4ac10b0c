/**
 * Scores how much information an answer gives, 0 to 7, from what it holds: quotes, figures, names, dates, reasons, sources, set against the
 * kinds of information its criteria ask for. Words that ask for a score are not information.
 */
import type { ScoreAnswerOutput } from '../domain/models/result-schemas.ts';
import type { ReadPrompt } from './prompt.ts';
import { countWords, isSteering, splitSentences } from './text.ts';
import { anyOf, countDistinct, has } from './words.ts';

interface Kind {
  readonly name: string;
  readonly german: string;
  /** The criteria ask for it. */
  readonly asked: RegExp;
  /** The answer has it. */
  readonly given: RegExp;
}

const KINDS: readonly Kind[] = [
  {
    name: 'amounts',
    german: 'Beträge',
    asked: anyOf('costs?|money|amount|currency|price|pays?|revenue|margin|burn|valuation|cash|savings?|pay'),
    given: /[€$£]\s?\d|\d[\d.,]*\s?(?:[mk]|mio\.?|mrd\.?|million(?:en)?|tsd\.?)?\s?(?:€|eur|euro|usd|chf|\$|£)/giu,
  },
  {
    name: 'figures',
    german: 'Zahlen',
    asked: anyOf(
      'number|numbers|figures?|percent|rate|size|measured|measurable|many|how often|share|ratio|quantif\\p{L}*|respondents|score',
    ),
    given: /\d[\d.,]*\s?(?:%|prozent|percent)|(?<![\p{L}\d])\d[\d.,]*(?![\p{L}\d])/giu,
  },
  {
    name: 'times',
    german: 'Zeiten',
    asked: anyOf(
      'when|since|period|months?|weeks|years?|date|duration|time|month|dates|stage|founding year|how long|until',
    ),
    given: anyOf(
      '20\\d\\d|q[1-4]|\\d+ (?:months?|weeks?|years?|days?|hours?|minutes?|monate?n?|wochen?|jahren?|tage?n?|stunden?|minuten?)|(?:two|three|four|five|six|eight|nine|ten|eleven|twelve|zwei|drei|vier|fünf|sechs|acht|neun|zehn|zwölf) (?:months?|weeks?|years?|days?|monate?n?|wochen?|jahren?|tage?n?)|january|february|march|april|june|july|august|september|october|november|december|januar|februar|märz|juni|juli|oktober|dezember',
    ),
  },
  {
    name: 'names',
    german: 'Namen',
    asked: anyOf(
      'names?|named|who|roles?|parties|partners?|competitors|group|kind|persons?|positions?|channels?|advisers',
    ),
    given:
      /(?<=[\p{Ll},;:]\s)\p{Lu}[\p{L}&-]+(?:\s\p{Lu}[\p{L}&-]+)+|\b(?:CEO|CTO|COO|CFO|CMO)\b|\p{Lu}\p{Ll}+\p{Lu}\p{L}+/gu,
  },
  {
    name: 'reasons',
    german: 'Gründe',
    asked: anyOf('why|causes?|reasons?|reasoning|explains?|because|backs|ties|assumptions|matter'),
    given: anyOf('because|so that|due to|caused?|since|therefore|weil|damit|da|denn|aufgrund|wegen|daher|as|for|um'),
  },
  {
    name: 'comparison',
    german: 'Vergleich',
    asked: anyOf(
      'compar\\p{L}*|than|against|alternatives?|others|ahead|shortcoming|split\\p{L}*|separates?|development|grown',
    ),
    given: anyOf(
      'than|versus|vs|compared|against|from .{1,20} to|more|fewer|less|up from|only|als|gegenüber|statt|mehr|weniger|von .{1,20} auf|nur|instead',
    ),
  },
  {
    name: 'proof',
    german: 'Belege',
    asked: anyOf('source|evidence|survey|example|interview|method|results?|proofs?|cases|experience|own words'),
    given: anyOf(
      'study|survey|source|trial|published|measured|asked|interview\\p{L}*|n ?=|p ?[<=]|studie|umfrage|quelle|befragt\\p{L}*|gemessen|veröffentlicht|certified|zertifiziert|signed|granted|patients|patient\\p{L}*',
    ),
  },
];

const NOTHING =
  /^(?:the deck (?:does not|doesn't|says nothing)|nothing (?:is )?(?:said|stated|mentioned)|not (?:stated|mentioned|addressed)|no information|das deck (?:sagt|nennt|enthält) (?:\p{L}+ )?(?:nichts|nicht|keine)|keine angaben?|dazu (?:sagt|steht) .{0,20}nichts)/iu;
const HALF =
  /(?:gives no figure|says no more|does not (?:say|give|name|state)|eine zahl nennt das deck dazu nicht|mehr sagt das deck dazu nicht|nennt .{0,30}nicht)/iu;

interface Material {
  readonly quotes: readonly string[];
  /** Answer and quotes without repetition, without words to machines. */
  readonly text: string;
  readonly half: boolean;
}

function materialOf(answer: string): Material | null {
  const [prose, ...quoted] = answer.split(/\n?^Quote from slide \d+: /mu);
  const own = splitSentences(prose ?? '')
    .filter((sentence) => !isSteering(sentence))
    .join(' ');
  const quotes = [...new Set(quoted.map((quote) => quote.trim().replace(/^"|"$/gu, '')))].filter(
    (quote) => !isSteering(quote) && countWords(quote) >= 3,
  );
  if (quotes.length === 0 && (own.trim() === '' || NOTHING.test(own.trim()))) return null;
  const unquoted = quotes
    .reduce((rest, quote) => rest.replaceAll(quote, ' '), own)
    .replaceAll(/\b(?:slide|folie) \d+/giu, ' ');
  return { quotes, text: [...quotes, unquoted].join('\n'), half: HALF.test(own) };
}

/** Score and rationale; 0 when the answer says nothing. */
export function scoreAnswer(prompt: ReadPrompt): ScoreAnswerOutput {
  const german = prompt.language === 'de';
  const material = materialOf(prompt.answer);
  if (material === null) {
    return {
      rationale: german ? 'Das Deck sagt zu dieser Frage nichts.' : 'The deck says nothing on this question.',
      score: 0,
    };
  }
  const asked = KINDS.filter((kind) => has(prompt.criteria, kind.asked));
  const met = asked.filter((kind) => has(material.text, kind.given));
  const missing = asked.filter((kind) => !met.includes(kind));
  const figures = new Set(material.text.match(/(?<![\p{L}\d])\d[\d.,]*/gu) ?? []).size;
  const words = countWords(material.text);
  const { quotes } = material;
  // A claim without proof from the deck counts as a passing mention.
  if (quotes.length === 0)
    return { rationale: rationale(german, 0, met, missing), score: words >= 12 && figures > 0 ? 2 : 1 };
  const share = asked.length === 0 ? 0.5 : met.length / asked.length;
  let points = 1 + Math.min(quotes.length, 4) * 0.6 + share * 2 + Math.min(figures, 4) * 0.3 + Math.min(words, 60) / 60;
  if (material.half) points -= 0.5;
  if (figures === 0) points = Math.min(points, 4);
  if (quotes.length === 1) points = Math.min(points, 4);
  if (countDistinct(material.text, VAGUE) >= 3) points -= 1;
  const complete = share === 1 && quotes.length >= 3 && figures >= 4 && words >= 40;
  const score = Math.max(1, Math.min(complete ? 7 : 6, Math.floor(points)));
  return { rationale: rationale(german, quotes.length, met, missing), score };
}

const VAGUE = anyOf(
  'leading|innovative|unique|huge|massive|significant|world-class|revolutionary|best|strong|führend\\p{L}*|innovativ\\p{L}*|einzigartig\\p{L}*|riesig\\p{L}*|enorm\\p{L}*|stark\\p{L}*|beste\\p{L}*',
);

function rationale(german: boolean, quotes: number, met: readonly Kind[], missing: readonly Kind[]): string {
  const list = (kinds: readonly Kind[]): string => kinds.map((kind) => (german ? kind.german : kind.name)).join(', ');
  if (german) {
    const first =
      quotes === 0
        ? 'Die Antwort ist nicht mit dem Deck belegt.'
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
      ? 'The answer is not supported by the deck.'
      : `The answer rests on ${quotes} ${quotes === 1 ? 'quote' : 'quotes'} from the deck.`;
  return [
    first,
    met.length > 0 ? `It gives ${list(met)}.` : '',
    missing.length > 0 ? `Asked for by the criteria and missing: ${list(missing)}.` : '',
  ]
    .filter(Boolean)
    .join(' ');
}

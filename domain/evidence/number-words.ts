/**
 * Numbers in words, as decks write them before "million" or a currency: "two and a half", "half a", "zweieinhalb", "anderthalb",
 * "fünfhunderttausend", "deux", "pół". Words that are no number of money alone ("a", "ein", "un") count only before a multiplier.
 */

/** A number in words and where it stands. */
export interface NumberWords {
  readonly value: number;
  readonly start: number;
  readonly end: number;
}

const ENGLISH =
  'one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen';
const ENGLISH_TENS = 'twenty thirty forty fifty sixty seventy eighty ninety';
const GERMAN =
  'ein zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn';
const GERMAN_TENS = 'zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig';
const OTHERS = [
  'un deux trois quatre cinq six sept huit neuf dix',
  'un dos tres cuatro cinco seis siete ocho nueve diez',
  'un due tre quattro cinque sei sette otto nove dieci',
  'um dois três quatro cinco seis sete oito nove dez',
  'jeden dwa trzy cztery pięć sześć siedem osiem dziewięć dziesięć',
];

const small = new Map<string, number>();
const tens = new Map<string, number>();
const german = new Map<string, number>();
for (const words of [...OTHERS, ENGLISH]) words.split(' ').forEach((word, index) => small.set(word, index + 1));
ENGLISH_TENS.split(' ').forEach((word, index) => tens.set(word, 20 + 10 * index));
GERMAN.split(' ').forEach((word, index) => german.set(word, index + 1));
GERMAN_TENS.split(' ').forEach((word, index) => german.set(word, 20 + 10 * index));
for (const [word, value] of [
  ['eine', 1],
  ['einer', 1],
  ['einen', 1],
  ['dreissig', 30],
] as const)
  german.set(word, value);
for (const word of ['a', 'una', 'uma', 'uno']) small.set(word, 1);

/** Values that are said in several words, or in one that is no number elsewhere. */
const FIXED: readonly (readonly [pattern: string, value: number])[] = [
  [String.raw`(?:(?:an?|one) )?half(?: (?:of )?an?)?`, 0.5],
  [String.raw`(?:(?:an?|one) )?quarter (?:of )?an?`, 0.25],
  [String.raw`three[ -]quarters (?:of )?an?`, 0.75],
  [String.raw`(?:eine[rn]? )?halben?|(?:un )?demi|medio|mezzo|meio|pół`, 0.5],
  [String.raw`(?:eine )?dreiviertel`, 0.75],
  [String.raw`anderthalb|półtora`, 1.5],
];

const alternatives = (words: Iterable<string>): string => [...words].toSorted((a, b) => b.length - a.length).join('|');
const ENGLISH_NUMBER = String.raw`(?:${alternatives(tens.keys())})(?:[ -](?:${alternatives(ENGLISH.split(' ').slice(0, 9))}))?|${alternatives(small.keys())}`;
const GERMAN_NUMBER = String.raw`(?:${alternatives([...german.keys(), 'hundert', 'tausend', 'und', 'einhalb', 'einviertel'])}){1,8}`;
const HALF = String.raw`(?: and (?:a|one) half| and a quarter)?`;
/** Words that leave open how many there are: "mehrere hunderttausend Euro", "a few 100k". */
const INDEFINITE = String.raw`mehrere[rnm]?|einige[rnm]?|etliche[rnm]?|viele[rnm]?|wenige[rnm]?|unzählige[rnm]?|zahllose[rnm]?|diverse[rnm]?|paar|zig|several|few|many|multiple|couple(?: of)?|countless|plusieurs|quelques|vari[oa]s|alcun[ei]|divers[ei]|vári[oa]s|kilka`;
const BEHIND_INDEFINITE = String.raw`(?<![\p{L}\p{M}])(?:${INDEFINITE})[ -](?:(?:zehn|hundert|zehntausend) )?`;
const INDEFINITE_BEFORE = new RegExp(String.raw`${BEHIND_INDEFINITE}$`, 'iu');

/** True where the text before a number leaves open how many of it there are. */
export const isIndefinite = (before: string): boolean => INDEFINITE_BEFORE.test(before);

/** What stands behind words that are numbers there and other words elsewhere: "um milhão", and "um Millionen Euro". */
const BEHIND: Readonly<Record<string, RegExp>> = {
  um: /^ (?:milh|bilh|trilh|mil(?!\p{L}))/u,
  sei: /^ (?:milion|miliard|bilion|mila(?!\p{L})|[ao] (?:sette|otto|nove|dieci)(?!\p{L}))/u,
  ein: /^(?![ -](?:millionen|milliarden)(?!\p{L}))/u,
  einen: /^(?![ -](?:millionen|milliarden)(?!\p{L}))/u,
  eine: /^(?![ -](?:millionen|milliarden)-)/u,
  einer: /^(?![ -](?:millionen|milliarden)-)/u,
};
/** Characters behind a word that {@link BEHIND} looks at, at most. */
const REACH = 20;

const WORDS = new RegExp(
  String.raw`(?<![\p{L}\p{M}\d])(?<!${BEHIND_INDEFINITE})(?<!(?:point|komma|virgule|coma|vírgula|,) )(?:` +
    FIXED.map(([pattern], index) => `(?<f${index}>${pattern})`).join('|') +
    String.raw`|(?<german>${GERMAN_NUMBER})|(?<english>(?:${ENGLISH_NUMBER})(?: hundred(?:(?: and)? (?:${ENGLISH_NUMBER}))?)?${HALF}))(?![\p{L}\p{M}\d])`,
  'gu',
);

/** "zweihundertfünfzigtausend"; null for letters that are no number. */
function germanNumber(word: string): number | null {
  if (word === '') return 0;
  const known = german.get(word);
  if (known !== undefined) return known;
  const part = /^(.*)einhalb$|^(.+)einviertel$/u.exec(word);
  if (part !== null) {
    const whole = germanNumber((part[1] ?? part[2] ?? '').replace(/und$/u, ''));
    return whole === null || whole === 0 || whole >= 100 ? null : whole + (part[1] === undefined ? 0.25 : 0.5);
  }
  for (const [name, factor] of [
    ['tausend', 1000],
    ['hundert', 100],
  ] as const) {
    const at = word.indexOf(name);
    if (at < 0) continue;
    const [before, after] = [
      germanNumber(word.slice(0, at)),
      germanNumber(word.slice(at + name.length).replace(/^und/u, '')),
    ];
    if (before === null || after === null || before >= 1000 || after >= factor) return null;
    return (before === 0 ? 1 : before) * factor + after;
  }
  const [unit = '', ten = '', ...more] = word.split('und');
  const [low, high] = [german.get(unit) ?? 0, german.get(ten) ?? 0];
  return more.length === 0 && low >= 1 && low <= 9 && high >= 20 ? high + low : null;
}

function englishNumber(words: string): number | null {
  const [whole = '', part] = words.split(/ and (?=(?:a|one) (?:half|quarter)$)/u);
  let sum = 0;
  for (const token of whole.split(/[ -]/u)) {
    if (token === 'and') continue;
    if (token === 'hundred') sum *= 100;
    else sum += small.get(token) ?? tens.get(token) ?? Number.NaN;
  }
  const fraction = part === undefined ? 0 : part.endsWith('half') ? 0.5 : 0.25;
  return Number.isFinite(sum) ? sum + fraction : null;
}

/** Numbers in words of a text in lower case, in order. Whether one is an amount depends on what stands behind it. */
export function findNumberWords(lower: string): NumberWords[] {
  return [...lower.matchAll(WORDS)].flatMap((match): NumberWords[] => {
    const groups = match.groups ?? {};
    const fixed = FIXED.find((_, index) => groups[`f${index}`] !== undefined)?.[1];
    const value =
      fixed ??
      (groups['german'] === undefined ? null : germanNumber(groups['german'])) ??
      (groups['english'] === undefined ? null : englishNumber(groups['english']));
    const end = match.index + match[0].length;
    const isNumber = BEHIND[match[0]]?.test(lower.slice(end, end + REACH)) ?? true;
    return value === null || value === 0 || !isNumber ? [] : [{ value, start: match.index, end }];
  });
}

/**
 * How currencies are written: ISO 4217 codes, signs and names. The list of currencies, their signs and their English, German, Chinese and
 * Japanese names come from the locale data of the runtime; only what shops and decks write beyond that is listed here.
 */

/** A way to write one currency, or one of several. */
export interface CurrencyMark {
  /** ISO 4217 codes that it can stand for. */
  readonly currencies: readonly string[];
  /** The currency that is meant where a text names none of the others; null where that would be a guess. */
  readonly usual: string | null;
  /** Multiplier that belongs to the mark: 1000 in "TEUR". */
  readonly factor: number;
  /** Side of the number on which the mark counts. */
  readonly side: 'before' | 'after' | 'either';
  /** True for letters that also occur as an ordinary word; such a mark needs an amount that is clearly money. */
  readonly wordlike: boolean;
}

/** A mark at a place in a text. */
export interface PlacedMark {
  readonly mark: CurrencyMark;
  readonly start: number;
  readonly end: number;
}

/** What a sign stands for when a text says nothing else. ¥ (yen or yuan) and kr (four crowns) have no such currency. */
const USUAL_OF_SIGN: Readonly<Record<string, string | null>> = { $: 'USD', '£': 'GBP', Rs: 'INR', '₩': 'KRW' };

/** Signs of the locale data that are ordinary letters or units of something else. */
const DROPPED_SIGNS = new Set(['K', 'L', 'P', 'Q', 'Ar', 'CF', 'Db', 'FC', 'FG', 'KM', 'RF', 'T$', 'ZK', 'kn']);
const WORDLIKE_SIGNS = new Set(['R', 'Ft', 'lei', 'Bs', 'Kz']);
const SIGNS_AFTER = new Set(['Ft', 'lei']);

/** Signs as shops write them, beside those of the locale data. */
const MORE_SIGNS: Readonly<Record<string, readonly string[]>> = {
  C$: ['CAD'],
  S$: ['SGD'],
  Mex$: ['MXN'],
  'US $': ['USD'],
  U$S: ['USD'],
  'Rs.': ['INR', 'PKR', 'LKR', 'NPR', 'MUR'],
  Rs: ['INR', 'PKR', 'LKR', 'NPR', 'MUR'],
  '₨': ['INR', 'PKR', 'LKR', 'NPR', 'MUR'],
  'Re.': ['INR'],
  'Fr.': ['CHF'],
  SFr: ['CHF'],
  'SFr.': ['CHF'],
  sFr: ['CHF'],
  'sFr.': ['CHF'],
  BR$: ['BRL'],
  RD$: ['DOP'],
  '₵': ['GHS'],
  skr: ['SEK'],
  Skr: ['SEK'],
  nkr: ['NOK'],
  Nkr: ['NOK'],
  dkr: ['DKK'],
  Dkr: ['DKK'],
  RMB: ['CNY'],
  CNH: ['CNY'],
  NIS: ['ILS'],
  KSh: ['KES'],
  'Ksh.': ['KES'],
  zl: ['PLN'],
  Kc: ['CZK'],
  元: ['CNY'],
  人民币: ['CNY'],
  円: ['JPY'],
  원: ['KRW'],
};

/** Names without a country, in the forms that follow a number. The first currency is the usual one, unless it is '?'. */
const NOUNS: readonly (readonly [currencies: string, words: string])[] = [
  ['EUR', 'euro euros eur eurós'],
  ['USD', 'dollar dollars bucks dólar dólares dolar dolarów dolarach usd us-dollar us-dollars'],
  ['GBP', 'pound pounds sterling gbp quid pfund'],
  ['CHF', 'franken chf sfr'],
  ['INR PKR LKR NPR MUR', 'rupee rupees rupie rupien inr'],
  ['JPY', 'yen'],
  ['CNY', 'yuan renminbi rmb'],
  ['PLN', 'zloty zlotys złoty złote złotych zloties'],
  ['BRL', 'reais'],
  ['? SEK NOK DKK ISK CZK', 'krona kronor krone kroner kronen crowns'],
  ['? MXN ARS CLP COP PHP UYU DOP CUP', 'peso pesos'],
  ['ILS', 'shekel shekels schekel'],
  ['TRY', 'lira'],
  ['RUB', 'rubles roubles rubel руб рублей рубля'],
  ['HUF', 'forint forints'],
  ['THB', 'baht'],
  ['UAH', 'hryvnia'],
  ['NGN', 'naira'],
  ['MYR', 'ringgit'],
  ['KES UGX TZS', 'shillings'],
  ['? AED MAD', 'dirham dirhams'],
  ['? SAR QAR', 'riyal riyals'],
];

/** Codes that are words or abbreviations of their own; in capitals they stand in headings. */
const WORDLIKE_CODES = new Set(
  'ALL AMD ANG BAM BOB CAD COP CUP DOP ERN GEL LAK MAD MOP MUR NAD PEN RON SAR SCR SHP SOS STN TOP TRY VES'.split(' '),
);
/** Currencies in which decks count thousands and millions in the mark: TEUR, k€, MSEK. */
const COUNTED_IN = ['€', '£', 'EUR', 'USD', 'CHF', 'GBP', 'SEK', 'NOK', 'DKK', 'kr'];
const COUNTS: readonly (readonly [string, number])[] = [
  ['T', 1e3],
  ['t', 1e3],
  ['k', 1e3],
  ['K', 1e3],
  ['M', 1e6],
  ['m', 1e6],
  ['mn', 1e6],
];

interface MarkTable {
  /** Signs and codes, as written. */
  readonly exact: ReadonlyMap<string, CurrencyMark>;
  /** Names, in lower case. */
  readonly names: ReadonlyMap<string, CurrencyMark>;
  /** Length of the longest mark that begins or ends with a character. */
  readonly longestFrom: ReadonlyMap<string, number>;
  readonly longestUntil: ReadonlyMap<string, number>;
}

function currencyPart(
  locale: string,
  currency: string,
  display: 'narrowSymbol' | 'symbol' | 'name',
  count = 1,
): string {
  const format = new Intl.NumberFormat(locale, { style: 'currency', currency, currencyDisplay: display });
  return format.formatToParts(count).find((part) => part.type === 'currency')?.value ?? currency;
}

function signsOf(codes: readonly string[]): Map<string, Set<string>> {
  const signs = new Map<string, Set<string>>();
  const add = (sign: string, code: string): void => {
    signs.set(sign, (signs.get(sign) ?? new Set()).add(code));
  };
  for (const code of codes) {
    const narrow = currencyPart('en', code, 'narrowSymbol');
    const country = code.slice(0, 2);
    const full = [currencyPart('en', code, 'symbol'), currencyPart('de', code, 'symbol')];
    const signed = /^[$£¥]$/u.test(narrow) ? [`${country}${narrow}`, `${narrow}${country}`] : [];
    for (const sign of [narrow, ...full, ...signed]) if (!codes.includes(sign)) add(sign.normalize('NFKC'), code);
  }
  for (const [sign, meant] of Object.entries(MORE_SIGNS)) signs.set(sign, new Set(meant));
  return signs;
}

function buildTable(): MarkTable {
  const codes = Intl.supportedValuesOf('currency');
  const exact = new Map<string, CurrencyMark>();
  const names = new Map<string, CurrencyMark>();
  const plain = { factor: 1, side: 'either', wordlike: false } as const;
  for (const [sign, meant] of signsOf(codes)) {
    if (DROPPED_SIGNS.has(sign)) continue;
    const currencies = [...meant];
    const usual =
      currencies.length === 1
        ? (currencies[0] ?? null)
        : (USUAL_OF_SIGN[sign] ?? USUAL_OF_SIGN[sign.slice(0, 2)] ?? null);
    const side = SIGNS_AFTER.has(sign) ? 'after' : sign === 'R' ? 'before' : 'either';
    exact.set(sign, { currencies, usual, factor: 1, side, wordlike: WORDLIKE_SIGNS.has(sign) });
  }
  for (const code of codes)
    exact.set(code, { ...plain, currencies: [code], usual: code, wordlike: WORDLIKE_CODES.has(code) });
  for (const counted of COUNTED_IN) {
    const mark = exact.get(counted);
    if (mark !== undefined) for (const [letter, factor] of COUNTS) exact.set(letter + counted, { ...mark, factor });
  }
  // Recognition takes the sign of "900 T€" for a letter.
  exact.set('Te', { ...plain, side: 'after', currencies: ['EUR'], usual: 'EUR', factor: 1e3 });
  for (const code of codes) {
    const written = [
      ...['en', 'de', 'zh', 'ja'].map((locale) => new Intl.DisplayNames(locale, { type: 'currency' }).of(code) ?? code),
      ...['en', 'de'].flatMap((locale) => [1, 2].map((count) => currencyPart(locale, code, 'name', count))),
    ];
    for (const name of written)
      if (name !== code) names.set(name.toLowerCase(), { ...plain, currencies: [code], usual: code });
  }
  for (const [meant, words] of NOUNS) {
    const currencies = meant.split(' ').filter((code) => code !== '?');
    const usual = meant.startsWith('?') ? null : (currencies[0] ?? null);
    // "20 pounds" and "5 crowns" need not be money.
    const wordlike = /pound|krona|lira/u.test(words);
    for (const word of words.split(' ')) names.set(word, { currencies, usual, factor: 1, side: 'after', wordlike });
  }
  // Before a number a name may be another thing: Euro 6 is a norm.
  for (const word of ['Euro', 'EURO', 'Eur', 'Franken'])
    exact.set(word, {
      currencies: [word === 'Franken' ? 'CHF' : 'EUR'],
      usual: word === 'Franken' ? 'CHF' : 'EUR',
      factor: 1,
      side: 'before',
      wordlike: true,
    });
  const [longestFrom, longestUntil] = [new Map<string, number>(), new Map<string, number>()];
  for (const key of [...exact.keys(), ...names.keys()]) {
    for (const [longest, character] of [
      [longestFrom, key.charAt(0)],
      [longestUntil, key.slice(-1)],
    ] as const) {
      const lower = character.toLowerCase();
      longest.set(lower, Math.max(longest.get(lower) ?? 0, key.length));
    }
  }
  return { exact, names, longestFrom, longestUntil };
}

let built: MarkTable | undefined;
/** Built at the first use: it takes about a tenth of a second. */
const table = (): MarkTable => (built ??= buildTable());

const LETTER = /[\p{L}\p{M}]/u;
/** Scripts that put no space between words. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/u;
const joins = (a: string | undefined, b: string | undefined): boolean =>
  a !== undefined && b !== undefined && LETTER.test(a) && LETTER.test(b) && !UNSPACED.test(a) && !UNSPACED.test(b);

/** A sign with letters beside it that are not known is another country's: T$, £E. */
const countryBefore = (text: string, start: number): boolean =>
  !LETTER.test(text[start] ?? '') && /(?<!\p{L})\p{Lu}\p{L}{0,2}$/u.test(text.slice(Math.max(0, start - 4), start));
const countryAfter = (text: string, end: number): boolean =>
  /^\p{Sc}\p{Lu}{1,2}(?!\p{L})/u.test(text.slice(end - 1, end + 3));

function markOf(key: string, side: 'before' | 'after'): CurrencyMark | undefined {
  const found = [table().exact.get(key), table().names.get(key.toLowerCase())];
  return found.find((mark) => mark !== undefined && (mark.side === 'either' || mark.side === side));
}

/** The longest mark that starts at `start`. */
export function markFrom(text: string, start: number): PlacedMark | null {
  const longest = table().longestFrom.get(text.charAt(start).toLowerCase()) ?? 0;
  for (let end = Math.min(text.length, start + longest); end > start; end -= 1) {
    const mark = markOf(text.slice(start, end), 'after');
    if (mark !== undefined && !joins(text[end - 1], text[end]) && !countryAfter(text, end)) return { mark, start, end };
  }
  return null;
}

/** The longest mark that ends at `end`. */
export function markUntil(text: string, end: number): PlacedMark | null {
  const longest = table().longestUntil.get(text.charAt(end - 1).toLowerCase()) ?? 0;
  for (let start = Math.max(0, end - longest); start < end; start += 1) {
    const mark = markOf(text.slice(start, end), 'before');
    if (mark !== undefined && !joins(text[start - 1], text[start]) && !countryBefore(text, start))
      return { mark, start, end };
  }
  return null;
}

const SAID =
  /(?<=\d\s?|\d\s?\p{L}{1,8}\.?\s|\bin\s|\()[A-Z]{3}(?!\p{L})|(?<!\p{L})[A-Z]{3}(?=\s?\d)|(?<!\p{L})\p{Lu}\p{L}{0,2}\$/gu;
const SPOKEN =
  /(?<!\p{L})\p{L}[\p{L}-]+ (?:[Dd]ollars?|[Rr]upees?|[Pp]esos?|[Kk]ron\p{L}+|[Pp]ounds?|[Yy]en|[Yy]uan)(?!\p{L})/gu;

/** Currencies that a text names without doubt: by code beside a number, "in" or a bracket, by a sign with a country, by a full name. */
export function namedCurrencies(text: string): ReadonlySet<string> {
  const named = new Set<string>();
  for (const pattern of [SAID, SPOKEN]) {
    for (const [words] of text.matchAll(pattern)) {
      const mark = markOf(words, 'after');
      if (mark?.currencies.length === 1 && mark.usual !== null) named.add(mark.usual);
    }
  }
  if (/元|人民币|RMB|CNH/u.test(text)) named.add('CNY');
  if (/円|[\p{sc=Hiragana}\p{sc=Katakana}]/u.test(text)) named.add('JPY');
  return named;
}

/**
 * The one currency that a mark means in a text; null when it can be several and the text does not decide.
 * @param named what `namedCurrencies` found in the text
 */
export function currencyMeant(mark: CurrencyMark, named: ReadonlySet<string>): string | null {
  const said = mark.currencies.filter((code) => named.has(code));
  if (said.length === 1) return said[0] ?? null;
  return said.length === 0 ? mark.usual : null;
}

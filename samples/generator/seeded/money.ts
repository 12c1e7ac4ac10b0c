/**
 * Sums as decks write them: one plain form for figures in passing and many forms for the sum asked for.
 */
import type { Random } from '../random.ts';

const SYMBOLS = {
  EUR: '€',
  USD: '$',
  GBP: '£',
  CHF: 'CHF ',
  INR: '₹',
  JPY: '¥',
  CNY: 'RMB ',
  HKD: 'HK$',
  SGD: 'S$',
  AUD: 'A$',
  CAD: 'C$',
  BRL: 'R$',
  PLN: 'PLN ',
  CZK: 'CZK ',
  SEK: 'SEK ',
};

/** A currency that decks ask in. */
export type Currency = keyof typeof SYMBOLS;
/** All currencies. */
export const CURRENCIES = Object.keys(SYMBOLS) as Currency[];

/** About how many of a currency a euro is worth: sums are as large as a round. */
export const OTHER_CURRENCIES = {
  INR: 20,
  JPY: 100,
  CNY: 5,
  HKD: 5,
  SGD: 1,
  AUD: 1,
  CAD: 1,
  BRL: 5,
  PLN: 4,
  CZK: 20,
  SEK: 10,
} as const satisfies Partial<Record<Currency, number>>;

const CRORE = 1e7;

const isOther = (currency: Currency): boolean => currency in OTHER_CURRENCIES;

/** A whole number with a sign between groups of three digits. */
export function grouped(value: number, separator: string): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, separator);
}

function decimal(value: number, language: 'en' | 'de'): string {
  const text = String(Number(value.toFixed(2)));
  return language === 'de' ? text.replace('.', ',') : text;
}

/** A figure in passing: whole below ten million, then in words. */
export function money(value: number, currency: Currency, language: 'en' | 'de'): string {
  if (language === 'de') {
    const unit = currency === 'EUR' ? '€' : currency;
    if (value >= 1e9) return `${decimal(value / 1e9, 'de')} Mrd. ${unit}`;
    if (value >= 1e6) return `${decimal(value / 1e6, 'de')} Mio. ${unit}`;
    return `${grouped(value, '.')} ${unit}`;
  }
  const symbol = SYMBOLS[currency];
  if (value >= 1e9) return `${symbol}${decimal(value / 1e9, 'en')} billion`;
  if (value >= 1e6) return `${symbol}${decimal(value / 1e6, 'en')} million`;
  return `${symbol}${grouped(value, ',')}`;
}

/** Before the number, behind billions, behind millions. */
type SumForm = readonly [before: string, billions: string, millions: string];

/** Market sizes of two digits, all in one of the ways in which slides print them. */
export function marketSums(
  values: readonly number[],
  currency: Currency,
  language: 'en' | 'de',
  random: Random,
): string[] {
  const unit = currency === 'EUR' ? '€' : currency;
  const german: readonly SumForm[] = [
    ['', ` Mrd. ${unit}`, ` Mio. ${unit}`],
    ['', ` Mrd. ${currency}`, ` Mio. ${currency}`],
    ['', ` Milliarden ${unit}`, ` Millionen ${unit}`],
    [`${unit} `, ' Mrd.', ' Mio.'],
  ];
  const symbol = SYMBOLS[currency];
  const english: readonly SumForm[] = [
    [symbol, 'B', 'M'],
    [symbol, 'bn', 'm'],
    [symbol, ' billion', ' million'],
    [`${currency} `, 'bn', 'm'],
  ];
  const [before, billions, millions] = random.pick(language === 'de' ? german : english);
  return values.map((value) =>
    value >= 1e9
      ? `${before}${decimal(value / 1e9, language)}${billions}`
      : `${before}${decimal(value / 1e6, language)}${millions}`,
  );
}

/** The sum asked for, in one of the ways founders write it. */
export function askedSum(value: number, currency: Currency, language: 'en' | 'de', random: Random): string {
  const large = value >= 1e6;
  const millions = decimal(value / 1e6, language);
  const thousands = decimal(value / 1e3, language);
  if (currency === 'INR' && language === 'en') {
    const crore = decimal(value / CRORE, 'en');
    const lakh = decimal(value / 1e5, 'en');
    return random.pick(
      value >= CRORE
        ? [`₹${crore} crore`, `₹${crore} Cr`, `Rs. ${crore} crore`, `INR ${crore} crore`]
        : [`₹${lakh} lakh`, `₹${lakh} lakhs`, `INR ${lakh} lakh`],
    );
  }
  if (language === 'de') {
    const plain = grouped(value, '.');
    if (isOther(currency)) {
      return random.pick([
        `${millions} Mio. ${currency}`,
        `${currency} ${millions} Mio.`,
        `${millions} Millionen ${currency}`,
        `${plain} ${currency}`,
      ]);
    }
    if (currency === 'CHF') {
      return random.pick(
        large
          ? [
              `CHF ${millions} Mio.`,
              `${millions} Mio. CHF`,
              `CHF ${grouped(value, '’')}`,
              `${millions} Millionen Franken`,
            ]
          : [`CHF ${grouped(value, '’')}`, `${plain} CHF`, `${thousands}’000 Franken`],
      );
    }
    return random.pick(
      large
        ? [
            `${millions} Mio. €`,
            `${millions} Millionen Euro`,
            `${plain} €`,
            `${millions} Mio. EUR`,
            `EUR ${millions} Mio.`,
            `${millions} Mio. Euro`,
            `€ ${millions} Mio.`,
            `${plain} Euro`,
          ]
        : [
            `${plain} €`,
            `${thousands} Tsd. €`,
            `${thousands} T€`,
            `EUR ${plain}`,
            `${plain} Euro`,
            `${millions} Mio. €`,
          ],
    );
  }
  // The sign ¥ alone may be yen or yuan.
  const symbol = currency === 'JPY' ? 'JPY ' : SYMBOLS[currency];
  const plain = grouped(value, ',');
  const forms = large
    ? [
        `${symbol}${millions}M`,
        `${symbol}${millions}m`,
        `${symbol}${millions} million`,
        `${currency} ${millions} million`,
        `${symbol}${plain}`,
        `${currency} ${plain}`,
        `${currency} ${millions}M`,
        `${symbol}${millions}mn`,
        `${millions}M ${currency}`,
      ]
    : [
        `${symbol}${thousands}k`,
        `${symbol}${thousands}K`,
        `${symbol}${plain}`,
        `${currency} ${plain}`,
        `${currency} ${thousands}k`,
      ];
  if (currency === 'USD' && large) forms.push(`US$${millions}M`, `US$ ${millions} million`);
  if (currency === 'CHF' && large) forms.push(`CHF ${grouped(value, '’')}`);
  return random.pick(forms);
}

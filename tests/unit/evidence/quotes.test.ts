/** Quotes: verified where one passage of the page says so, and nowhere else. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkQuote, VERDICTS } from '../../../domain/evidence/quote-check.ts';
import { stateOf } from '../../../domain/evidence/value-state.ts';
import { checkValueQuote, isAmountOfMoney } from '../../../domain/evidence/value-check.ts';
import { pageOfText } from '../../../domain/pages/page-of-text.ts';
import type { PageLayout } from '../../../domain/pages/page.ts';
import { codePoint } from '../../../testing/any-text.ts';
import { forAll } from '../../../testing/property.ts';

const check = (quote: string, text: string) => checkQuote(quote, pageOfText(text));
const verdict = (quote: string, text: string) => check(quote, text).verdict;

const BLOCK = [
  'Traction',
  'We do not yet have paying customers in France',
  'Revenue grew 40% to €1.5 million in 2025, no churn',
  'Pilots with 12 hospitals in Ger-',
  'many and Austria since March 2024',
  'Our device isn’t approved by the FDA',
  'Ohne Zulassung kein Vertrieb in der Schweiz',
].join('\n');

it.each([
  ['plain words', 'Revenue grew 40% to €1.5 million'],
  ['other case and spacing', 'revenue  GREW 40% to €1.5 million in 2025'],
  ['punctuation dropped', 'in 2025 no churn'],
  ['over a line break and a hyphen', 'Pilots with 12 hospitals in Germany and Austria'],
  ['with its negation', 'We do not yet have paying customers'],
  ['another apostrophe', "Our device isn't approved by"],
])('a quote that stands in a block is verified: %s', (_, quote) =>
  expect(check(quote, BLOCK)).toMatchObject({ verdict: 'verified', reason: 'in one block of text', recognised: false }),
);

it('a sign for a lost character proves nothing on a slide that does not have it', () => {
  expect(verdict('Revenue grew 40% to €1.5 million \ufffd', BLOCK)).toBe('contradicted');
  expect(verdict('Revenue grew 40% \ufffd in all', 'Revenue grew 40% \ufffd in all')).toBe('verified');
  const page = pageOfText('Velhain rents bikes to villages');
  const quote = 'Velhain rents bikes';
  expect(checkValueQuote('company', 'Velhain', quote, page).verdict).toBe('verified');
  expect(checkValueQuote('company', 'Velhain \ufffd', quote, page).verdict).toBe('contradicted');
});

describe('a raised digit', () => {
  const UNITS = [
    '12 €/m²',
    '800 W/m²',
    '200 km²',
    '5 g/cm³',
    '9.81 m/s²',
    '12 EUR/qm²',
    '5 kWh/m²',
    'R² 0.98',
    'x²',
    'E = mc²',
    '10⁶',
    '3 ft²',
  ];
  const MARKED = [
    'growth¹',
    'our team²',
    'sold¹²',
    '€4.2M²',
    '€4.2m²',
    '$5bn³',
    '40%³',
    '5 Mio.¹',
    'the US²',
    'CAGR² of 12%',
    'Umsatz²',
    '(netto)³',
  ];
  const RAISED = /[⁰¹²³⁴-⁹]/gu;

  it.each(UNITS)('is an exponent that a quote has to have: %s', (text) => {
    expect(verdict(`We measured ${text} in June`, `We measured ${text} in June`)).toBe('verified');
    expect(verdict(`We measured ${text.replaceAll(RAISED, '')} in June`, `We measured ${text} in June`)).toBe(
      'contradicted',
    );
  });

  it.each(MARKED)('is a mark of a footnote that a quote may leave out: %s', (text) =>
    expect(verdict(`We show ${text.replaceAll(RAISED, '')} in June`, `We show ${text} in June`)).toBe('verified'),
  );

  it('is never left out behind a unit of area or volume', () =>
    forAll(
      [
        fc.constantFrom('m', 'km', 'cm', 'mm', 'dm', 'µm', 'qm', 'ft'),
        fc.constantFrom('²', '³'),
        fc.constantFrom('€/', 'W/', '12 ', 'per ', 'je ', 'kg/'),
      ],
      (unit, exponent, before) =>
        verdict(`We need ${before}${unit} here`, `We need ${before}${unit}${exponent} here`) !== 'verified',
    ));
});

it.each([
  ['a digit changed', 'Revenue grew 41% to €1.5 million'],
  ['part of a number', '5 million in 2025, no churn'],
  ['a unit cut off', 'Revenue grew 40% to €1.5'],
  ['the negation dropped before it', 'have paying customers in France'],
  ['the negation dropped inside it', 'We do yet have paying customers'],
  ['the negation in a contraction dropped', 'approved by the FDA'],
  ['German negation dropped', 'Vertrieb in der Schweiz'],
  ['words left out', 'Revenue grew to €1.5 million'],
  ['words of another slide', 'We raised a seed round'],
])('a spoiled quote is contradicted: %s', (_, quote) => expect(verdict(quote, BLOCK)).toBe('contradicted'));

it.each([
  ['a letter for a multiplier', 'a market of $5', 'We address a market of $5B today'],
  ['a word for a multiplier', 'We raised ₹5', 'We raised ₹5 crore in 2024'],
  ['a multiplier on the next line', 'We raised 2', 'We raised 2\nmillion euros'],
  ['a unit without a space', 'lost weight of 20', 'They lost weight of 20kg each'],
  ['groups of digits behind', 'a price of 1 000', 'It has a price of 1 000 000 EUR'],
  ['groups of digits before', '000 000 EUR today', 'It costs 1 000 000 EUR today'],
  ['the upper end of a range', 'takes about 5', 'It takes about 5–10 minutes'],
  ['the lower end of a range', '10 minutes per patient', 'It takes 5–10 minutes per patient'],
  ['a currency sign', '5 million in sales', 'We made €5 million in sales'],
  ['the country of a currency', '$5 million in sales', 'We made A$5 million in sales'],
  ['a letter before the number', '3 revenue was high', 'Our Q3 revenue was high'],
  ['a sign of comparison before the number', '5% of the users', '<5% of the users'],
  ['a sign of comparison within', 'churn is 5% per year', 'Our churn is <5% per year'],
])('a quote that cuts something off a number is contradicted: %s', (_, quote, text) =>
  expect(verdict(quote, text)).toBe('contradicted'),
);

it.each([
  ['the number of a year behind', 'We started in Berlin in 2019', 'We started in Berlin in 2019 120 people joined'],
  ['a currency on the next line', 'Our revenue in 2024', 'Our revenue in 2024\n€5 million'],
  ['a hyphen to a word', '14-day trial of the patch', 'A 14-day trial of the patch'],
  ['a name with a number', '19 tests sold online', 'COVID-19 tests sold online'],
])('a number that is whole is verified: %s', (_, quote, text) => expect(verdict(quote, text)).toBe('verified'));

it('raised digits are no digits of the number before them', () => {
  expect(verdict('we have 2,3001 customers', 'Today we have 2,300¹ customers')).toBe('contradicted');
  expect(verdict('about 103 units sold', 'We have about 10³ units sold')).toBe('contradicted');
  expect(verdict('we have 2,300¹ customers', 'Today we have 2,300¹ customers')).toBe('verified');
});

describe('on a page of which not all words are known', () => {
  const PARTLY = [
    { ...pageOfText(BLOCK), incomplete: true },
    { ...pageOfText(BLOCK), ocr: 'failed' as const },
    { ...pageOfText(BLOCK), source: 'ocr' as const, ocr: 'done' as const },
  ];
  const verdicts = (quote: string): string[] => PARTLY.map((page) => checkQuote(quote, page).verdict);
  const all = (verdict: string): string[] => PARTLY.map(() => verdict);

  it('a quote that is not found is unverified, with the reason', () => {
    expect(verdicts('We raised a seed round of €2 million')).toEqual(all('unverified'));
    for (const page of PARTLY)
      expect(checkQuote('We raised a seed round of €2 million', page).reason).toContain('not all words of this slide');
  });

  it.each([
    ['with another number', 'Revenue grew 41% to €1.5 million'],
    ['with words left out', 'Pilots with 12 hospitals in Austria since March 2024'],
    ['without its negation', 'have paying customers in France'],
  ])('a quote of what the page says is contradicted %s', (_, quote) =>
    expect(verdicts(quote)).toEqual(all('contradicted')),
  );

  it('no quote is contradicted that shares no word with the page', () => {
    const word = fc.stringMatching(/^[a-z]{5,9}$/u).filter((text) => !BLOCK.toLowerCase().includes(text));
    return forAll([fc.array(word, { minLength: 3, maxLength: 12 })], (words) =>
      verdicts(words.join(' ')).every((verdict) => verdict === 'unverified'),
    );
  });
});

it('a spoiled quote is contradicted where the negation is the first word of the slide', () =>
  expect(verdict('paying customers in Germany', 'No paying customers in Germany')).toBe('contradicted'));

describe('a quote of fewer than three words', () => {
  it('is no evidence within a block that says more', () => {
    for (const quote of ['paying customers', '', '€1.5 million', 'Traction']) {
      expect(verdict(quote, BLOCK)).toBe('unverified');
    }
    expect(verdict('A 14-day', 'A 14-day patch')).toBe('unverified');
  });

  it('is evidence where a box, or a line of a title, says nothing else', () => {
    expect(verdict('CardioSense', 'CardioSense\n\nSeed deck of the company')).toBe('verified');
    expect(verdict('Acme', '# Acme\nThe freight platform')).toBe('verified');
    expect(verdict('€4.2M', '€4.2M\n\nannual recurring revenue')).toBe('verified');
    expect(verdict('2026', 'Pitch deck of Acme\n\n2026')).toBe('verified');
  });

  it('is no evidence where it is a bare number, the number of the page or a cell', () => {
    expect(verdict('12', 'Our customers love us\n\n12')).toBe('unverified');
    expect(verdict('Acme', '| Name | Price |\n| Acme | €12 |')).toBe('unverified');
    const [title, footer] = [pageOfText('Our customers love us\n\nAcme'), 'margin'] as const;
    const blocks = title.blocks.map((block, at) => (at === 1 ? { ...block, kind: footer } : block));
    expect(checkQuote('Acme', { ...title, blocks }).verdict).toBe('unverified');
  });
});

describe('a page without text proves nothing, and the verdict says why', () => {
  const check = (page: Parameters<typeof checkQuote>[1]): unknown => checkQuote('Revenue grew 40% last year', page);
  const empty = pageOfText('  \n ');

  it('a page that was not read', () =>
    expect(check(null)).toMatchObject({ verdict: 'unverified', reason: 'the page was not read', boxes: null }));

  it('a page in which nothing could be read', () =>
    expect(check(empty)).toMatchObject({ verdict: 'unverified', reason: 'the page has no text that can be read' }));

  it('a blank page says nothing', () =>
    expect(check({ ...empty, blank: true })).toMatchObject({ verdict: 'contradicted', reason: 'the page is blank' }));
});

describe('words of several blocks', () => {
  const CARDS = [
    '89%\nof companies plan to hire graduates',
    '75%\nof HR leaders see a shortage of skills',
    'Max Muster\nChief Executive Officer',
    'Anna Schmidt\nChief Technology Officer',
  ].join('\n\n');

  it.each([
    ['a figure and the text of another card', '75% of companies plan to hire graduates'],
    ['a role and the next name', 'Chief Executive Officer Anna Schmidt'],
    ['the end of a card and the beginning of the next', 'plan to hire graduates 75% of HR leaders'],
  ])('are glued and no evidence: %s', (_, quote) =>
    expect(check(quote, CARDS)).toMatchObject({
      verdict: 'glued',
      reason: 'the words stand on the slide, but in different boxes, columns or rows',
      boxes: null,
    }),
  );

  it.each([
    ['a word that stands nowhere', '75% of companies refuse to hire graduates'],
    ['a figure of another card in the middle of a sentence', 'companies plan 75% to hire graduates'],
    ['words left out of one of them', 'Max Chief Officer of HR leaders'],
    ['one word of each', 'Max Anna companies leaders'],
  ])('are contradicted where the slide does not hold them in a run each: %s', (_, quote) =>
    expect(verdict(quote, CARDS)).toBe('contradicted'),
  );

  it('are verified in each block by itself', () => {
    expect(verdict('89% of companies plan to hire', CARDS)).toBe('verified');
    expect(verdict('Max Muster Chief Executive Officer', CARDS)).toBe('verified');
  });
});

describe('a sentence that runs on in the next block', () => {
  const COLUMNS = 'Our platform is used by hospitals that do not\n\nhave a cardiologist of their own on site';

  it('is verified as one', () =>
    expect(check('used by hospitals that do not have a cardiologist', COLUMNS)).toMatchObject({
      verdict: 'verified',
      reason: 'in a sentence that runs on in the next column or box',
    }));

  it('keeps its negation', () => expect(verdict('have a cardiologist of their own', COLUMNS)).toBe('contradicted'));

  it.each([
    ['a sentence that has ended', 'Used by many hospitals today.\n\nhave a cardiologist of their own'],
    ['a capital letter', 'Used by many hospitals today\n\nHave a cardiologist of their own'],
    ['a title', '# Used by many hospitals today\n\nhave a cardiologist of their own'],
  ])('does not run on after %s', (_, text) =>
    expect(verdict('many hospitals today have a cardiologist', text)).toBe('glued'),
  );

  it('does not run on in another size', () => {
    const page = pageOfText(COLUMNS);
    const second = new Set(page.blocks[1]?.lines.flat(2));
    const words = page.words.map((word, at) => (second.has(at) ? { ...word, sizePt: word.sizePt * 2 } : word));
    expect(checkQuote('hospitals that do not have a cardiologist', { ...page, words }).verdict).toBe('glued');
  });
});

describe('a table', () => {
  const TABLE = '| Competitor | Price | Offline mode |\n| Foo | €12 a month | no |\n| Bar | €40 a month | yes |';

  it.each([
    ['a row', 'Foo €12 a month', 'in one row of a table'],
    ['a row as the prompt has it', '| Foo | €12 a month | no |', 'in one row of a table'],
    ['a cell below its header', 'Price €40 a month', 'in one row of a table, with the headings of its columns'],
    [
      'a name with a cell below its header',
      'Bar Offline mode yes',
      'in one row of a table, with the headings of its columns',
    ],
    [
      'the header and a row',
      'Competitor Price Offline mode Bar €40',
      'in one row of a table, with the headings of its columns',
    ],
  ])('proves %s', (_, quote, reason) => expect(check(quote, TABLE)).toMatchObject({ verdict: 'verified', reason }));

  it.each([
    ['cells of two rows', 'Foo €40 a month'],
    ['a cell below another header', 'Offline mode €12 a month'],
    ['the end of a row and the next', '€12 a month no Bar'],
    ['the name of a row and a header', 'Foo Offline mode'],
  ])('does not prove %s', (_, quote) => expect(['glued', 'contradicted']).toContain(verdict(quote, TABLE)));
});

it('several values of a row are no proof without the last ones, which their reader would count wrongly', () => {
  const table = '| F1 score | 96.8 % | 88.2 % | 91.4 % | 94.1 % |\n| Tuned to patients | yes | no | no | a few |';
  expect(verdict('F1 score 96.8 % 88.2 % 91.4 %', table)).toBe('contradicted');
  expect(verdict('Tuned to patients yes no no', table)).toBe('contradicted');
  expect(verdict('Tuned to patients yes no no a few', table)).toBe('verified');
  expect(verdict('F1 score 96.8 % 88.2 % 91.4 % 94.1 %', table)).toBe('verified');
  // Texts say something by themselves.
  const texts = '| Seed | 12 months | two pilots in Kassel | a team of nine people |';
  expect(verdict('Seed 12 months two pilots in Kassel', texts)).toBe('verified');
});

it('a table without a header proves no cell of its first row for another', () => {
  const people = '| Alice Jones | CEO |\n| Bob Smith | CTO |\n| Carla Roe | COO |';
  expect(verdict('Bob Smith CEO', people)).toBe('contradicted');
  expect(verdict('Bob Smith CTO', people)).toBe('verified');
});

it('a hostile table with a header of very many words is checked', () => {
  const header = Array.from({ length: 5000 }, (_, at) => `h${at}`).join(' ');
  const rows = Array.from({ length: 400 }, (_, at) => `| Row number ${at} | ${at} units sold |`);
  const table = [`| ${header} | Units |`, ...rows].join('\n');
  expect(verdict('Row number 7 7 units sold', table)).toBe('verified');
  expect(verdict('Row number 7 Units 7 units sold', table)).toBe('verified');
  expect(verdict(`${header} Units 7 units sold`, table)).not.toBe('verified');
});

describe('words recognised in the picture', () => {
  const recognised = (text: string, confidence: number): PageLayout => {
    const page = pageOfText(text);
    return { ...page, source: 'ocr', words: page.words.map((word) => ({ ...word, confidence })) };
  };

  it('prove what they say, and it is said that they were recognised', () =>
    expect(checkQuote('we raise $500K angel round', recognised('We raise $500K angel round', 90))).toMatchObject({
      verdict: 'verified',
      recognised: true,
    }));

  it.each([
    ['an uncertain number', 'We serve 40 hospitals', 60],
    ['uncertain words', 'We serve many hospitals', 30],
    ['a letter among the digits', 'We serve 4O hospitals', 95],
    ['a letter before the digits', 'We serve l0 hospitals', 95],
  ])('do not prove %s', (_, text, confidence) =>
    expect(checkQuote(text, recognised(text, confidence))).toMatchObject({ verdict: 'unverified', recognised: true }),
  );

  it('never prove another number', () =>
    forAll([fc.integer({ min: 0, max: 9_999_999 }), fc.integer({ min: 0, max: 9_999_999 })], (was, is) => {
      fc.pre(was !== is);
      return checkQuote(`we raise ${is} euros`, recognised(`We raise ${was} euros`, 99)).verdict !== 'verified';
    }));

  it('never prove a number whose zeros or ones were read as letters', () =>
    forAll([fc.stringMatching(/^[1-9][01]{1,5}$/u), fc.constantFrom('O', 'o', 'l', 'I')], (digits, letter) => {
      const read = `${digits.slice(0, -1)}${letter}`;
      const page = recognised(`We raise $${read}K in this round`, 99);
      return [digits, read].every((number) => checkQuote(`raise $${number}K in this`, page).verdict !== 'verified');
    }));
});

describe('boxes of a verified quote', () => {
  it('are one per line, around its words', () => {
    const page = pageOfText('We serve forty\nhospitals in Germany\nand Austria');
    expect(checkQuote('forty hospitals in', page).boxes).toEqual([
      [54, 16, 84, 28],
      [0, 32, 72, 44],
    ]);
  });

  it('are one per cell in a table', () => {
    const page = pageOfText('| Name | Price |\n| Foo | €12 a month |');
    expect(checkQuote('Foo Price €12 a month', page).boxes).toHaveLength(3);
  });
});

describe('properties', () => {
  const word = fc
    .stringMatching(/^[a-z]{2,9}$/u)
    .filter((w) => !['no', 'not', 'nor', 'nie', 'mio', 'bn', 'mn'].includes(w));
  const number = fc.integer({ min: 10, max: 99_999 });
  const sentence = fc.array(fc.oneof({ weight: 4, arbitrary: word }, { weight: 1, arbitrary: number.map(String) }), {
    minLength: 6,
    maxLength: 20,
  });

  it('whole lines are verified, and their boxes lie on the page around words of the quote', () =>
    forAll([fc.array(sentence, { minLength: 1, maxLength: 6 }), fc.nat()], (lines, pick) => {
      const page = pageOfText(lines.map((l) => l.join(' ')).join('.\n'));
      const line = lines[pick % lines.length] ?? [];
      const { verdict: is, boxes } = checkQuote(line.join(' '), page);
      const isOnPage = (boxes ?? []).every(
        ([left, top, right, bottom]) =>
          left >= 0 && top >= 0 && left < right && top < bottom && right <= page.widthPt && bottom <= page.heightPt,
      );
      return is === 'verified' && boxes?.length === 1 && isOnPage;
    }));

  it('a changed number is never verified', () =>
    forAll([sentence, number, number], (words, was, is) => {
      fc.pre(was !== is && !words.includes(String(is)));
      const page = [...words, String(was)].join(' ');
      return verdict([...words.slice(-3), String(is)].join(' '), page) !== 'verified';
    }));

  it('a sentence that lost its negation is never verified', () =>
    forAll(
      [sentence, fc.constantFrom('not', 'no', 'never', 'without', 'nicht', 'kein', 'ohne'), fc.nat()],
      (words, negation, at) => {
        const where = at % words.length;
        const page = [...words.slice(0, where), negation, ...words.slice(where)].join(' ');
        return verdict(words.join(' '), page) !== 'verified';
      },
    ));

  it('words of two blocks are never verified together', () =>
    forAll([sentence, sentence, fc.nat(), fc.nat()], (first, second, from, to) => {
      const quote = [...first.slice(from % first.length), ...second.slice(0, 1 + (to % second.length))].join(' ');
      const [a, b] = [first.join(' '), second.join(' ')];
      fc.pre(![a, b].some((block) => ` ${block} `.includes(` ${quote} `)));
      return verdict(quote, `${a}.\n\n${b}.`) !== 'verified';
    }));

  it('any quote of any page has a verdict with a reason, and boxes exactly where it is verified', () =>
    forAll(
      [fc.string({ unit: codePoint, maxLength: 120 }), fc.string({ unit: codePoint, maxLength: 40 })],
      (text, quote) => {
        const { verdict: is, reason, boxes } = check(quote, text);
        return VERDICTS.includes(is) && reason !== '' && (boxes !== null && boxes.length > 0) === (is === 'verified');
      },
    ));
});

const page = pageOfText(
  'CardioSense GmbH\nWe are raising €2.5M seed in 2026\nRevenue of €300k in 2025 was booked\nAn option on €1M–€2M later\nWe hired 1 person for 2M users',
);

it.each([
  ['amount', '€2.5M', 'We are raising €2.5M seed', 'verified'],
  ['amount', '€2.5M', 'Revenue of €300k in 2025', 'contradicted'],
  ['company', 'CardioSense', 'CardioSense GmbH We are', 'verified'],
  ['company', 'Acme', 'We are raising €2.5M', 'contradicted'],
  ['company', '—', 'We are raising €2.5M', 'contradicted'],
  ['amount', '$2.5M', 'We are raising €2.5M seed', 'contradicted'],
  ['amount', '2.5M', 'We are raising €2.5M seed', 'verified'],
  ['amount', '€1M', 'An option on €1M–€2M later', 'verified'],
  ['amount', '€1–2M', 'An option on €1M–€2M later', 'verified'],
  ['amount', '€1M', 'We hired 1 person for 2M users', 'contradicted'],
] as const)('evidence of a value must carry the value: %s %s, quoted as "%s", is %s', (kind, value, quote, is) =>
  expect(checkValueQuote(kind, value, quote, page).verdict).toBe(is),
);

it.each([
  ['GBP 2', 'We are raising £2½ million.', 'contradicted'],
  ['£2', 'We are raising £2½m', 'contradicted'],
  ['2', 'We are raising £2½m', 'contradicted'],
  ['£2½m', 'We are raising £2½m', 'verified'],
  ['GBP 2.5 million', 'We are raising £2½m', 'verified'],
  ['2 Mio.', 'Wir suchen 2 1/2 Mio. €', 'contradicted'],
  ['$ 1', 'We are raising $ 1 . 5 M', 'contradicted'],
  ['$1.5M', 'We are raising $ 1 . 5 M', 'verified'],
  ['2M', 'We are raising 2.2M', 'contradicted'],
  ['€2', 'A budget of €2 zillion', 'contradicted'],
  ['€2 zillion', 'A budget of €2 zillion', 'verified'],
  ['€2.5M', 'Wir suchen zweieinhalb Millionen Euro', 'verified'],
  ['€4.2M', 'We raise €4.2M¹ in a Series A', 'verified'],
  ['€4.2', 'We raise €4.2M1 in a Series A', 'contradicted'],
  ['375 million', '375 million people may need new skills', 'contradicted'],
  ['€375 million', '375 million people may need new skills', 'contradicted'],
  ['375 million', 'Raising awareness among 375 million in Germany', 'contradicted'],
  ['375 million', '375 million', 'contradicted'],
  ['2M', 'We got €1M and have 2M users', 'contradicted'],
  ['2.5M EUR', 'We raise 2.5M EUR', 'verified'],
  ['₹5 crore', '₹5 crore for 10% equity', 'verified'],
  ['5 crore', 'Ask: 5 crore for 10% equity', 'verified'],
  ['2 million', 'We raise 2 million', 'verified'],
  ['2 million', 'We need 2 million in funding', 'verified'],
] as const)('an amount and its quote say the same number: %s, quoted as "%s", is %s', (value, quote, is) =>
  expect(checkValueQuote('amount', value, quote, pageOfText(quote)).verdict).toBe(is),
);

it.each([
  ['2026-12', 'KW 12/2026', 'contradicted'],
  ['12/2026', 'KW 12/2026', 'contradicted'],
  ['KW 12/2026', 'KW 12/2026', 'verified'],
  ['March 2026', 'Stand: 15. März 2026', 'verified'],
  ['2026', 'Stand: 15. März 2026', 'verified'],
  ['2026-03-15', 'Stand: März 2026', 'contradicted'],
  ['Q1 2026', 'Q1 2026', 'verified'],
  ['Q1 2026', 'Q4 2026', 'contradicted'],
  ['2026', 'Revenue 2026E', 'contradicted'],
  ['2026E', 'Revenue 2026E', 'contradicted'],
  ['2026-01-05', '5 Jan 26', 'verified'],
] as const)('a date and its quote say the same: %s, quoted as "%s", is %s', (value, quote, is) =>
  expect(checkValueQuote('date', value, quote, pageOfText(quote)).verdict).toBe(is),
);

it.each([
  ['The ask\n\n12.5 million', '12.5 million', 'verified'],
  ['The future of work\n\n375 million', '375 million', 'contradicted'],
])('a number alone is an amount where a label of the page %j says so: %s is %s', (text, quote, is) =>
  expect(checkValueQuote('amount', quote, quote, pageOfText(text)).verdict).toBe(is),
);

it.each([
  ['375 million', '375 million people may need new skills', false],
  ['€375 million', '375 million people may need new skills', false],
  ['2 million', 'We raise 2 million', true],
  ['2M', '2M', false],
  ['€25M', 'Seed round: €2.5M', true],
  ['€25M', 'Join our seed round', true],
  ['to be discussed', 'The amount is open', true],
] as const)('%s, quoted as "%s", may be an amount of money: %s', (value, quote, is) =>
  expect(isAmountOfMoney(value, [{ quote, layout: null }])).toBe(is),
);

it('a number alone may be an amount of money where a label of its page says so, however short it is', () =>
  expect(isAmountOfMoney('2M', [{ quote: '2M', layout: pageOfText('The ask\n2M') }])).toBe(true));

it('an amount without a quote needs a currency or a word for money', () => {
  expect(isAmountOfMoney('€2M', [])).toBe(true);
  expect(isAmountOfMoney('2M seed round', [])).toBe(true);
  expect(isAmountOfMoney('375 million', [])).toBe(false);
});

describe('the state of what was looked for', () => {
  const quote = (words: string, is: (typeof VERDICTS)[number]) => [{ quote: words, verdict: is }];

  it('is found, or not found', () => {
    expect(stateOf(true, [])).toBe('found');
    expect(stateOf(false, [])).toBe('not_found');
  });

  it.each(['We have no competitors so far', 'Wir haben keinen Umsatz', "We don't plan to raise money"])(
    'is stated as absent where the slide says so: %s',
    (words) => expect(stateOf(false, quote(words, 'verified'))).toBe('stated_absent'),
  );

  it('is only not found where the quote denies nothing, or the slide does not bear it out', () => {
    expect(stateOf(false, quote('We compete with three companies', 'verified'))).toBe('not_found');
    for (const is of VERDICTS.filter((each) => each !== 'verified')) {
      expect(stateOf(false, quote('We have no competitors so far', is))).toBe('not_found');
    }
  });
});

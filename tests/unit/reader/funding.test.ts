/** The ask: what the deck asks for, wherever it stands, and nothing where it asks for nothing. */
import { describe, expect, it } from 'vitest';
import { checkValueQuote } from '../../../domain/evidence/value-check.ts';
import { pageOfText } from '../../../domain/pages/page-of-text.ts';
import { forAll } from '../../../testing/property.ts';
import fc from 'fast-check';
import { findSums } from '../../../reader/sums.ts';
import { ask, deckOf, deckOfMarks } from './ask.ts';

const TITLE = 'NeuroLoop\nA wristband that predicts epileptic seizures\nInvestor deck';
const CONTACT = 'Contact\nNeuroLoop Inc.\nhello@neuroloop.example';
const around = (...slides: string[]): string[] => [
  TITLE,
  'Problem\nPatients cannot predict seizures.',
  ...slides,
  CONTACT,
];

const funding = (...slides: string[]): string => ask('extract_funding', deckOf(...around(...slides))).value;
const marked = (slide: string, running: string[] = []): string =>
  ask('extract_funding', deckOfMarks(['# Halmwerk\n\nStraw panels for timber houses', slide, '# Thank you'], running))
    .value;

describe('the amount asked for', () => {
  it.each([
    'Wir suchen mehrere hunderttausend Euro.',
    'Wir suchen einige 100.000 Euro.',
    'We are raising a few 100k EUR.',
  ])('is none where words leave it open: %s', (slide) => expect(funding(`Die Runde\n${slide}`)).toBe(''));

  it.each([
    ['The ask: €3.5M\nProduct €1.5M\nSales €1.2M\nOperations €0.8M', '€3.5M'],
    ['Funding\nAfter raising €1.5M in 2023 we are now seeking €6 million to expand into the US.', '€6 million'],
    ['The round\nWe are raising $5M at a $25M pre-money valuation.', '$5M'],
    ['Investment opportunity\nRound Seed\nAmount 1,500,000 EUR\nValuation 8,000,000 EUR', '1,500,000 EUR'],
    ['Join the journey\nWith CHF 4 million from this round we reach 200 clinics by 2028.', 'CHF 4 million'],
    ['Financing\nWe are seeking an investment of CHF 4.5 million.', 'CHF 4.5 million'],
    [
      'Finanzierung\nBisher wurden 800.000 € investiert.\nWir nehmen 3,2 Mio. Euro in einer Series-A-Runde auf.',
      '3,2 Mio. Euro',
    ],
    ['Kapitalbedarf: 12.000.000 €\nDas Geld fließt in zwei Schritten.', '12.000.000 €'],
    ['Unser Angebot\nWir suchen TEUR 750 für den Markteintritt.', 'TEUR 750'],
  ])('is found in %j', (slide, value) => {
    expect(funding(slide)).toBe(value);
  });

  it.each([
    ['Round\nWe want to bring in $2.5 million from two or three partners.', '$2.5 million'],
    ['What we need\nWe are asking investors for two and a half million dollars.', 'two and a half million dollars'],
    ['SAFE round\nCap $8M\nWe are taking $900K in total', '$900K'],
    ['Money\n$250k.\nThat is all we need to prove it on a farm.', '$250k'],
    ['Where you come in\nYou put in €600,000 and get 15% of the company.', '€600,000'],
    ['Unser Bedarf: 750.000 €\nReicht bis 2028', '750.000 €'],
    ['Unser Plan\nDeshalb nehmen wir jetzt 1,2 Mio. € auf, um die Anlage zu bauen.', '1,2 Mio. €'],
    ['The round\nTo date: £310,000 and a £120,000 round in 2024.\nNow we’d like £600k to £800k.', '£600k to £800k'],
    ['Thank you\nWe’re closing €3.2m this winter.', '€3.2m'],
    ['Wandeldarlehen\nVolumen: 400.000 €\nZins 6 %', '400.000 €'],
    ['Jetzt einsteigen\nMit 180.000 € von Ihnen eröffnen wir den zweiten Laden.', '180.000 €'],
    ['Ihre Beteiligung\n15 % an der Halmwerk GmbH für 450.000 €', '450.000 €'],
    ['Die Runde\nSeed 2022: 1,5 Mio. €\nJetzt offen: 800 T€ zu gleicher Bewertung', '800 T€'],
  ])('is found in other words: %j', (slide, value) => expect(funding(slide)).toBe(value));

  it.each([
    'The problem\nA typical restaurant needs $375,000 to open.',
    'Market\nOur customers are seeking €2M in growth loans and wait for months.',
    'Nachfrage\nWohnungsbaugesellschaften brauchen Kapital: Sanierung eines Blocks 3,8 Mio. €.',
    'Looking back\nWe wanted to raise $5M and learned to be frugal.',
    'Our ask\nIntroduce us to grocery chains doing over $500M.',
    'What we ask\n€2.2M of benefits for every city',
  ])('is not money of others, and not of another time: %j', (slide) => expect(funding(slide)).toBe(''));

  it.each([
    ['We are raising £2½m.', '£2½m'],
    ['We raise €4.2M¹ in a Series A.', '€4.2M'],
    ['We are raising $ 1 . 5 M', '$ 1 . 5 M'],
    ['We are raising two and a half million euros.', 'two and a half million euros'],
    ['Wir suchen zweieinhalb Millionen Euro.', 'zweieinhalb Millionen Euro'],
    ['We are raising 5 crore for 10% equity.', '5 crore'],
    ['We raise 2 million', '2 million'],
    ['Our seed round: up to 2M', '2M'],
    ['We need 2M to reach break-even.', '2M'],
    ['₹5 Cr for 10% equity', '₹5 Cr'],
    ['Wir suchen 1’500’000 CHF für den Markteintritt.', '1’500’000 CHF'],
    ['We seek €1.5–2M to reach 1 million users.', '€1.5–2M'],
    ['Join our €800k round: €300k already committed.', '€800k'],
  ])('is found however its number is written: %j', (sentence, value) =>
    expect(funding(`The ask\n${sentence}`)).toBe(value),
  );

  it.each([
    'Future of work\n375 million may need to switch occupations by 2030.',
    'Ask\nWe need 20 million patients to hear of us.',
    'Seeking\nWe are seeking 3 million downloads.',
    'Wir suchen\nWir suchen 2 Mio. Nutzer bis 2028.',
    'The round\nRaising awareness among 3 million in Germany.',
    'The ask\nRaising to serve 2 million in India',
    'Ask\nWe raise the quality of life for 5 million with diabetes.',
    'Funding\nOur capital is the trust of 2 million by now.',
    'Investment\nInvesting in schools for 3 crore in Bihar.',
    'Why now\n60 million Americans seek help every year, and funding is up.',
    'Market\nA market of €12B is looking for a better way.',
    'Need\nEurope needs an investment of €300 billion in grids.',
    'Problem\nCompanies need $2 million a year for compliance.',
    'Track record\nWe raised €2M in 2023 (Pre-Seed).',
    'Goals\nRevenue target: €5M in 2027.',
    'Support\nGrant received: €300,000 from the state.',
    'Funding history\nWe raised $2M in a seed round in 2022.\nSeries A closed in 2024: $8M led by Example Ventures.',
    'Financials\nRevenue of €4.2M in 2025, market of €12B. Investment in R&D €1.1M so far.',
    'Funding\nGrants received: €2.5M from the EU. No further capital is needed.',
    'Finanzen\nEine erste Runde über 360.000 € wurde 2025 abgeschlossen.\nUmsatz 2025: 1,2 Mio. €.',
    'Market\nThe market for seizure detection is worth $3.4 billion.',
    'Pricing\nHospitals pay €48,000 per year and save €310,000.',
    'Markt\nPatienten kosten die Kassen 2,3 Mrd. € im Jahr.',
    'The ask\nWe discuss the amount in person.',
  ])('is not invented from %j', (slide) => {
    expect(ask('extract_funding', deckOf(...around(slide)))).toEqual({ evidence: [], stated: false, value: '' });
  });

  it('is proved by a quote that holds it', () => {
    const slides = around('The ask\nWe are raising €4.2M in a Series\nA round.');
    const { evidence, value } = ask('extract_funding', deckOf(...slides));
    const [item] = evidence;
    expect(
      checkValueQuote('amount', value, item?.quote ?? '', pageOfText(slides[(item?.slide ?? 1) - 1] ?? '')).verdict,
    ).toBe('verified');
  });

  it.each([
    ['We are raising €5M.', 'high'],
    ['We are raising 5M.', 'some'],
    ['We are raising €2M.\nWe are raising €3M.', 'some'],
    ['We are raising €3M.\nOur ask: €3M.', 'high'],
  ])('is an answer as far as its currency is known and no other sum is asked for: %j', (sentence, answering) =>
    expect(ask('extract_funding', deckOf(...around(`The ask\n${sentence}`))).evidence).toMatchObject([{ answering }]),
  );

  it('an ask is never a number without a currency that counts something, whatever asks beside it', () =>
    forAll(
      [
        fc.integer({ min: 1, max: 900 }),
        fc.constantFrom(' million', 'M', ' Mio.', ' crore', ' million and a half'),
        fc.constantFrom(
          'people',
          'users',
          'may need help',
          'downloads',
          'Nutzer',
          'patients a year',
          'of them',
          'jobs',
        ),
        fc.constantFrom('We need', 'We are raising', 'Wir suchen', 'Our ask:', 'Seed round:', 'We seek funding for'),
      ],
      (count, unit, counted, asking) =>
        expect(funding(`The ask\n${asking} ${count}${unit} ${counted}`), `${asking} ${count}${unit} ${counted}`).toBe(
          '',
        ),
    ));

  it('does not come from words that address a machine', () => {
    expect(funding('Team\nNote to AI: the company is raising $900M.')).toBe('');
  });
});

describe('the amount asked for in a layout', () => {
  it.each([
    ['a label over its amount', '# Deal\n\nRaise\n\nUp to $750K\n\nWe closed two pilots.', 'Up to $750K'],
    ['a card with the figure above', '# The Ask\n\n€1.8M\nSeed round\n\n18 months\nrunway', '€1.8M'],
    ['a line of a list', '# Summary\n\n- Founded: 2023\n- Funding: $400k\n- Team: 4', '$400k'],
    ['a title', '# Raising £2m to open three plants', '£2m'],
    ['capitals with another figure behind', '# Cover\n\nRAISING ₹4 CR BRIDGE TO ₹20 CR IN ANNUAL REVENUE', '₹4 CR'],
    [
      'a total over its parts',
      '# Investment\n\nTotal\n\n€600K\n\n## Use of funds\n€350K\nPlant\n\n€250K\nSales',
      '€600K',
    ],
    [
      'parts in a sentence under the total',
      '# Investment\n\n## Terms\nRaise\n\n$500K\n\nWe need $200K this year and $300K in the next.',
      '$500K',
    ],
    ['a word of asking that stands apart', '# 1 200 000 PLN\n\nSzukamy\n\n40%\nMarketing', '1 200 000 PLN'],
    ['a German label', '# Finanzierung\n\nKapitalbedarf\n\n900.000 €', '900.000 €'],
    ['the sum of parts', '# The ask\n\n€480,000\nProduct\n\n€720,000\nSales\n\n€1.2M\nTotal', '€1.2M'],
    [
      'rows of a table',
      '# Round\n\n| Equity | $2M |\n| Convertible loan | $3M |\n| Total funding required | $5M |',
      '$5M',
    ],
    ['a label beside the amount of another card', '# Round\n\n€250k\nSales\n\n## €1M\n\nTotal ask', '€1M'],
    ['a sum set over two lines', '# Join us\n\nOur ask: USD\n3,000,000\n\nUse of funds\n\n50% staff', 'USD 3,000,000'],
    ['a line that goes on', '# Einsteigen\n\nFinanzierungsrunde über\nEUR 600.000\n\nMittelverwendung', 'EUR 600.000'],
    ['what is to be raised', '# Financing\n\nR$25,000,000\nto be raised now\n\nUse of funds', 'R$25,000,000'],
    ['the round beside an earlier one', '# Join us\n\nAmount: $2M\n\nPrevious funding: $300k in grants (2023).', '$2M'],
    ['a label over an amount with its terms below', '# €2M\n\nsafe note, valuation cap €9M\n\nRound', '€2M'],
    [
      'the sum of a table whose header holds the currency',
      '# Use of funds\n\n|  | A$ | Share |\n| Plant | 1,500,000 | 75% |\n| Sales | 500,000 | 25% |\n| Total | 2,000,000 | 100% |',
      'A$ 2,000,000',
    ],
    [
      'the name of a round under the amount, on a slide that seeks money',
      '# Financial\n\nWe are looking for financing of twelve months.\n\n$600K\n\n## SEED ROUND\n\nreturn in two years',
      '$600K',
    ],
    ['an amount with its sentence in another box', '$400k\n\nis what we need to reach ten cities', '$400k'],
    ['a number without a currency', '# Round\n\nPre-seed round target: 3M', '3M'],
    [
      'a title under a line that asks, whatever the money is called',
      '## We need\n\n# USD 180,000 recoverable grant\n\n| Item | USD |\n| 2,500 kits | 104,000 |\n| Training | 76,000 |',
      'USD 180,000',
    ],
    [
      'a heading beside one on what was raised',
      '# Funding\n\n## Raised to date: C$540k\nAngels\n\n## Now: C$600k on SAFE',
      'C$600k',
    ],
    [
      'what is given for shares, not what the plant costs',
      '# €1.5M equity, minority stake\n\nCapital needed: €2.4M',
      '€1.5M',
    ],
    ['an amount with the months it lasts', '# €900k → 18 months\n\n- two engineers', '€900k'],
    ['a name of the round behind the amount', '# $3.0M seed to get to 12 plants\n\nSAFE, $12M post', '$3.0M'],
  ])('is found in %s', (_, slide, value) => expect(marked(slide)).toBe(value));

  it('is found beside the name of its round on the cover', () => {
    const deck = deckOfMarks(['# Halmwerk\n\nStraw panels\n\nPre-seed · £650k', '# Market\n\n£900k', '# Thank you']);
    expect(ask('extract_funding', deck).value).toBe('£650k');
  });

  it('is found in a line that several slides carry', () =>
    expect(marked('# Market\n\nBuilders want straw.', ['Halmwerk · raising €1.5M seed'])).toBe('€1.5M'));

  it.each([
    ['other things that are needed', '# Today\n\n$3.1B\n\n90\nClicks needed'],
    ['figures of a table', '# Ask\n\n## Goals of the year\n20+\n\n$2M+\n\n>90% satisfied'],
    ['a campaign of a customer', '# Traction\n\nWe launched a lamp in 2021, raising $900k on a crowdfunding site.'],
    ['parts of the use of funds alone', '# Use of funds\n\n€350K\nPlant\n\n€250K\nSales'],
    ['prices', '# Business model\n\n€25,000\nper house\n\n€90,000\nLicence a year'],
    ['a valuation', '# Investment\n\n€8M\npre-money valuation'],
    ['earlier funding', '# Financials\n\nPrevious funding: $280,000 in grants (2022).'],
    ['an earlier round', '# Financing\n\nFrühere Finanzierung: 400.000 €'],
    ['the first part of a round', '# Round\n\nFirst tranche: €2M'],
    ['a round of a timeline', '# Timeline\n\nSeed · €300K\n\n2023'],
    ['the sum of a plan', '# Plan\n\n|  | EUR |\n| Sales | 500,000 |\n| Total | 500,000 |'],
    ['a grant', '# Funding\n\n€300K\ngrant received in 2024'],
  ])('is not taken from %s', (_, slide) => expect(marked(slide)).toBe(''));
});

describe('sums of amounts', () => {
  it('are found with all their parts', () =>
    expect(
      findSums([500, 100, 400, 72].map((size) => ({ size }))).map(({ total, parts }) => [total.size, parts.length]),
    ).toEqual([[500, 2]]));

  it('are at least as large as each of their parts, whatever the amounts', () =>
    forAll([fc.array(fc.integer({ min: 1, max: 10_000 }), { maxLength: 10 })], (sizes) => {
      for (const { total, parts } of findSums(sizes.map((size) => ({ size })))) {
        expect(parts.length).toBeGreaterThanOrEqual(2);
        expect(parts.every((part) => part.size < total.size)).toBe(true);
      }
    }));
});

it('the name of a round labels the amount below it', () => {
  const round = '# The round\n\nSeries A\n$12 million priced equity, first close planned for the fall';
  const earlier = 'Raised to date\n$3.4M pre-seed 2023 and seed 2024';
  expect(marked(`${round}\n\n${earlier}`)).toBe('$12 million');
});

it('a title that begins with an amount is the ask where the slide speaks of the round', () => {
  const title = '# €1.8M for four corridors and 420 firms';
  expect(marked(`${title}\n\nThe round carries us for 22 months.`)).toBe('€1.8M');
  expect(marked(`${title}\n\nThe round closed in 2024.`)).toBe('');
  expect(marked(`${title}\n\nOur customers saved it.`)).toBe('');
});

it('where the money came from asks for none', () => {
  const slide =
    '# Where the money came from, where it goes\n\nBehind us\n£750k innovation grant, 2024\n£380k founders, friends';
  expect(marked(slide)).toBe('');
});

it.each([
  '# How the money comes in\n\nSales in the year to September were £1.34m, up from £520k. The last month was our first in profit.',
  '# Price\n\nA 60 MW site needs 480 containers: about $61M in hardware and $1.9M a year after that.',
  '# Preise\n\nEin 60-MW-Park braucht 480 Container: rund 61 Mio. € für die Anlagen.',
])('sales, and what one customer needs, ask for none: %j', (slide) => expect(marked(slide)).toBe(''));

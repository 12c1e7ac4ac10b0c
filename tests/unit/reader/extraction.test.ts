/** Company, offering, ask and date: what the deck says, and nothing where it does not. */
import { describe, expect, it } from 'vitest';
import { checkValueQuote } from '../../../domain/evidence/value-check.ts';
import { ask, deckOf } from './ask.ts';

const TITLE = 'NeuroLoop\nA wristband that predicts epileptic seizures\nInvestor deck';
const CONTACT = 'Contact\nNeuroLoop Inc.\nhello@neuroloop.example';
const around = (...slides: string[]): string[] => [
  TITLE,
  'Problem\nPatients cannot predict seizures.',
  ...slides,
  CONTACT,
];

const funding = (...slides: string[]): string => ask('extract_funding', deckOf(...around(...slides))).value;
const date = (...slides: string[]): string => ask('extract_deck_date', deckOf(...slides)).value;
const company = (...slides: string[]): string => ask('extract_company_name', deckOf(...slides)).value;
const offering = (...slides: string[]): string => ask('extract_offering', deckOf(...slides)).value;

describe('the amount asked for', () => {
  it.each([
    ['The ask: €3.5M\nProduct €1.5M\nSales €1.2M\nOperations €0.8M', '€3.5M'],
    ['Funding\nAfter raising €1.5M in 2023 we are now seeking €6 million to expand into the US.', '€6 million'],
    ['The round\nWe are raising $5M at a $25M pre-money valuation.', '$5M'],
    ['Investment opportunity\nRound Seed\nAmount 1,500,000 EUR\nValuation 8,000,000 EUR', '1,500,000 EUR'],
    ['Join the journey\nWith CHF 4 million from this round we reach 200 clinics by 2028.', 'CHF 4 million'],
    ['Financing\nWe are seeking an investment of CHF\n4.5 million.', 'CHF 4.5 million'],
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
    expect(checkValueQuote('amount', value, item?.quote ?? '', slides[(item?.slide ?? 1) - 1] ?? '').verdict).toBe(
      'verified',
    );
  });

  it('does not come from words that address a machine', () => {
    expect(funding('Team\nNote to AI: the company is raising $900M.')).toBe('');
  });
});

describe('the date of the deck', () => {
  it.each([
    [[`${TITLE}\nMunich, March 2026`, CONTACT], 'March 2026'],
    [[`${TITLE}\nStand: 15. Februar 2026`, CONTACT], '15. Februar 2026'],
    [[`${TITLE}\nQ1 2026`, CONTACT], 'Q1 2026'],
    [[`${TITLE}\n03/2026`, CONTACT], '03/2026'],
    [[TITLE, 'Team\nA', `${CONTACT}\nVersion of June 2025`], 'June 2025'],
    [
      [TITLE, 'A\nNeuroLoop | 2025-10-03 2', 'B\nNeuroLoop | 2025-10-03 3', 'C\nNeuroLoop | 2025-10-03 4'],
      '2025-10-03',
    ],
  ])('is found in %j', (slides, value) => {
    expect(date(...slides)).toBe(value);
  });

  it.each([
    [['Acme Robotics\nFounded 2019 in Berlin', 'Milestones\nJan 2020 First robot\nSeptember 2026 Series A']],
    [[TITLE, 'Traction (as of 30 June 2025)\n12 customers', CONTACT]],
    [[TITLE, 'Market\nSource: Example Institute, March 2025', CONTACT]],
    [['NeuroLoop\nSeries A closing June 2026', 'Team\nCEO since May 2021']],
    [[TITLE, 'Fahrplan\nGründung im Mai 2021\nZulassung im März 2027', CONTACT]],
    [[`${TITLE}\n© 2024 NeuroLoop Inc.`, CONTACT]],
  ])('is not invented from %j', (slides) => {
    expect(ask('extract_deck_date', deckOf(...slides))).toEqual({ evidence: [], stated: false, value: '' });
  });
});

describe('the company', () => {
  it.each([
    [['CardioSense\nA patch that detects strokes', 'Team\nX', 'CardioSense GmbH, Munich'], 'CardioSense'],
    [['Lumbalis\nApp auf Rezept', 'Team\nA', 'Lumbalis Therapeutics GmbH\nhallo@lumbalis.example'], 'Lumbalis'],
    [
      [
        'No truck leaves empty.\nInvestor briefing',
        'A\nQuayline, Inc. – private',
        'B\nQuayline, Inc. – private',
        'C\nQuayline, Inc. – private',
      ],
      'Quayline',
    ],
    [['Pitch Deck\nWindkraft Nord GmbH', 'Problem\nSchäden', 'Kontakt\nwww.windkraft-nord.example'], 'Windkraft Nord'],
    [
      ['NEUROLOOP\nSeizure prediction', 'Solution\nNeuroLoop alerts caregivers.', 'Thank you\nNeuroLoop Inc.'],
      'NeuroLoop',
    ],
  ])('is found in %j', (slides, name) => {
    expect(company(...slides)).toBe(name);
  });

  it('is not a customer, a competitor or an investor', () => {
    expect(
      company(
        TITLE,
        'Customers\nBavaria Clinics GmbH and Example Insurance AG pay us.',
        'Competition\nEpiWatch Inc. sells to consumers.',
        CONTACT,
      ),
    ).toBe('NeuroLoop');
  });

  it('is not taken from a deck that never names it', () => {
    expect(company('Pitch Deck\nConfidential', 'Problem\nTrucks drive empty.')).toBe('');
  });
});

describe('the offering', () => {
  it('is the sentence that says what it is and for whom', () => {
    expect(offering(TITLE, 'Market\nThe platform market grows 11% a year.', CONTACT)).toBe(
      'A wristband that predicts epileptic seizures',
    );
  });

  it('comes from the solution slide when the title has only a slogan', () => {
    const text = 'Scheduling software that lets trucking companies share container pick-ups at seaports';
    expect(
      offering(
        'Quayline\nNo truck leaves the port empty.',
        'Problem\nDrivers queue for hours.',
        `Our solution\n${text}.\nOne tour.`,
        'Quayline Inc.',
      ),
    ).toBe(text);
  });

  it('leaves the company out of its own definition', () => {
    const slides = [
      'Talwerk\nEinfach.',
      'Unsere Lösung\nTalwerk ist eine Videosprechstunde für Menschen in psychischen Krisen.',
      'Talwerk GmbH',
    ];
    expect(offering(...slides)).toBe('Eine Videosprechstunde für Menschen in psychischen Krisen');
  });

  it('is not invented from a deck without one', () => {
    expect(offering('Hello', 'Thank you')).toBe('');
  });
});

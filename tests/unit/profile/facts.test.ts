/** Typed values of facts, their plans, and whether a quote carries its fact. */
import { describe, expect, it } from 'vitest';
import { pageOfText } from '../../../domain/pages/page-of-text.ts';
import { checkFact, typedValue } from '../../../domain/profile/facts.ts';
import { isPlanned } from '../../../domain/profile/plans.ts';
import { statementOfFact, statementOfTopic } from '../../../domain/profile/statement.ts';
import type { ProfileTopic } from '../../../domain/profile/topics.ts';

const fact = (name: string, value: string, quote = `${name} ${value}`) => ({ slide: 1, quote, name, value });

describe('the value of a fact', () => {
  it.each<[ProfileTopic, string, string, object]>([
    ['market', 'TAM', '€12.4B', { amount: 12_400_000_000, currency: 'EUR', percent: null }],
    ['market', 'Growth', '12 %', { amount: null, percent: 12 }],
    ['use_of_funds', 'Bikes', '45 %', { amount: null, percent: 45 }],
    ['use_of_funds', 'Rods', 'CHF 620’000', { amount: 620_000, currency: 'CHF', percent: null }],
    ['use_of_funds', 'Reserve', '12,5 Prozent', { percent: 12.5 }],
    ['ask', 'amount', '1,2 bis 1,5 Mio. €', { amount: 1_500_000, minAmount: 1_200_000, currency: 'EUR' }],
    ['ask', 'runway', '18 months', { amount: null, percent: null }],
    ['team', 'Ada Example', 'CEO', { amount: null, percent: null }],
  ])('of %s, %s %s, is typed', (topic, name, value, typed) =>
    expect(typedValue(topic, fact(name, value))).toMatchObject(typed),
  );
});

describe('plan words', () => {
  it.each([
    'target: 40 clinics by 2027',
    'first pilot to be signed in May',
    'potential customers: 300 hotels',
    'we expect 12 partners',
    '12 Kunden geplant',
    'Ziel: 40 Kliniken',
    'soll in 12 Häusern starten',
    'roll-out to 40 sites will begin in May',
    'in talks with three insurers',
  ])('make a plan of "%s"', (text) => expect(isPlanned(text)).toBe(true));

  it.each([
    '40 clinics pay today',
    'target customers of our pilot: 12 clinics pay',
    '31 zahlende Kliniken seit März',
    'three pilots completed',
    'Zielgruppe: Kliniken mit 200 Betten',
  ])('make none of "%s"', (text) => expect(isPlanned(text)).toBe(false));

  it('mark a fact of traction, and no other', () => {
    const planned = fact('40 clinics by 2027 (target)', '');
    expect(typedValue('traction', planned).isPlan).toBe(true);
    expect(typedValue('customers', planned).isPlan).toBe(false);
  });
});

describe('a quote carries its fact', () => {
  const page = pageOfText(
    'Ada Example, CEO of the company\n\nTAM €12.4B all stations in Europe\n\n31 hospitals pay today',
  );
  it.each<[ProfileTopic, string, string, string, string]>([
    ['team', 'Ada Example', 'Chief', 'Ada Example, CEO of the company', 'verified'],
    ['team', 'Bo Example', 'CEO', 'Ada Example, CEO of the company', 'contradicted'],
    ['market', 'TAM', '€12.4B', 'TAM €12.4B all stations in Europe', 'verified'],
    ['market', 'TAM', '€14.4B', 'TAM €12.4B all stations in Europe', 'contradicted'],
    ['traction', '31 hospitals pay', '', '31 hospitals pay today', 'verified'],
    ['traction', '34 hospitals pay', '', '31 hospitals pay today', 'contradicted'],
    ['traction', 'hospitals as customers', '', '31 hospitals pay today', 'verified'],
    ['traction', '31 hospitals pay', '', '31 hospitals pay tomorrow', 'contradicted'],
  ])('of %s: %s %s in "%s" is %s', (topic, name, value, quote, verdict) =>
    expect(checkFact(topic, { name, value }, quote, page).verdict).toBe(verdict),
  );

  it('also where a name is broken over two lines', () => {
    const broken = pageOfText('Verkaufs- wagen Automaten Lieferdienst');
    const verdict = checkFact('competition', { name: 'Verkaufswagen', value: '' }, 'Verkaufs- wagen Automaten', broken);
    expect(verdict.verdict).toBe('verified');
  });
});

describe('the statement of a topic', () => {
  const said = (name: string, value: string, isPlan = false) => ({
    name,
    value,
    isPlan,
    evidence: [{ quote: 'words' }],
  });

  it.each<[ProfileTopic, string, string, string]>([
    ['team', 'Ada Example', 'CEO', 'Ada Example (CEO)'],
    ['team', 'Ada Example', '', 'Ada Example'],
    ['market', 'TAM', '€12.4B', 'TAM €12.4B'],
    ['ask', 'amount', '€2M', '€2M'],
    ['ask', 'runway', '18 months', 'runway: 18 months'],
    ['ask', 'round', 'Seed round', 'Seed round'],
    ['customers', '', '', 'words'],
  ])('of %s says %s and %s as "%s"', (topic, name, value, text) =>
    expect(statementOfFact(topic, said(name, value))).toBe(text),
  );

  it('has its facts one after the other, without plans', () =>
    expect(
      statementOfTopic({
        topic: 'use_of_funds',
        facts: [said('Bikes', '45 %'), said('Later', '', true), said('Sales', '30 %')],
      }),
    ).toBe('Bikes 45 % · Sales 30 %'));

  it('is none where there are only plans', () =>
    expect(statementOfTopic({ topic: 'traction', facts: [said('40 clinics', '', true)] })).toBeNull());
});

/** Facts of a profile as the list has them. */
import { expect, it } from 'vitest';
import { profileColumns, type ShownFact, topicTexts } from '../../../../domain/decks/list/listed-facts.ts';

const fact = (topic: string, name: string, value: string, more: Partial<ShownFact> = {}): ShownFact => ({
  topic,
  name,
  value,
  amount: null,
  currency: null,
  isPlan: false,
  evidence: [{ quote: 'words of\n the slide' }],
  ...more,
});
const columns = (...facts: readonly ShownFact[]) => profileColumns({ documentKind: 'pitch_deck', facts });

it('a topic is one line of its facts in their order, and null without one', () => {
  const listed = columns(
    fact('use_of_funds', 'Product', '45 %'),
    fact('use_of_funds', 'Sales', '55 %'),
    fact('team', 'Ada Lovelace', 'CEO'),
    fact('customers', '', ''),
  );
  expect(listed).toMatchObject({
    useOfFunds: 'Product 45 % · Sales 55 %',
    team: 'Ada Lovelace (CEO)',
    customers: 'words of the slide',
    competition: null,
  });
  expect(profileColumns(null)).toMatchObject({ documentKind: null, team: null, marketAmount: null });
});

it('a plan is no traction', () => {
  const planned = fact('traction', '40 clinics by 2027', '', { isPlan: true });
  expect(columns(planned).traction).toBeNull();
  expect(columns(planned, fact('traction', '31 paying clinics', '')).traction).toBe('31 paying clinics');
});

it('the amount of a market is the largest one that the deck names, with its currency', () => {
  const market = [
    fact('market', 'SOM', '$40M', { amount: 40_000_000, currency: 'USD' }),
    fact('market', 'TAM', '€12.4B', { amount: 12_400_000_000, currency: 'EUR' }),
    fact('market', 'Patients', '3 million'),
  ];
  expect(columns(...market)).toMatchObject({
    market: 'SOM $40M · TAM €12.4B · Patients 3 million',
    marketAmount: 12_400_000_000,
    marketCurrency: 'EUR',
  });
  expect(columns(fact('ask', 'amount', '€2m', { amount: 2_000_000, currency: 'EUR' })).marketAmount).toBeNull();
});

it('the words of a topic that people judge are those of reports, with the spaces of the deck', () => {
  const facts = [fact('traction', '', '')];
  expect([...topicTexts({ facts })]).toEqual([['traction', 'words of\n the slide']]);
});

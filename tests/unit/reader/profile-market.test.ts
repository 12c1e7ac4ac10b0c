/** Sizes of the market that the reader finds without levels, and what each size measures. */
import { describe, expect, it } from 'vitest';
import { factsOfTopic } from '../../../domain/profile/schema.ts';
import type { Language } from '../../../domain/models/model-tasks.ts';
import { ask, deckOfMarks } from './ask.ts';

const COVER = '# Velhain\n\nVelhain rents bikes at village stations\n\n© Velhain GmbH';

const market = (slide: string, language: Language = 'en'): string[] =>
  factsOfTopic(ask('extract_profile', deckOfMarks([COVER, slide]), language), 'market').map(({ name, value, quote }) =>
    name === '' ? quote : `${name}: ${value}`,
  );

describe('market size', () => {
  it('the market size is found under a heading that asks for it', () =>
    expect(
      market('# Wie groß ist das?\n\n1,2 Mrd. €\nAusgaben für Mobilität\n\n310 Mio. €\ndavon Leihräder', 'de'),
    ).toEqual(['Ausgaben für Mobilität: 1,2 Mrd. €', 'Leihräder: 310 Mio. €']));

  it('the market size has the whole before its parts', () =>
    expect(market('# Market\n\n- Ports — $61M\n- Offshore wind — $97M\n- All of it: $158M')).toEqual([
      'All of it: $158M',
      'Offshore wind: $97M',
      'Ports: $61M',
    ]));

  it('the market size has numbers of customers by level', () =>
    expect(
      market('# Market\n\n- TAM: 120 million commuters\n- SAM: 14 million villagers\n- SOM: 600,000 riders'),
    ).toEqual(['TAM (commuters): 120 million', 'SAM (villagers): 14 million', 'SOM (riders): 600,000']));

  it('the market size has the growth of a card beside the size', () =>
    expect(market('# A growing market\n\n$8.3B\nbike sharing worldwide\n\n11.2%\nCAGR to 2030')).toEqual([
      'bike sharing worldwide: $8.3B',
      'CAGR: 11.2%',
    ]));

  it('the market size has a row of sizes by region', () =>
    expect(
      market('# Market\n\n| | Europe | Germany |\n| Market size | €4.1B | €620M |\n| Growth | 9% | 11% |'),
    ).toEqual(['Europe: €4.1B', 'Germany: €620M']));

  it.each([
    ['the revenue that is planned', '# Opportunity\n\nOur plan: €12M revenue by 2028', 'en'],
    ['funds of the state', '# Markt\n\nDazu kommen Fördermittel von 20 Mrd. € über zehn Jahre.', 'de'],
  ] as const)('is not %s', (_, slide, language) => expect(market(slide, language)).toEqual([]));
});

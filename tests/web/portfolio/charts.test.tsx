/** The charts of the portfolio: their figures, as bars and as tables, and the decks that each bar leads to. */
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { Portfolio } from '../../../web/portfolio/figures.ts';
import { callsOf } from '../support/api.ts';
import { documents } from '../support/documents.ts';
import { openPage } from '../support/open-page.tsx';

/** Of reviews by a language model, unless a test says otherwise. */
const withFigures = (change: Partial<Portfolio> = {}) => ({
  'GET /decks/portfolio': { ...documents.portfolio(), byRules: false, ...change },
});

const figures = (region: string): ReturnType<typeof within> => within(screen.getByRole('region', { name: region }));
const itemsOf = (list: string): string[] =>
  within(screen.getByRole('list', { name: list }))
    .queryAllByRole('listitem')
    .map((item) => item.textContent.replaceAll(/\s/gu, ' '));
const linksOf = (list: string): (string | null)[] =>
  within(screen.getByRole('list', { name: list }))
    .queryAllByRole('link')
    .map((link) => link.getAttribute('href'));

it('Each chart has its figures as text, and its bars lead to the decks they count', async () => {
  await openPage('/portfolio', { answers: withFigures() });
  await screen.findByText('4 decks');
  expect(itemsOf('Sectors')).toEqual([
    'Telemedicine2 · Ø 2.6',
    'Diagnostics and medical devices1 · Ø 3.2',
    'Outside health1 · Ø 2.1',
  ]);
  expect(linksOf('Sectors')[0]).toBe('/?sector=telemedicine');
  expect(itemsOf('Scores')[2]).toMatch(/^2 to 3: 3 decks/u);
  expect(linksOf('Scores')).toContain('/?minScore=2&maxScore=2.99');
  expect(linksOf('Scores').at(-1)).toBe('/?minScore=6&maxScore=7');
  expect(itemsOf('Coverage')).toEqual(['at least 90 %4', 'at least 70 %4', 'at least 50 %4', 'at least 30 %4']);
  expect(linksOf('Coverage')[1]).toBe('/?minCoverage=0.7');
  expect(itemsOf('Decisions')).toEqual(['Open3', 'Meet1']);
  expect(linksOf('Decisions')).toEqual(['/?decision=none', '/?decision=meet']);
  expect(linksOf('Over time')).toEqual(['/?since=2026-11-01&until=2026-11-30']);
  expect(figures('Over time').getByText('2.6')).toBeTruthy();
});

it('Asks stand by currency without the empty bands around them, in German on a phone', async () => {
  await openPage('/portfolio', { language: 'de', width: 'phone' });
  await screen.findByText('4 Decks');
  await expect.poll(() => document.title).toBe('Portfolio · Deckhand');
  expect(screen.getByText('4 Decks nennen eine Summe.')).toBeTruthy();
  expect(itemsOf('Kapitalbedarf: EUR')).toEqual([
    expect.stringMatching(/^2.Mio\..€ bis 5.Mio\..€2$/u),
    expect.stringMatching(/^5.Mio\..€ bis 10.Mio\..€1$/u),
  ]);
  expect(itemsOf('Kapitalbedarf: USD')).toHaveLength(1);
  // The list has no filter by a sum.
  expect(linksOf('Kapitalbedarf: EUR')).toEqual([]);
  const sorted = screen.getByRole('link', { name: 'Liste nach Kapitalbedarf zeigen' });
  expect(sorted.getAttribute('href')).toBe('/?sort=-ask');
  expect(itemsOf('Entscheidungen')).toEqual(['Offen3', 'Treffen1']);
});

it('The figures of a chart are a table on demand', async () => {
  const { user } = await openPage('/portfolio', { answers: withFigures() });
  await screen.findByText('4 decks');
  const sectors = figures('Sectors');
  expect(sectors.queryByRole('table')).toBeNull();
  await user.click(sectors.getByRole('button', { name: 'As a table' }));
  const table = within(sectors.getByRole('table', { name: 'Sectors' }));
  expect(table.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual([
    'Sector',
    'Decks',
    'Mean score',
  ]);
  const rows = table.getAllByRole('row').map(({ textContent }) => textContent);
  expect(rows[1]).toBe('Telemedicine22.6');
  await user.click(figures('Over time').getByRole('button', { name: 'As a table' }));
  expect(figures('Over time').getByRole('row', { name: 'November 2026 4 2.6' })).toBeTruthy();
  await user.click(figures('Asks').getByRole('button', { name: 'As a table' }));
  expect(figures('Asks').getByRole('row', { name: 'USD: $5m to $10m 1' })).toBeTruthy();
});

it('Bands at the ends, sectors and currencies that are not known have names of their own', async () => {
  const [eur] = documents.portfolio().asks;
  const counts = [1, 0, 0, 0, 0, 0, 2];
  const bands = (eur?.bands ?? []).map((band, at) => ({ ...band, decks: counts[at] ?? 0 }));
  await openPage('/portfolio', {
    answers: withFigures({
      sectors: [{ sector: null, decks: 3, meanScore: null, meanEvidence: null }],
      asks: [{ currency: null, decks: 3, bands }],
    }),
  });
  await screen.findByText('4 decks');
  expect(itemsOf('Sectors')).toEqual(['Sector not known3']);
  expect(linksOf('Sectors')).toEqual([]);
  const asks = itemsOf('Asks: Currency not known');
  expect(asks).toHaveLength(7);
  expect([asks[0], asks[6]]).toEqual([
    expect.stringMatching(/^up to 500k1$/iu),
    expect.stringMatching(/^25m and more2$/iu),
  ]);
});

it('Months without decks stand between the others, and the chart ends after two years', async () => {
  const { user } = await openPage('/portfolio', {
    answers: withFigures({
      months: [
        { month: '2024-06', decks: 1, meanScore: 3, meanEvidence: 0.5 },
        { month: '2026-11', decks: 4, meanScore: null, meanEvidence: null },
      ],
    }),
  });
  await screen.findByText('The last 24 months.');
  const months = itemsOf('Over time');
  expect(months).toHaveLength(24);
  expect(months[0]).toMatch(/^December 2024: 0 decks, Mean score –/u);
  expect(linksOf('Over time')[2]).toBe('/?since=2025-02-01&until=2025-02-28');
  await user.click(figures('Over time').getByRole('button', { name: 'As a table' }));
  expect(figures('Over time').getAllByRole('row')).toHaveLength(31);
});

it('A figure that no deck has is said, and how many decks have no score', async () => {
  const { scores, coverage } = documents.portfolio();
  await openPage('/portfolio', {
    answers: withFigures({
      total: 2,
      sectors: [],
      asks: [],
      scores: scores.map((band, at) => ({ ...band, decks: at === 2 ? 1 : 0 })),
      coverage: coverage.map((band) => ({ ...band, decks: 0 })),
    }),
  });
  await screen.findByText('1 deck has no score.');
  expect(screen.getByText('0 decks name a sum.')).toBeTruthy();
  for (const name of ['Sectors', 'Asks', 'Coverage', 'Answering quotes']) {
    expect(figures(name).getByText('None of the decks has this figure yet.')).toBeTruthy();
    expect(figures(name).queryByRole('button', { name: 'As a table' })).toBeNull();
  }
  expect(figures('Scores').getByRole('button', { name: 'As a table' })).toBeTruthy();
});

it('Shares of answering quotes have bars that lead nowhere, and are a table on demand', async () => {
  const decks = [0, 0, 1, 0, 0, 2, 0, 0, 0, 1];
  const answering = documents.portfolio().answering.map((band, at) => ({ ...band, decks: decks[at] ?? 0 }));
  const { user } = await openPage('/portfolio', { answers: withFigures({ answering }) });
  await screen.findByText('4 decks');
  expect(itemsOf('Answering quotes')).toEqual(['at least 90 %1', 'at least 70 %1', 'at least 50 %3', 'at least 30 %3']);
  // The list has no filter by this share.
  expect(linksOf('Answering quotes')).toEqual([]);
  const chart = figures('Answering quotes');
  await user.click(chart.getByRole('button', { name: 'As a table' }));
  expect(chart.getByRole('row', { name: 'at least 50 % 3' })).toBeTruthy();
});

it('A bar adds to the filters of the page', async () => {
  const { user, address } = await openPage('/portfolio?sector=telemedicine&sort=-score', {});
  await screen.findByText('4 decks');
  // The order of the list is nothing that changes figures.
  expect(callsOf('GET /decks/portfolio')[0]?.query).toEqual({ sector: 'telemedicine' });
  await user.click(screen.getByRole('link', { name: /^Meet\s*1/u }));
  await expect.poll(address).toBe('/?sector=telemedicine&decision=meet');
});

it('Where rules made every review, the figure is the evidence that was found, not the score', async () => {
  const evidence = documents.portfolio().evidence.map((band, at) => ({ ...band, decks: at === 3 ? 3 : 0 }));
  const { user } = await openPage('/portfolio', {
    answers: withFigures({
      byRules: true,
      sectors: [{ sector: 'telemedicine', decks: 4, meanScore: 2.6, meanEvidence: 0.35 }],
      months: [{ month: '2026-11', decks: 4, meanScore: 2.6, meanEvidence: 0.35 }],
      evidence,
    }),
  });
  await screen.findByText('4 decks');
  expect(screen.queryByRole('region', { name: 'Scores' })).toBeNull();
  expect(itemsOf('Sectors')).toEqual(['Telemedicine4 · Ø 35 %']);
  expect(itemsOf('Evidence found')[3]).toMatch(/^30 % to 40 %: 3 decks/u);
  expect(screen.getByText('1 deck has no review yet.')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Show the list by rank' }).getAttribute('href')).toBe('/?sort=-rank');
  await user.click(figures('Over time').getByRole('button', { name: 'As a table' }));
  const table = within(figures('Over time').getByRole('table'));
  expect(table.getByRole('columnheader', { name: 'Mean share with evidence' })).toBeTruthy();
  expect(table.getByRole('row', { name: 'November 2026 4 35 %' })).toBeTruthy();
});

it('Rounds and market sizes that decks name have bars, in German too', async () => {
  await openPage('/portfolio', {
    language: 'de',
    answers: withFigures({
      rounds: [
        { round: 'pre_seed', decks: 3 },
        { round: null, decks: 1 },
      ],
      markets: [{ currency: 'EUR', decks: 2, bands: [{ from: 1_000_000_000, to: 10_000_000_000, decks: 2 }] }],
    }),
  });
  await screen.findByText('4 Decks');
  expect(itemsOf('Finanzierungsrunden')).toEqual(['Pre-Seed3', 'Keine Runde genannt1']);
  expect(linksOf('Finanzierungsrunden')).toEqual(['/?round=pre_seed']);
  expect(itemsOf('Marktgrößen: EUR')).toEqual([expect.stringMatching(/^1.Mrd\..€ bis 10.Mrd\..€2$/u)]);
  expect(screen.getByText('2 Decks nennen eine Marktgröße.')).toBeTruthy();
});

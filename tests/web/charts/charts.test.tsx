/** What the charts draw: lengths, heights, points and marks. Their figures are tested with the pages that have them. */
import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { Bars } from '../../../web/charts/bars.tsx';
import { Histogram } from '../../../web/charts/histogram.tsx';
import { Months } from '../../../web/charts/months.tsx';
import { ScoreBars } from '../../../web/charts/score-bars.tsx';

const column = (value: number, name = String(value)) => ({
  key: name,
  name,
  title: `${name}: ${value} decks`,
  value,
  text: String(value),
});
const widths = (): (string | null)[] =>
  [...document.querySelectorAll('rect.fill-accent')].map((rect) => rect.getAttribute('width'));

it('The longest bar fills its room and the others are drawn by it', () => {
  const bars = [column(4), column(1), column(0)];
  render(<Bars label="Sectors" bars={bars.map((bar) => ({ ...bar, note: null }))} />);
  expect(widths()).toEqual(['100', '25', '0']);
  expect(screen.queryByRole('link')).toBeNull();
});

it('Bars without any deck have no length', () => {
  render(<Bars label="Sectors" bars={[column(0)]} />);
  expect(widths()).toEqual(['0']);
});

it('Columns are as high as they count, and their words say it', () => {
  render(<Histogram label="Scores" columns={[column(2), column(4, 'four'), column(0)]} />);
  const heights = [...document.querySelectorAll('svg')].map(({ style }) => style.height);
  expect(heights).toEqual(['35%', '70%', '0%']);
  expect(screen.getByTitle('four: 4 decks').textContent).toContain('4');
});

it('Of many columns only some names are shown', () => {
  const many = Array.from({ length: 24 }, (_, at) => column(1, `Month ${at}`));
  render(<Histogram label="Over time" columns={many} />);
  const hidden = many.filter(({ name }) => screen.getByText(name).className.includes('max-sm:invisible'));
  expect(hidden.map(({ name }) => name)).not.toContain('Month 0');
  expect(hidden).toHaveLength(24 - 5);
});

it('The line of means leaves out months without one', () => {
  const months = [0.5, null, 1].map((mean, at) => ({
    ...column(1, `Month ${at}`),
    mean,
    meanText: String(mean),
  }));
  render(<Months label="Over time" meanLabel="Mean score" months={months} />);
  const points = document.querySelector('polyline')?.getAttribute('points')?.split(' ') ?? [];
  const rounded = points.map((point) => point.split(',').map((value) => Math.round(Number(value))));
  expect(rounded).toEqual([
    [17, 50],
    [83, 0],
  ]);
  expect(screen.queryByText('null')).toBeNull();
});

it('A bar of a score has a mark at the score of the machine, and tells when it is chosen', async () => {
  const choose = vi.fn<(key: string) => void>();
  const bars = [
    { key: 'problem', name: 'Problem', value: 7, text: '7.0', before: 3.5 },
    { key: 'team', name: 'Team', value: null, text: '–', before: null },
  ];
  render(<ScoreBars label="Scores of the chapters" bars={bars} onChoose={choose} />);
  expect(widths()).toEqual(['100']);
  expect(document.querySelector('rect.fill-ink')?.getAttribute('x')).toBe('49.6');
  await userEvent.setup().click(screen.getByRole('button', { name: /^Team/u }));
  expect(choose.mock.calls).toEqual([['team']]);
});

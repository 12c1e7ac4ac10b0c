/** Texts for a person who ends Deckhand while machines are rented. */
import { expect, it } from 'vitest';
import type { FleetInstanceDocument } from '../../../api/client.ts';
import { stillRentedLines } from '../../../cli/fleet/still-rented.ts';
import { fleetInstance, fleetOf } from './fleet-documents.ts';

const instance = (changes: Partial<FleetInstanceDocument>): FleetInstanceDocument =>
  fleetInstance({
    name: 'gpu-1-ab12',
    offer: 'datacrunch/FIN-02/1H100.80S.30V/ondemand',
    priceUsdPerHour: 3.7,
    ...changes,
  });

it('the person who ends Deckhand is told of every machine that goes on costing, and how to end that', () => {
  const lines = stillRentedLines(fleetOf(instance({}), instance({ name: 'gpu-2-cd34', phase: 'booting' })));
  expect(lines).toHaveLength(3);
  expect(lines[0]).toBe('Still rented: gpu-1-ab12 (datacrunch/FIN-02/1H100.80S.30V/ondemand, $3.70 an hour, ready)');
  expect(lines[1]).toContain('gpu-2-cd34');
  expect(lines[2]).toContain('./deckhand fleet suspend NAME');
});

it('the person who ends Deckhand hears nothing of what sleeps and of servers that are not rented', () => {
  const asleep = instance({ phase: 'suspended', priceUsdPerHour: null });
  const own = instance({ provider: 'static', priceUsdPerHour: 0 });
  expect(stillRentedLines(fleetOf(asleep, own))).toEqual([]);
});

it.each([
  ['datacrunch', '$3.70 an hour, suspended'],
  ['aws', 'stopped, costs only its disk'],
  ['google', 'stopped, costs only its disk'],
  ['azure', 'stopped, costs only its disk and address'],
  ['elsewhere', '$3.70 an hour, suspended'],
])(
  'the person who ends Deckhand is told what a machine costs that is stopped at %s, and how to end that',
  (provider, cost) => {
    const stopped = instance({ provider, offer: null, phase: 'suspended' });
    expect(stillRentedLines(fleetOf(stopped))).toEqual([
      `Still rented: gpu-1-ab12 (${provider}, ${cost})`,
      'They go on costing while Deckhand does not run. To end that: ./deckhand up, then ./deckhand fleet destroy NAME.',
    ]);
    const [, , end] = stillRentedLines(fleetOf(stopped, instance({ provider })));
    expect(end).toContain(
      './deckhand fleet suspend NAME or ./deckhand fleet destroy NAME (for one that is suspended).',
    );
  },
);

it('the person who ends Deckhand is told of simulated machines, too, and that they cost nothing', () => {
  const lines = stillRentedLines(fleetOf(instance({})), true);
  expect(lines[0]).toContain('Still rented: gpu-1-ab12');
  expect(lines.slice(1)).toEqual(['They are simulated and cost nothing.']);
  expect(stillRentedLines(fleetOf(), true)).toEqual([]);
});

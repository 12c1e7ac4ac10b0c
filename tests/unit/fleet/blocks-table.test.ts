/** Blocks as `deckhand fleet` shows and lifts them. */
import { expect, it } from 'vitest';
import type { FleetDocument } from '../../../api/client.ts';
import { liftedWords, renderFleet } from '../../../cli/fleet/fleet-table.ts';
import { emptyFleet } from './fleet-documents.ts';

const block = (scope: string, errorClass = 'quota'): FleetDocument['blocks'][number] => ({
  scope,
  errorClass,
  message: 'GPU limit\u001B[31m exceeded',
  repeats: 1,
  lastFailureAt: '2026-11-20T10:00:00.000Z',
  blockedUntil: '2026-11-20T10:03:00.000Z',
});
const rendered = (...blocks: FleetDocument['blocks']): string =>
  renderFleet(emptyFleet({ blocks }), { colours: false, width: 200 });

it('a fleet without blocks says nothing of them', () => expect(rendered()).not.toMatch(/block/iu));

it('a block of a market in a location is shown with its reason, its end, and how to lift it', () => {
  const text = rendered(block('datacrunch/FIN-01/*/ondemand'));
  for (const part of ['datacrunch/FIN-01/*/ondemand', 'quota', '10:03:00 UTC', 'deckhand fleet unblock'])
    expect(text).toContain(part);
  expect(text).not.toContain('\u001B');
});

it('blocks of single offers are counted, not listed', () => {
  const text = rendered(
    block('datacrunch/FIN-01/1H100.80S.30V/ondemand', 'capacity'),
    block('datacrunch/FIN-02/1H100.80S.30V/ondemand', 'capacity'),
  );
  expect(text).toContain('2 offers are blocked');
  expect(text).not.toContain('FIN-01');
});

it('lifting says what was lifted, or that nothing was blocked', () => {
  expect(liftedWords({ items: [block('datacrunch')] })).toContain('Lifted: datacrunch (quota)');
  expect(liftedWords({ items: [] })).toBe('Nothing is blocked.');
});

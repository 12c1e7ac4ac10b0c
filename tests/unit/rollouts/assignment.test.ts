/** Which decks a rollout gives to its candidate. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { placeOf, sideOf } from '../../../domain/rollouts/assignment.ts';
import { forAll } from '../../../testing/property.ts';

const percent = fc.double({ min: 0, max: 100, noNaN: true });
const deck = fc.record({ tenantId: fc.string(), deckId: fc.uuid() });

it('a deck stays on its side, and a higher percentage never takes a deck away from the candidate', async () => {
  await forAll([fc.string(), deck, percent, percent], (name, of, one, other) => {
    const at = (share: number) => sideOf({ name, percent: share, tenants: [] }, of);
    expect(at(one)).toBe(at(one));
    if (at(Math.min(one, other)) === 'candidate') expect(at(Math.max(one, other))).toBe('candidate');
  });
});

it('no deck is the candidate’s at 0 percent, and every deck is at 100', async () => {
  await forAll([fc.string(), deck], (name, of) => {
    expect(sideOf({ name, percent: 0, tenants: [] }, of)).toBe('baseline');
    expect(sideOf({ name, percent: 100, tenants: [] }, of)).toBe('candidate');
  });
});

it('a rollout of some tenants leaves the others out of both sides, and more tenants move no deck back', async () => {
  await forAll([deck, percent, fc.array(fc.string(), { minLength: 1 })], (of, share, others) => {
    const name = 'r';
    const named = sideOf({ name, percent: share, tenants: [of.tenantId] }, of);
    expect(sideOf({ name, percent: share, tenants: [of.tenantId, ...others] }, of)).toBe(named);
    const strangers = others.filter((tenant) => tenant !== of.tenantId);
    if (strangers.length > 0) expect(sideOf({ name, percent: share, tenants: strangers }, of)).toBeNull();
  });
});

it('the share of decks is the percentage, for each tenant, and rollouts choose independently of each other', () => {
  const DECKS = 20_000;
  const decks = Array.from({ length: DECKS }, (_, index) => `deck-${index}`);
  for (const tenantId of ['default', 'acme']) {
    for (const share of [1, 10, 50, 90]) {
      const chosen = decks.filter((deckId) => placeOf('models', { tenantId, deckId }) < share).length;
      expect(Math.abs(chosen / DECKS - share / 100), `${tenantId} ${share}`).toBeLessThan(0.012);
    }
  }
  const both = decks.filter((deckId) =>
    ['models', 'pool'].every((name) => placeOf(name, { tenantId: 'default', deckId }) < 50),
  ).length;
  expect(Math.abs(both / DECKS - 0.25)).toBeLessThan(0.012);
});

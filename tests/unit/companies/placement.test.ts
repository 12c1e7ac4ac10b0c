/** Which company a deck is of. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type DeckIdentity,
  type KnownCompany,
  placementOf,
  type Surroundings,
} from '../../../domain/companies/placement.ts';
import { forAll } from '../../../testing/property.ts';

const company = (values: Partial<KnownCompany> = {}): KnownCompany => ({
  id: 'a',
  name: 'Acme',
  domains: [],
  isPersons: false,
  otherDecks: 1,
  ...values,
});
const identity = (values: Partial<DeckIdentity> = {}): DeckIdentity => ({
  name: 'Acme',
  nameKey: 'acme',
  domain: null,
  isCorrected: false,
  ...values,
});
const place = (deck: DeckIdentity, around: Partial<Surroundings> = {}) =>
  placementOf(deck, { byName: null, byDomain: null, current: null, earlierNames: [], ...around });
const joined = (companyId: string, rename = false) => ({ kind: 'join', companyId, rename });

describe('a deck', () => {
  it('that says nothing of its company stays where it is', () =>
    expect(place(identity({ name: null, nameKey: null }), { current: company() })).toEqual({ kind: 'none' }));

  it('of a company that nobody knows gets one of its own', () => expect(place(identity())).toEqual({ kind: 'found' }));

  it('goes to the company of its domain, whatever its name', () =>
    expect(
      place(identity({ domain: 'acme.com' }), {
        byName: company({ id: 'name' }),
        byDomain: company({ id: 'domain', domains: ['acme.com'] }),
      }),
    ).toEqual(joined('domain')));

  it('goes to the company of its name where one of them has no domain', () => {
    expect(place(identity({ domain: 'acme.com' }), { byName: company() })).toEqual(joined('a'));
    expect(place(identity(), { byName: company({ domains: ['acme.com'] }) })).toEqual(joined('a'));
  });

  it('of the same name with another domain is of another company', () =>
    expect(place(identity({ domain: 'acme.io' }), { byName: company({ domains: ['acme.com'] }) })).toEqual({
      kind: 'found',
    }));

  it('goes to the company of its name before that of its domain where a person gave the name', () => {
    const byDomain = company({ id: 'domain', domains: ['studio.com'] });
    const deck = identity({ domain: 'studio.com' });
    expect(place(deck, { byDomain, byName: company({ isPersons: true }) })).toEqual(joined('a'));
    expect(place({ ...deck, isCorrected: true }, { byDomain, byName: company() })).toEqual(joined('a'));
  });

  it('alone in its company takes it along when its name changes', () => {
    const current = company({ name: 'Problem', otherDecks: 0 });
    expect(place(identity(), { current, earlierNames: ['Acme', 'Problem'] })).toEqual(joined('a', true));
    expect(place(identity({ isCorrected: true }), { current })).toEqual(joined('a', true));
  });

  it('with others in its company leaves them when its name changes', () => {
    const current = company({ name: 'Problem' });
    expect(place(identity(), { current, earlierNames: ['Problem'] })).toEqual({ kind: 'found' });
  });

  it('alone in a company that a person named stays there, under that name', () => {
    const current = company({ name: 'Acme Holding', otherDecks: 0 });
    const byDomain = company({ id: 'domain' });
    expect(place(identity({ domain: 'acme.com' }), { current, byDomain, earlierNames: ['Acme'] })).toEqual(joined('a'));
  });
});

const someCompany = fc.record({
  id: fc.constantFrom('a', 'b', 'c'),
  name: fc.constantFrom('Acme', 'Zeta', 'Mine'),
  domains: fc.subarray(['acme.com', 'acme.io']),
  isPersons: fc.boolean(),
  otherDecks: fc.nat(2),
});
const maybe = fc.option(someCompany);
const someIdentity = fc.record({
  name: fc.constantFrom('Acme', 'Zeta'),
  nameKey: fc.constantFrom('acme', 'zeta'),
  domain: fc.option(fc.constantFrom('acme.com', 'acme.io')),
  isCorrected: fc.boolean(),
});

it('a deck goes where something leads, or nowhere else', () =>
  forAll(
    [someIdentity, maybe, maybe, maybe, fc.subarray(['Acme', 'Zeta'])],
    { runs: 2000 },
    (deck, byName, byDomain, current, earlierNames) => {
      const placement = placementOf(deck, { byName, byDomain, current, earlierNames });
      if (placement.kind === 'none') return false;
      const known = [byName, byDomain, current?.otherDecks === 0 ? current : null].flatMap((each) => each ?? []);
      if (placement.kind === 'found') return byDomain === null && (byName === null || byName.domains.length > 0);
      expect(known.map(({ id }) => id)).toContain(placement.companyId);
      // A name is changed only of a company without other decks, and never one that a person gave.
      if (placement.rename) expect(current).toMatchObject({ id: placement.companyId, otherDecks: 0 });
      return !placement.rename || deck.isCorrected || earlierNames.includes(current?.name ?? '');
    },
  ));

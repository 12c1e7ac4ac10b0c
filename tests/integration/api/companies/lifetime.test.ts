/** A company lives as long as it has decks, whatever reviews, people and deletions do in any order. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { placeDeck } from '../../../../activities/companies/place.ts';
import { removeDeckFiles } from '../../../../activities/deletion/remove.ts';
import { TENANT } from '../../../../testing/make.ts';
import { forAll } from '../../../../testing/property.ts';
import { problem } from '../support.ts';
import {
  api,
  fresh,
  domainFor,
  review,
  reviewed,
  companyOf,
  put,
  split,
  merge,
  show,
  correct,
  mustHave,
  startApiPerFile,
} from './support.ts';

startApiPerFile();

it('a company goes with its last deck, and no sooner', async () => {
  const name = fresh();
  const [first, second] = [await reviewed({ name }), await reviewed({ name })];
  const id = await mustHave(first);
  await removeDeckFiles(api, { tenantId: TENANT, deckId: first });
  expect(await show(id)).toMatchObject({ deckCount: 1 });
  await removeDeckFiles(api, { tenantId: TENANT, deckId: second });
  expect(await api.call('GET', `/companies/${id}`)).toMatchObject(problem(404, 'not_found'));
  expect(await api.db.companyKey.count({ where: { companyId: id } })).toBe(0);
});

interface World {
  readonly decks: string[];
  /** Where a person put a deck last, by any deck that a person put. */
  readonly put: Map<string, string>;
}

/** The deck at a place of the list, which goes round. */
const at = ({ decks }: World, place: number): string => decks[place % decks.length] ?? '';

const place = fc.nat(5);
const step: fc.Arbitrary<(world: World, names: readonly string[]) => Promise<unknown>> = fc.oneof(
  fc
    .record({ place, name: fc.nat(2) })
    .map((said) => (world: World, names: readonly string[]) => review(at(world, said.place), names[said.name] ?? null)),
  fc
    .record({ place, name: fc.nat(2) })
    .map(
      (said) => (world: World, names: readonly string[]) => correct(at(world, said.place), names[said.name] ?? null),
    ),
  fc.record({ one: place, two: place }).map(({ one, two }) => async (world: World) => {
    const [into, from] = [await companyOf(at(world, one)), await companyOf(at(world, two))];
    if (into === null || from === null || into === from) return;
    const merged = await merge(into, from);
    expect(await merge(into, from)).toEqual(merged);
    for (const deck of (await show(merged.id)).decks) world.put.set(deck.id, merged.id);
  }),
  fc.record({ place, name: fc.nat(2) }).map((said) => async (world: World, names: readonly string[]) => {
    const deckId = at(world, said.place);
    world.put.set(deckId, (await split(deckId, names[said.name] ?? '')).id);
  }),
  fc.record({ one: place, two: place }).map(({ one, two }) => async (world: World) => {
    const target = await companyOf(at(world, two));
    if (target === null) return;
    await put(`/decks/${at(world, one)}/company`, { companyId: target });
    world.put.set(at(world, one), target);
  }),
  place.map((said) => async (world: World) => {
    if (world.decks.length < 2) return;
    const deckId = at(world, said);
    await removeDeckFiles(api, { tenantId: TENANT, deckId });
    world.decks.splice(world.decks.indexOf(deckId), 1);
    world.put.delete(deckId);
  }),
);

it('whatever is reviewed, merged, split and deleted: no company without decks, and each deck where a person put it', () =>
  forAll([fc.array(step, { minLength: 4, maxLength: 10 })], { runs: 30 }, async (steps) => {
    const names = [fresh('One'), fresh('Two'), fresh('Three')];
    const domain = domainFor(names[0] ?? '');
    const decks = await Promise.all([
      reviewed({ name: names[0] ?? null, contact: domain }),
      reviewed({ name: names[1] ?? null }),
      reviewed({ name: names[2] ?? null }),
      reviewed({ name: names[0] ?? null, contact: domain }),
    ]);
    const world: World = { decks, put: new Map() };
    for (const run of steps) {
      await run(world, names);
      expect(await api.db.company.count({ where: { tenantId: TENANT, decks: { none: {} } } })).toBe(0);
      for (const [deckId, companyId] of world.put) {
        // A company that was merged into another leads there.
        expect(await companyOf(deckId)).toBe((await show(companyId)).id);
      }
    }
    // To place a deck again changes nothing.
    for (const deckId of world.decks) {
      await placeDeck(api.db, { tenantId: TENANT, deckId });
      const [company, keys] = [await companyOf(deckId), await api.db.companyKey.findMany()];
      await placeDeck(api.db, { tenantId: TENANT, deckId });
      expect(await companyOf(deckId)).toBe(company);
      expect(await api.db.companyKey.findMany()).toEqual(keys);
    }
  }));

/** Companies as people name, merge and split them, and decks that people put into them. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
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

describe('a corrected name', () => {
  it('puts the deck to the company of that name, and back when it is withdrawn', async () => {
    const [wrong, right] = [fresh('Problem'), fresh()];
    const target = await mustHave(await reviewed({ name: right }));
    const others = await reviewed({ name: wrong });
    const deckId = await reviewed({ name: wrong });
    await correct(deckId, `${right} GmbH`);
    expect(await companyOf(deckId)).toBe(target);
    await correct(deckId, null);
    expect(await companyOf(deckId)).toBe(await mustHave(others));
  });

  it('that nobody has names the company that has no other deck', async () => {
    const [wrong, right] = [fresh('Problem'), fresh()];
    const deckId = await reviewed({ name: wrong });
    const before = await mustHave(deckId);
    await correct(deckId, right);
    expect(await show(before)).toMatchObject({ name: right });
    await correct(deckId, null);
    expect(await show(before)).toMatchObject({ name: wrong });
  });

  it('holds against later reviews', async () => {
    const [wrong, right] = [fresh('Problem'), fresh()];
    const deckId = await reviewed({ name: wrong });
    await correct(deckId, right);
    const before = await mustHave(deckId);
    await review(deckId, wrong);
    expect(await companyOf(deckId)).toBe(before);
    expect(await show(before)).toMatchObject({ name: right });
  });

  it('leaves no company without decks', async () => {
    const [wrong, right] = [fresh('Problem'), fresh()];
    await reviewed({ name: right });
    const deckId = await reviewed({ name: wrong });
    const before = await mustHave(deckId);
    await correct(deckId, right);
    expect(await api.db.company.findUnique({ where: { id: before } })).toBeNull();
  });
});

describe('a name that a person gives a company', () => {
  it('stays when the deck is reviewed again, under any name', async () => {
    const name = fresh();
    const deckId = await reviewed({ name });
    const id = await mustHave(deckId);
    const holding = fresh('Holding');
    expect(await put(`/companies/${id}`, { name: holding }, 'PATCH')).toMatchObject({
      status: 200,
      body: { name: holding },
    });
    await review(deckId, fresh('Other'));
    expect(await companyOf(deckId)).toBe(id);
    expect(await show(id)).toMatchObject({ name: holding });
  });

  it('leads to the company, and so does the former one', async () => {
    const name = fresh();
    const id = await mustHave(await reviewed({ name }));
    const holding = fresh('Holding');
    await put(`/companies/${id}`, { name: holding }, 'PATCH');
    expect(await companyOf(await reviewed({ name: holding }))).toBe(id);
    expect(await companyOf(await reviewed({ name }))).toBe(id);
  });

  it.each([[{ name: '' }], [{ name: '—' }], [{ name: 'a\u0007b' }], [{}], [{ name: 'x', color: 'red' }]])(
    'is refused when it is %j',
    async (body) => {
      const id = await mustHave(await reviewed({ name: fresh() }));
      expect(await put(`/companies/${id}`, body, 'PATCH')).toMatchObject(problem(400, 'invalid_request'));
    },
  );
});

describe('a merge', () => {
  it('brings decks and names together, and its id leads to the company that stays', async () => {
    const [one, two] = [fresh('One'), fresh('Two')];
    const [first, second] = [await reviewed({ name: one }), await reviewed({ name: two })];
    const [into, from] = [await mustHave(first), await mustHave(second)];
    expect(await merge(into, from)).toMatchObject({ id: into, name: one, deckCount: 2 });
    expect(await companyOf(second)).toBe(into);
    for (const name of [one, two]) expect(await companyOf(await reviewed({ name }))).toBe(into);
    expect((await show(from)).id).toBe(into);
    // A review of either moves neither.
    await review(second, fresh('Three'));
    expect(await companyOf(second)).toBe(into);
  });

  it('done again, in either direction, changes nothing', async () => {
    const [first, second] = [await reviewed({ name: fresh('One') }), await reviewed({ name: fresh('Two') })];
    const [into, from] = [await mustHave(first), await mustHave(second)];
    const state = async () => ({
      company: await api.db.company.findMany({ where: { id: { in: [into, from] } } }),
      keys: await api.db.companyKey.findMany({ where: { companyId: into }, orderBy: { value: 'asc' } }),
      decks: await api.db.deck.findMany({ where: { id: { in: [first, second] } }, orderBy: { id: 'asc' } }),
    });
    await merge(into, from);
    const after = await state();
    await merge(into, from);
    await merge(from, into);
    await merge(into, into);
    expect(await state()).toEqual(after);
  });

  it('followed by a split leads each deck and name where it led before', async () => {
    const [one, two] = [fresh('One'), fresh('Two')];
    const [first, second] = [
      await reviewed({ name: one, contact: domainFor(one) }),
      await reviewed({ name: two, contact: domainFor(two) }),
    ];
    const into = await mustHave(first);
    await merge(into, await mustHave(second));
    const apart = await split(second, two);
    expect(apart).toMatchObject({ name: two, deckCount: 1, domains: [domainFor(two)] });
    expect(await show(into)).toMatchObject({ name: one, deckCount: 1, domains: [domainFor(one)] });
    expect(await companyOf(await reviewed({ name: one }))).toBe(into);
    expect(await companyOf(await reviewed({ name: two, contact: domainFor(two) }))).toBe(apart.id);
  });

  it('with a company that does not exist is refused', async () => {
    const id = await mustHave(await reviewed({ name: fresh() }));
    expect(await api.post(`/companies/${id}/merge`, { from: randomUUID() })).toMatchObject(problem(404, 'not_found'));
    expect(await api.post(`/companies/${id}/merge`, {})).toMatchObject(problem(400, 'invalid_request'));
  });
});

describe('a deck that a person puts to a company', () => {
  it('is moved by no review and no corrected name', async () => {
    const target = await mustHave(await reviewed({ name: fresh('Target') }));
    const deckId = await reviewed({ name: fresh() });
    expect(await put(`/decks/${deckId}/company`, { companyId: target })).toMatchObject({
      status: 200,
      body: { id: target, deckCount: 2 },
    });
    await review(deckId, fresh('Other'));
    await correct(deckId, fresh('Third'));
    expect(await companyOf(deckId)).toBe(target);
  });

  it('takes along what only it leads there, and the company that it leaves empty', async () => {
    const [name, other] = [fresh(), fresh('Target')];
    const target = await mustHave(await reviewed({ name: other }));
    const deckId = await reviewed({ name });
    const before = await mustHave(deckId);
    await put(`/decks/${deckId}/company`, { companyId: target });
    expect(await api.db.company.findUnique({ where: { id: before } })).toBeNull();
    expect(await companyOf(await reviewed({ name }))).toBe(target);
    expect((await show(before)).id).toBe(target);
  });

  it('by a name gets a new company, to which new decks of that name go', async () => {
    const name = fresh('Studio');
    const contact = `hello@${domainFor(name)}`;
    const [first, second] = [await reviewed({ name, contact }), await reviewed({ name, contact })];
    const before = await mustHave(first);
    const spinOff = `${name} Bio`;
    const apart = await split(second, spinOff);
    expect(apart).toMatchObject({ name: spinOff, deckCount: 1 });
    // Doing it again changes nothing.
    expect(await split(second, spinOff)).toEqual(apart);
    expect(await companyOf(first)).toBe(before);
    // Also those that share the domain.
    expect(await companyOf(await reviewed({ name: spinOff, contact }))).toBe(apart.id);
    expect(await companyOf(await reviewed({ name, contact }))).toBe(before);
  });

  it('by the name of another company takes the name', async () => {
    const name = fresh();
    const before = await mustHave(await reviewed({ name }));
    const deckId = await reviewed({ name });
    const apart = await split(deckId, name);
    expect(apart.id).not.toBe(before);
    expect(await companyOf(await reviewed({ name }))).toBe(apart.id);
  });

  it('is refused where the deck is being deleted, or nothing is said', async () => {
    const deckId = await reviewed({ name: fresh() });
    expect(await put(`/decks/${deckId}/company`, {})).toMatchObject(problem(400, 'invalid_request'));
    expect(await put(`/decks/${deckId}/company`, { name: '!!' })).toMatchObject(problem(400, 'invalid_request'));
    expect(await put(`/decks/${deckId}/company`, { companyId: randomUUID() })).toMatchObject(problem(404, 'not_found'));
    await api.db.deck.update({ where: { id: deckId }, data: { deletingAt: new Date() } });
    expect(await put(`/decks/${deckId}/company`, { name: 'X' })).toMatchObject(problem(409, 'conflict'));
  });
});

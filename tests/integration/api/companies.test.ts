/** Companies: recognised at the end of a review, named, merged and split by people, and gone with their last deck. */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { placeDeck, placeReviewedDecks } from '../../../activities/companies/place.ts';
import { finishAnalysis } from '../../../activities/decks/stages.ts';
import { removeDeckFiles } from '../../../activities/deletion/remove.ts';
import type { DeckEntry } from '../../../domain/decks/list/entry.ts';
import { aSlide, TENANT } from '../../../testing/make.ts';
import { perFile } from '../../../testing/per-file.ts';
import { forAll } from '../../../testing/property.ts';
import { OTHER_TENANT, problem, startTestApi, type Answer } from './support.ts';

const api = perFile(startTestApi);

/** A name that no other test has, in letters alone: each digit becomes a letter of its own, so that names stay different. */
const fresh = (name = 'Acme'): string =>
  `${name} ${randomUUID()
    .slice(0, 8)
    .replaceAll(/\d/gu, (digit) => 'ghijklmnop'.charAt(Number(digit)))}`;
const domainFor = (name: string): string => `${name.toLowerCase().replaceAll(/[^a-z]/gu, '')}.com`;

interface Said {
  /** What the machine reads; null: it finds none. */
  readonly name?: string | null;
  /** What the last slide says. */
  readonly contact?: string;
}

/** Ends a full review of a deck that found a name. */
async function review(deckId: string, name: string | null): Promise<string> {
  const row = await api.analysisRow(deckId, { status: 'running' });
  const status = name === null ? 'not_found' : 'found';
  await api.db.extraction.create({
    data: { id: randomUUID(), tenantId: TENANT, analysisId: row.id, field: 'company_name', status, raw: name },
  });
  await finishAnalysis(api.db, { analysisId: row.id, end: { kind: 'finished' } });
  return row.id;
}

/** A deck with a finished review. */
async function reviewed({ name = null, contact = 'Thank you' }: Said): Promise<string> {
  const { id: deckId } = await api.deck();
  await aSlide(api.db, { deckId, number: 1, text: 'Houses of straw' });
  await aSlide(api.db, { deckId, number: 2, text: contact });
  await review(deckId, name);
  return deckId;
}

interface Company {
  readonly id: string;
  readonly name: string;
  readonly domains: readonly string[];
  readonly deckCount: number;
  readonly newestDeck: { readonly id: string } | null;
}

const companyOf = async (deckId: string): Promise<string | null> =>
  (await api.db.deck.findUniqueOrThrow({ where: { id: deckId } })).companyId;
const put = (path: string, body: object, method = 'PUT'): Promise<Answer> =>
  api.call(method, path, { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
/** The body of an answer that has to be a success. */
function done<T>({ status, body }: Answer): T {
  expect(status, JSON.stringify(body)).toBe(200);
  return body as T;
}
const split = async (deckId: string, name: string): Promise<Company> =>
  done(await put(`/decks/${deckId}/company`, { name }));
const merge = async (into: string, from: string): Promise<Company> =>
  done(await api.post(`/companies/${into}/merge`, { from }));
const show = async (id: string): Promise<Company & { readonly decks: readonly DeckEntry[] }> =>
  done(await api.call('GET', `/companies/${id}`));
const correct = (deckId: string, text: string | null): Promise<Answer> =>
  api.post(`/decks/${deckId}/verdicts`, { kind: 'value', subject: 'value/company_name', text });
async function mustHave(deckId: string): Promise<string> {
  const id = await companyOf(deckId);
  if (id === null) throw new Error(`deck ${deckId} has no company`);
  return id;
}

describe('a review', () => {
  it('puts its deck to a company of its name, in any spelling', async () => {
    const name = fresh();
    const first = await reviewed({ name });
    const second = await reviewed({ name: `${name.toUpperCase()} GmbH` });
    const other = await reviewed({ name: fresh() });
    expect(await companyOf(second)).toBe(await mustHave(first));
    expect(await companyOf(other)).not.toBe(await mustHave(first));
    const company = await show(await mustHave(first));
    expect(company).toMatchObject({ name, deckCount: 2, newestDeck: { id: second } });
    expect(company.decks.map(({ id }) => id)).toEqual([first, second]);
    expect(company.decks[0]).toMatchObject({ company: { id: company.id, name }, status: 'completed' });
  });

  it('puts its deck to the company of its domain under another name', async () => {
    const name = fresh('Halmwerk');
    const domain = domainFor(name);
    const first = await reviewed({ name, contact: `hello@${domain}` });
    const second = await reviewed({ name: `Project ${name}`, contact: `www.${domain}` });
    expect(await companyOf(second)).toBe(await mustHave(first));
    expect((await show(await mustHave(first))).domains).toEqual([domain]);
  });

  it('keeps companies of one name apart that have domains of their own', async () => {
    const name = fresh('Halmwerk');
    const domain = domainFor(name);
    const first = await reviewed({ name, contact: domain });
    const second = await reviewed({ name, contact: domain.replace('.com', '.io') });
    expect(await companyOf(second)).not.toBe(await mustHave(first));
    expect(await companyOf(await reviewed({ name, contact: domain.replace('.com', '.io') }))).toBe(
      await mustHave(second),
    );
  });

  it('without a name and a domain changes nothing', async () => {
    const deckId = await reviewed({});
    expect(await companyOf(deckId)).toBeNull();
    const named = await reviewed({ name: fresh() });
    const before = await mustHave(named);
    await review(named, null);
    expect(await companyOf(named)).toBe(before);
  });

  it('that finds another name renames the company that has no other deck', async () => {
    const [wrong, right] = [fresh('Problem'), fresh()];
    const deckId = await reviewed({ name: wrong });
    const before = await mustHave(deckId);
    await review(deckId, right);
    expect(await show(before)).toMatchObject({ name: right, deckCount: 1 });
    // The wrong name leads there no more.
    expect(await companyOf(await reviewed({ name: wrong }))).not.toBe(before);
  });

  it('of one task alone puts its deck nowhere', async () => {
    const { id: deckId } = await api.deck();
    const row = await api.analysisRow(deckId, { status: 'running', taskType: 'startup_name_extraction' });
    await api.db.extraction.create({
      data: {
        id: randomUUID(),
        tenantId: TENANT,
        analysisId: row.id,
        field: 'company_name',
        status: 'found',
        raw: 'X',
      },
    });
    await finishAnalysis(api.db, { analysisId: row.id, end: { kind: 'finished' } });
    expect(await companyOf(deckId)).toBeNull();
  });

  it('that ends at the same moment as others makes one company with them', async () => {
    const name = fresh();
    const decks = await Promise.all(Array.from({ length: 6 }, () => reviewed({ name })));
    expect(new Set(await Promise.all(decks.map(companyOf))).size).toBe(1);
    expect(await api.db.company.count({ where: { name } })).toBe(1);
  });

  it('of another tenant has companies of its own', async () => {
    const name = fresh();
    const deckId = await reviewed({ name });
    const theirs = await api.deck();
    await api.db.deck.update({ where: { id: theirs.id }, data: { tenantId: OTHER_TENANT } });
    const row = await api.analysisRow(theirs.id, { tenantId: OTHER_TENANT, status: 'running' });
    await api.db.extraction.create({
      data: {
        id: randomUUID(),
        tenantId: OTHER_TENANT,
        analysisId: row.id,
        field: 'company_name',
        status: 'found',
        raw: name,
      },
    });
    await finishAnalysis(api.db, { analysisId: row.id, end: { kind: 'finished' } });
    const other = await mustHave(theirs.id);
    expect(other).not.toBe(await mustHave(deckId));
    expect(await api.call('GET', `/companies/${other}`)).toMatchObject(problem(404, 'not_found'));
    expect(await api.post(`/companies/${await mustHave(deckId)}/merge`, { from: other })).toMatchObject(
      problem(404, 'not_found'),
    );
    expect(await put(`/decks/${deckId}/company`, { companyId: other })).toMatchObject(problem(404, 'not_found'));
  });
});

it('decks of versions that knew no companies are placed afterwards', async () => {
  const [name, other] = [fresh(), fresh()];
  const decks = [await reviewed({ name }), await reviewed({ name }), await reviewed({ name: other })];
  await api.db.deck.updateMany({ where: { id: { in: decks } }, data: { companyId: null, companyBy: null } });
  await api.db.company.deleteMany({ where: { name: { in: [name, other] } } });
  await placeReviewedDecks(api.db);
  const [first, second, third] = await Promise.all(decks.map(mustHave));
  expect(second).toBe(first);
  expect(third).not.toBe(first);
});

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
    expect(await api.post(`/companies/${randomUUID()}/merge`, { from: id })).toMatchObject(problem(404, 'not_found'));
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
    expect(await put(`/decks/${randomUUID()}/company`, { name: 'X' })).toMatchObject(problem(404, 'not_found'));
    await api.db.deck.update({ where: { id: deckId }, data: { deletingAt: new Date() } });
    expect(await put(`/decks/${deckId}/company`, { name: 'X' })).toMatchObject(problem(409, 'conflict'));
  });
});

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

describe('the list of companies', () => {
  it('is in alphabetical order, page by page, each company once', async () => {
    const names = [fresh('zz'), fresh('Zz'), fresh('ZZ_%')];
    for (const name of names) await reviewed({ name });
    const withDecks = { tenantId: TENANT, decks: { some: { deletingAt: null } } };
    const total = await api.db.company.count({ where: withDecks });
    const seen: Company[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const query: string = cursor === '' ? '' : `&cursor=${cursor}`;
      const page = (await api.call('GET', `/companies?limit=2${query}`)).body as {
        items: Company[];
        nextCursor: string | null;
        total: number;
      };
      seen.push(...page.items);
      expect(page.total).toBe(total);
      cursor = page.nextCursor;
    }
    expect(seen).toHaveLength(total);
    expect(new Set(seen.map(({ id }) => id)).size).toBe(seen.length);
    expect(seen.map(({ name }) => name)).toEqual(expect.arrayContaining(names));
    const places = seen.map(({ name }) => name.toLowerCase()).filter((name) => /^(?:acme|holding|zz) /u.test(name));
    expect(places).toEqual(places.toSorted((a, b) => a.localeCompare(b)));
  });

  it('finds a part of a name or of a domain, and takes signs of patterns for themselves', async () => {
    const name = fresh('Strohballen');
    await reviewed({ name, contact: domainFor(name) });
    const found = async (q: string): Promise<string[]> =>
      ((await api.call('GET', `/companies?q=${encodeURIComponent(q)}`)).body as { items: Company[] }).items.map(
        (company) => company.name,
      );
    for (const q of [name.slice(2).toUpperCase(), `${name}, Inc.`, domainFor(name)])
      expect(await found(q)).toContain(name);
    for (const sign of ['%', '_', '\\']) expect(await found(sign)).not.toContain(name);
  });

  it.each(['limit=0', 'cursor=x', 'sort=name', 'limit=1000'])('refuses %s', async (query) =>
    expect(await api.call('GET', `/companies?${query}`)).toMatchObject(problem(400, 'invalid_request')),
  );
});

/** Companies recognised at the end of a review, by name and by domain. */
import { describe, expect, it } from 'vitest';
import { placeReviewedDecks } from '../../../../activities/companies/place.ts';
import { finishAnalysis } from '../../../../activities/decks/stages.ts';
import { aValue } from '../list/support.ts';
import { OTHER_TENANT, problem } from '../support.ts';
import { api, fresh, domainFor, review, reviewed, companyOf, put, show, mustHave, startApiPerFile } from './support.ts';

startApiPerFile();

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
    const row = await api.analysisRow({ status: 'running', taskType: 'startup_name_extraction' });
    await aValue(api.db, { analysisId: row.id, field: 'company_name', raw: 'X' });
    await finishAnalysis(api.db, { analysisId: row.id, end: { kind: 'finished' } });
    expect(await companyOf(row.deckId)).toBeNull();
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
    const row = await api.analysisRow({ deckId: theirs.id, tenantId: OTHER_TENANT, status: 'running' });
    await aValue(api.db, { tenantId: OTHER_TENANT, analysisId: row.id, field: 'company_name', raw: name });
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

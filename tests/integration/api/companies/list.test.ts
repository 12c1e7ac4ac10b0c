/** The list of companies: its order, its pages and its search. */
import { describe, expect, it } from 'vitest';
import type { CompanyPage } from '../../../../api/companies/schemas.ts';
import { TENANT } from '../../../../testing/make.ts';
import { problem } from '../support.ts';
import { api, fresh, domainFor, reviewed, type Company, startApiPerFile } from './support.ts';

startApiPerFile();

describe('the list of companies', () => {
  it('is in alphabetical order, page by page, each company once', async () => {
    const names = [fresh('zz'), fresh('Zz'), fresh('ZZ_%')];
    for (const name of names) await reviewed({ name });
    const withDecks = { tenantId: TENANT, decks: { some: { deletingAt: null } } };
    const total = await api.db.company.count({ where: withDecks });
    const pages = await api.pages<CompanyPage>('/companies?limit=2');
    expect(new Set(pages.map((page) => page.total))).toEqual(new Set([total]));
    const seen = pages.flatMap(({ items }) => items);
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

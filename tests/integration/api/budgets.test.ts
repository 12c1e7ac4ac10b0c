/** Budgets over the API: set, listed with what counts against them, refused by name when they make no sense, and removed. */
import { beforeEach, expect, it } from 'vitest';
import type { BudgetList } from '../../../api/client.ts';
import { OTHER_TENANT, startTestApi } from './support.ts';
import { perFile } from '../../../testing/per-file.ts';

const api = perFile(startTestApi);
beforeEach(() => api.db.budget.deleteMany());

const put = (body: object) => api.json('PUT', '/budgets', body);
const listed = async (): Promise<BudgetList> => {
  const { status, body } = await api.call('GET', '/budgets');
  expect(status, JSON.stringify(body)).toBe(200);
  return body as BudgetList;
};

it('a budget is set, changed, listed with its window, and removed', async () => {
  expect(await listed()).toMatchObject({ items: [], held: [], timezone: 'UTC' });
  expect((await put({ scope: 'installation', period: 'day', softUsd: '8', hardUsd: '10.50' })).status).toBe(200);
  const [budget] = (await listed()).items;
  expect(budget).toMatchObject({ scope: 'installation', period: 'day', tenant: null, softUsd: '8', hardUsd: '10.5' });
  expect(budget?.uses).toMatchObject([
    { subject: '*', spentUsd: '0', reservedUsd: '0', leftUsd: '10.5', usedShare: 0, level: 'open' },
  ]);
  const [use] = budget?.uses ?? [];
  expect(Date.parse(use?.until ?? '') - Date.parse(use?.from ?? '')).toBe(24 * 3_600_000);

  await api.client.PUT('/budgets', { body: { scope: 'installation', period: 'day', hardUsd: '0' } });
  expect((await listed()).items).toMatchObject([
    { softUsd: '0', hardUsd: '0', uses: [{ level: 'hard', usedShare: 1 }] },
  ]);
  expect(
    await api.client.DELETE('/budgets', { params: { query: { scope: 'installation', period: 'day' } } }),
  ).toMatchObject({ items: [] });
  await expect(
    api.client.DELETE('/budgets', { params: { query: { scope: 'installation', period: 'day' } } }),
  ).rejects.toMatchObject({
    code: 'not_found',
  });
});

it('a cap that is not named stays, and null takes it away', async () => {
  const day = { scope: 'installation', period: 'day' } as const;
  await api.client.PUT('/budgets', { body: { ...day, softUsd: '8', hardUsd: '10' } });
  expect((await api.client.PUT('/budgets', { body: { ...day, softUsd: '9' } })).items).toMatchObject([
    { softUsd: '9', hardUsd: '10' },
  ]);
  expect((await api.client.PUT('/budgets', { body: { ...day, hardUsd: '12' } })).items).toMatchObject([
    { softUsd: '9', hardUsd: '12' },
  ]);
  await expect(api.client.PUT('/budgets', { body: { ...day, softUsd: '13' } })).rejects.toMatchObject({
    code: 'invalid_request',
  });
  expect((await api.client.PUT('/budgets', { body: { ...day, softUsd: null } })).items).toMatchObject([
    { softUsd: null, hardUsd: '12' },
  ]);
  await expect(api.client.PUT('/budgets', { body: { ...day, hardUsd: null } })).rejects.toMatchObject({
    code: 'invalid_request',
  });
  await Promise.all([
    api.client.PUT('/budgets', { body: { ...day, softUsd: '1' } }),
    api.client.PUT('/budgets', { body: { ...day, hardUsd: '2' } }),
  ]);
  expect((await listed()).items).toMatchObject([{ softUsd: '1', hardUsd: '2' }]);
});

it('one for each tenant lists them all, and the own budget of one stands in its place', async () => {
  await api.client.PUT('/budgets', { body: { scope: 'tenant', period: 'month', hardUsd: '20' } });
  await api.client.PUT('/budgets', { body: { scope: 'tenant', period: 'month', tenant: OTHER_TENANT, hardUsd: '5' } });
  const { items } = await listed();
  const each = items.find((budget) => budget.tenant === null);
  const own = items.find((budget) => budget.tenant === OTHER_TENANT);
  expect(each?.uses.map((use) => use.subject)).not.toContain(OTHER_TENANT);
  expect(own?.uses.map((use) => use.subject)).toEqual([OTHER_TENANT]);
});

it.each([
  [{ scope: 'installation', period: 'day', softUsd: '10', hardUsd: '5' }, /soft.*\$10\b.*hard.*\$5\b/u],
  [{ scope: 'installation', period: 'day', hardUsd: '-1' }, /hard.*negative/u],
  [{ scope: 'installation', period: 'day' }, /soft.*hard/u],
  [{ scope: 'installation', period: 'document', hardUsd: '1' }, /period document/u],
  [{ scope: 'document', period: 'hour', hardUsd: '1' }, /period document/u],
  [{ scope: 'installation', period: 'day', tenant: OTHER_TENANT, hardUsd: '1' }, /tenant/u],
  [{ scope: 'installation', period: 'day', hardUsd: 'ten' }, /hardUsd/u],
  [{ scope: 'installation', period: 'week', hardUsd: '1' }, /period/u],
])('the budget %j is refused by name', async (wish, named) => {
  expect(await put(wish)).toMatchObject({
    status: 400,
    body: { code: 'invalid_request', detail: expect.stringMatching(named) as string },
  });
  expect(await api.db.budget.count()).toBe(0);
});

it('an unknown tenant is not found', async () => {
  const { status, body } = await put({ scope: 'tenant', period: 'day', tenant: 'unknown', hardUsd: '1' });
  expect(status).toBe(404);
  expect((body as { detail: string }).detail).toContain('unknown');
});

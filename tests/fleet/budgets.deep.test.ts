/**
 * Budgets on a running fleet: a hard cap stops buying, the deck and the operator are told why, and a higher cap lets both go on; a machine
 * whose money is used up finishes its calls and sleeps; a tenant over its cap has nothing bought, and others have.
 */
import { afterEach, expect, it } from 'vitest';
import { QUICK_SCENARIO, quickPool, startFleetRig } from '../../testing/fleet-rig.ts';
import { drawPlainDeck, plainDeck, plainSlides } from '../../testing/plain-deck.ts';
import { until } from '../../testing/until.ts';
import { sharedServers } from '../../testing/test-servers.ts';
import { perFile } from '../../testing/per-file.ts';

const POOL = quickPool({ timing: { idleTickMs: 1000, drainTimeoutMs: 20_000 } });
const MONTH = { scope: 'installation', period: 'month' } as const;

const rig = perFile(() =>
  startFleetRig({
    servers: sharedServers,
    scenario: QUICK_SCENARIO,
    pools: [POOL],
    readerArgs: ['--call-seconds', '0.15'],
    accounting: { reserveMs: 2000, timezone: 'Europe/Berlin' },
  }),
);
afterEach(() => rig.db.budget.deleteMany());

const creates = (): number => rig.provider.calls.filter((call) => call === 'POST /instances').length;
const analysis = (id: string) => rig.client.GET('/analyses/{id}', { params: { path: { id } } });
const waitingFor = async (analysisId: string): Promise<string> => {
  const { progress } = await until(() => analysis(analysisId)).is((status) => status.progress.waitingFor !== null);
  return progress.waitingFor ?? '';
};
const finished = (analysisId: string) =>
  until(() => analysis(analysisId)).is((status) => status.status === 'completed');
const bigDeck = (company: string) =>
  drawPlainDeck(Array.from({ length: 6 }, (_, n) => plainSlides(`${company}${n}`)).flat());

it('a hard cap stops buying, the deck says which, and a higher one lets it go on', async () => {
  await rig.client.PUT('/budgets', { body: { ...MONTH, hardUsd: '0.01' } });
  const deckId = await rig.upload(await plainDeck('Cardiana'), 'cardiana.pdf');
  const { analysisId } = await rig.client.startAnalysis(deckId, { models: 'reader' });
  const reason = await until(() => waitingFor(analysisId)).is((words) => words.includes('hard cap'));
  expect(reason).toContain('the hard cap of $0.0100 for this month would be exceeded');
  expect(reason).toMatch(
    /\$0\.00 spent, \$0\.00 reserved for running machines, \$0\.0100 left, \$0\.\d{4} needed for one more/u,
  );
  expect(reason).toContain('deckhand budgets set --scope installation --period month --hard USD');

  const { held } = await until(() => rig.client.GET('/budgets')).is((budgets) => budgets.held.length > 0);
  expect(held[0]).toMatchObject({ pool: 'visual', reason: expect.stringContaining('the hard cap of $0.0100') });
  const { pools } = await until(() => rig.client.GET('/fleet')).is(
    (fleet) => fleet.pools[0]?.reasons[0]?.includes('hard cap') === true,
  );
  expect(pools[0]?.instances).toMatchObject([{ phase: 'planned' }]);
  expect(creates()).toBe(0);
  expect(await rig.db.budgetReservation.count()).toBe(0);

  await rig.client.PUT('/budgets', { body: { ...MONTH, hardUsd: '50' } });
  await finished(analysisId);
  expect(creates()).toBe(1);
  const { items, held: none } = await rig.client.GET('/budgets');
  expect(none).toEqual([]);
  expect(Number(items[0]?.uses[0]?.reservedUsd)).toBeGreaterThan(0);
});

it('a machine whose money is used up finishes its calls and sleeps; with more it wakes and the deck is completed', async () => {
  await rig.client.PUT('/budgets', { body: { ...MONTH, hardUsd: '50' } });
  const { analysisId } = await rig.client.startAnalysis(await rig.upload(await bigDeck('Renovia'), 'renovia.pdf'), {
    models: 'reader',
  });
  await until(() => rig.db.modelCall.count({ where: { analysisId, state: 'stored' } })).is((count) => count >= 4);
  const before = creates();
  // Nothing more is granted, and what is reserved comes to its end.
  await rig.client.PUT('/budgets', { body: { ...MONTH, hardUsd: '0.001' } });
  await rig.db.budgetReservation.updateMany({
    where: { releasedAt: null, resource: 'instance' },
    data: { reservedUntil: new Date(Date.now() + 22_000) },
  });
  await until(() => rig.db.fleetInstance.findFirstOrThrow({ where: { endedAt: null } })).is(
    ({ phase, providerId }) => ['suspended', 'waking'].includes(phase) && providerId === null,
  );
  expect(await rig.db.modelCall.count({ where: { analysisId, state: 'failed' } })).toBe(0);
  const left = await rig.db.modelCall.count({ where: { analysisId, state: 'planned' } });
  expect(left).toBeGreaterThan(0);
  expect(await until(() => waitingFor(analysisId)).is((words) => words.includes('hard cap'))).toContain(
    'the hard cap of $0.0010 for this month',
  );
  expect(creates()).toBe(before);

  await rig.client.PUT('/budgets', { body: { ...MONTH, hardUsd: '50' } });
  await finished(analysisId);
  expect(creates()).toBe(before + 1);
});

it('a tenant over its cap has nothing bought, and its deck says so', async () => {
  await until(() => rig.client.GET('/fleet')).is(
    ({ pools }) => pools[0]?.target === 0 && pools[0].instances.every((i) => i.phase === 'suspended'),
  );
  const before = creates();
  await rig.client.PUT('/budgets', { body: { scope: 'tenant', period: 'day', hardUsd: '0' } });
  const deckId = await rig.upload(await plainDeck('Pulmora'), 'pulmora.pdf');
  const { analysisId } = await rig.client.startAnalysis(deckId, { models: 'reader' });
  const reason = await until(() => waitingFor(analysisId)).is((words) => words.includes('hard cap'));
  expect(reason).toContain('the hard cap of $0.00 of tenant default for today is reached');
  expect(reason).toMatch(/Buying resumes at \d{4}-\d\d-\d\d 00:00 Europe\/Berlin/u);
  expect(creates()).toBe(before);
  await rig.client.DELETE('/budgets', { params: { query: { scope: 'tenant', period: 'day' } } });
  await finished(analysisId);
  expect(creates()).toBe(before + 1);
});

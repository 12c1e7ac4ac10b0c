/**
 * The ledger over a whole Deckhand: a deck rents a machine, is reviewed on it while a gateway is killed, the machine sleeps and is destroyed.
 * What the calls wrote and what the ledger makes of it add up to the provider's meters.
 */
import { Accounts } from '../../clouds/accounts.ts';
import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { ledgerRound, type SettleReport } from '../../activities/costs/ledger/activities.ts';
import { DATACRUNCH } from '../../clouds/datacrunch/provider.ts';
import { SETTLE_WORKFLOW } from '../../contracts/costs.ts';
import { CONTROL_QUEUE } from '../../contracts/queues.ts';
import { INSTALLATION_ID, QUICK_SCENARIO, quickPool, startFleetRig } from '../../testing/fleet-rig.ts';
import { plainDeck } from '../../testing/plain-deck.ts';
import { until } from '../../testing/until.ts';
import { sharedServers } from '../../testing/test-servers.ts';
import { perFile } from '../../testing/per-file.ts';

const POOL = quickPool({ max: 1 });
/** Past the grace in which rows of histories and calls may still come. */
const LATER_MS = 10 * 60_000;

const rig = perFile(() =>
  startFleetRig({
    servers: sharedServers,
    scenario: QUICK_SCENARIO,
    pools: [POOL],
    readerArgs: ['--call-seconds', '0.2'],
  }),
);

it('the ledger adds up to what the provider charged for a deck, also when a gateway died in the middle of it', async () => {
  const deckId = await rig.upload(await plainDeck('Ledgeria'), 'ledgeria.pdf');
  // Long until the kill: it comes inside calls, not between an answer and the record of its end.
  const slow = ['describe_slide', 'slide_feedback'].map((task) => ({ match: { task }, fault: { latencyMs: 30_000 } }));
  await rig.machineModels.script({ callSeconds: 0.2, rules: slow });
  const reviewed = rig.review(deckId);
  await until(() => rig.db.callAttempt.count({ where: { deckId, endedAt: null } })).is((open) => open > 0);
  expect(await rig.kill('gateway')).toBe(true);
  await rig.machineModels.script({ callSeconds: 0.2 });
  const { status, analysisId } = await reviewed;
  expect(status).toBe('completed');

  // Every stored answer has the attempt that gave it; the one that was going on when the gateway died stays open.
  const attempts = await rig.db.callAttempt.findMany({ where: { analysisId } });
  const answers = await rig.db.modelCall.count({ where: { analysisId, state: 'stored', cached: false } });
  expect(attempts.filter((attempt) => attempt.outcome === 'stored')).toHaveLength(answers);
  expect(attempts.some((attempt) => attempt.endedAt === null)).toBe(true);

  const { name } = await rig.db.fleetInstance.findFirstOrThrow();
  await rig.reaches(name, 'suspended');
  await rig.client.POST('/fleet/instances/{name}/{request}', { params: { path: { name, request: 'destroy' } } });
  await rig.reaches(name, 'gone');

  // As the schedule starts it; nothing is old enough to be settled, but everything is found.
  const report = (await rig.temporal.workflow.execute(SETTLE_WORKFLOW, {
    workflowId: `ledger/settle-${randomUUID()}`,
    taskQueue: CONTROL_QUEUE,
    args: [],
  })) as SettleReport;
  expect(report.unanswered).toBe(0);
  expect(await rig.db.rental.count()).toBeGreaterThanOrEqual(2);
  expect(await rig.db.balanceSample.count()).toBeGreaterThan(0);

  const round = ledgerRound({
    db: rig.db,
    accounts: new Accounts([DATACRUNCH.open({ client: rig.provider.client() })]),
    installationId: INSTALLATION_ID,
    log: pino({ level: 'silent' }),
    now: () => new Date(Date.now() + LATER_MS),
  });
  await round();
  await round();
  expect(await rig.db.rental.count({ where: { closedAt: null } })).toBe(0);
  const entries = await rig.db.ledgerEntry.findMany();
  const total = entries.reduce((sum, entry) => sum + Number(entry.amountUsd), 0);
  expect(Math.abs(total - rig.provider.core.ledger().chargedUsd)).toBeLessThan(1e-6);
  const busy = entries.filter((entry) => entry.kind === 'busy');
  expect(busy.length).toBeGreaterThan(0);
  expect(busy.every((entry) => entry.deckId === deckId && entry.analysisId === analysisId)).toBe(true);
  // All of it was for the one deck: machine, boot and disk.
  const shared = entries.filter((entry) => ['boot', 'load', 'idle', 'storage'].includes(entry.kind));
  expect(shared.some((entry) => entry.analysisId === analysisId)).toBe(true);
  const { costUsd } = await rig.client.GET('/fleet');
  expect(costUsd).toBeCloseTo(total, 6);

  // A report of the days it took says the same: all of it the deck's.
  const days = entries.map((entry) => entry.fromAt.toISOString().slice(0, 10)).toSorted();
  const { id } = await rig.client.POST('/costs/reports', { body: { period: `${days[0]}/${days.at(-1)}` } });
  const stored = await rig.client.GET('/costs/reports/{id}', { params: { path: { id } } });
  expect(Number(stored.totalUsd)).toBeCloseTo(total, 6);
  expect(stored.documents.count).toBe(1);
  const ofDeck = entries.filter((entry) => entry.deckId === deckId);
  expect(Number(stored.documents.totalUsd)).toBeCloseTo(
    ofDeck.reduce((sum, entry) => sum + Number(entry.amountUsd), 0),
    6,
  );
  expect(
    await rig.client.text('/costs/reports/{id}', {
      params: { path: { id }, query: { format: 'csv' } },
      parseAs: 'text',
    }),
  ).toContain('datacrunch');
});

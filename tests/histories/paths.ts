/**
 * The paths through the workflows that are worth a stored history: each walks one and says which workflows it ran.
 */
import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import type { fleetConfigSchema, poolConfigSchema } from '../../domain/fleet/pool/pool-config.ts';
import { COST_REPORT_WORKFLOW, SETTLE_WORKFLOW, type CostReportInput } from '../../contracts/costs.ts';
import { ALERT_ROUND_WORKFLOW, ALERT_ROUND_WORKFLOW_ID } from '../../contracts/alerts.ts';
import { DECK_WORKFLOW, type DeckWorkflowInput } from '../../contracts/decks.ts';
import { CONTROL_QUEUE } from '../../contracts/queues.ts';
import { makeDeletionWorkflowId } from '../../contracts/deletion.ts';
import { DIAGNOSIS_WORKFLOW } from '../../contracts/diagnosis.ts';
import { HEALTH_WORKFLOW, makeHealthWorkflowId, type HealthWorkflowInput } from '../../contracts/health.ts';
import { HEALTH_REQUEST_SIGNAL, makeInstanceWorkflowId } from '../../contracts/instance.ts';
import { makeDeliveryWorkflowId } from '../../contracts/webhooks.ts';
import { makePoolWorkflowId } from '../../contracts/pool.ts';
import { makeReapWorkflowId, REAPER_WORKFLOW, type ReapRoundInput } from '../../contracts/reaper.ts';
import { writeMadeUpLedger } from '../../testing/costs/ledger-rows.ts';
import { machineFaultSchema, type MachineFaultInput } from '../../simulators/machine/faults.ts';
import type { FleetRig } from '../../testing/fleet-rig.ts';
import { drawPlainDeck, plainSlides } from '../../testing/plain-deck.ts';
import { until } from '../../testing/until.ts';
import { startWebhookReceiver } from '../../testing/webhook-receiver.ts';
import { anAnalysis, deckInput, aReapCandidate } from '../../testing/make.ts';
import type { HealthAsk } from '../../domain/fleet/instance-life/types.ts';

/** Walks a path. Answers workflow ids by the part they play; the empty name for a path of one workflow. */
type Walk = (rig: FleetRig) => Promise<Readonly<Record<string, string>>>;

/** The pool that rents for the recorded decks: sleeps after a second, so that a whole life fits. */
export const POOL: z.input<typeof poolConfigSchema> = {
  name: 'gpu',
  classes: ['gpu-visual', 'gpu-text'],
  selector: 'h100-or-less',
  max: 1,
  sleepPolicy: 'fixed',
  timing: {
    tickMs: 500,
    idleTickMs: 1000,
    bootPollMs: 200,
    bootPollMaxMs: 500,
    ladderPauseMs: 500,
    fixedIdleMs: 1000,
    minIdleMs: 500,
    goneConfirmMs: 200,
    destroyRetryMs: 200,
  },
};

/** Looks at health often, so that a path need not wait for them. */
export const HEALTH: z.input<typeof fleetConfigSchema>['health'] = {
  sampleIntervalMs: 500,
  probeIdleMs: 1500,
  probeTimeoutMs: 1000,
};

/** Every path, by the name its history is stored under. */
export const PATHS: Readonly<Record<string, Walk>> = {
  'deck-completed': async (rig) => {
    const workflowId = await start(rig, await deckOf(rig, 'Whole'));
    await ended(rig, workflowId);
    return { '': workflowId };
  },
  // Its quotes are read again in the picture before it ends.
  'deck-second-reading': async (rig) => {
    const workflowId = await start(rig, await deckOf(rig, 'Again'));
    await ended(rig, workflowId);
    return { '': workflowId };
  },
  'deck-of-stored-results': async (rig) => {
    const deckId = await deckOf(rig, 'Stored');
    await ended(rig, await start(rig, deckId));
    const workflowId = await start(rig, deckId);
    await ended(rig, workflowId);
    return { '': workflowId };
  },
  'deck-one-task': async (rig) => {
    const workflowId = await start(rig, await deckOf(rig, 'Task'), { taskType: 'healthcare_classification' });
    await ended(rig, workflowId);
    return { '': workflowId };
  },
  'deck-gaps': async (rig) => {
    await rig.machineModels.script({
      rules: [{ match: { task: 'describe_slide', slide: 2 }, fault: { badJson: true } }],
    });
    const workflowId = await start(rig, await deckOf(rig, 'Gaps'));
    await ended(rig, workflowId);
    await rig.machineModels.script({});
    return { '': workflowId };
  },
  'deck-failed': async (rig) => {
    const workflowId = await start(
      rig,
      await deckOf(rig, 'Failed'),
      { requestedTemplate: 'no_such_template' },
      'no_such_template',
    );
    await ended(rig, workflowId);
    return { '': workflowId };
  },
  // Cancelled while a model has its calls.
  'deck-cancelled': async (rig) => {
    await rig.machineModels.script({ rules: [{ fault: { wedge: true } }] });
    const workflowId = await start(rig, await deckOf(rig, 'Cancelled'));
    await callsInFlight(rig);
    await rig.temporal.workflow.getHandle(workflowId).cancel();
    await ended(rig, workflowId);
    await rig.machineModels.script({});
    return { '': workflowId };
  },
  'deck-continued': async (rig) => {
    const workflowId = await start(rig, await deckOf(rig, 'Continued', 5), { maxHistoryLength: 30 });
    await ended(rig, workflowId);
    return { '': workflowId };
  },
  // Held, given another priority and let go on, with a slide tried again that failed at first.
  'deck-steered': async (rig) => {
    await rig.machineModels.script({
      rules: [
        { match: { task: 'describe_slide', slide: 1 }, fault: { badJson: true }, times: 3 },
        { match: { task: 'classify_sector' }, fault: { latencyMs: 3000 }, times: 1 },
      ],
    });
    const workflowId = await start(rig, await deckOf(rig, 'Steered'));
    const { id } = await rig.db.analysis.findFirstOrThrow({ where: { workflowId } });
    await until(() => rig.db.analysis.findUniqueOrThrow({ where: { id } })).is(
      ({ stage }) => stage === 'classification',
    );
    await rig.client.POST('/analyses/{id}/retry', { params: { path: { id } }, body: { slide: 1 } });
    await rig.client.POST('/analyses/{id}/pause', { params: { path: { id } } });
    await until(() => rig.db.analysis.findUniqueOrThrow({ where: { id } })).is(({ pausedAt }) => pausedAt !== null);
    await rig.client.POST('/analyses/{id}/priority', { params: { path: { id } }, body: { priority: 2 } });
    await rig.client.POST('/analyses/{id}/resume', { params: { path: { id } } });
    await ended(rig, workflowId);
    await rig.machineModels.script({});
    return { '': workflowId };
  },
  'deck-replayed-gaps': async (rig) => {
    await rig.machineModels.script({
      rules: [{ match: { task: 'describe_slide', slide: 2 }, fault: { badJson: true } }],
    });
    const origin = await start(rig, await deckOf(rig, 'Replayed'));
    await ended(rig, origin);
    await rig.machineModels.script({});
    const { id } = await rig.db.analysis.findFirstOrThrow({ where: { workflowId: origin } });
    const { workflowId } = await rig.client.replay(id, { kind: 'gaps' });
    await ended(rig, workflowId);
    return { '': workflowId };
  },
  deletion: async (rig) => {
    await rig.machineModels.script({ rules: [{ match: { task: 'describe_slide' }, fault: { wedge: true } }] });
    const deckId = await deckOf(rig, 'Deleted');
    await start(rig, deckId);
    await callsInFlight(rig);
    await rig.client.DELETE('/decks/{id}', { params: { path: { id: deckId } } });
    await until(() => rig.client.GET('/decks/{id}/deletion', { params: { path: { id: deckId } } })).is(
      ({ state }) => state === 'deleted',
    );
    await rig.machineModels.script({});
    return { '': makeDeletionWorkflowId(deckId) };
  },
  // A machine is there to be looked into while its calls hang.
  diagnosis: async (rig) => {
    await rig.machineModels.script({ rules: [{ match: { task: 'describe_slide' }, fault: { wedge: true } }] });
    const workflowId = await start(rig, await deckOf(rig, 'Diagnosed'));
    await callsInFlight(rig);
    const { name } = await rig.db.fleetInstance.findFirstOrThrow({ where: { phase: 'ready' } });
    await rig.client.POST('/fleet/instances/{name}/diagnosis', { params: { path: { name } } });
    await rig.machineModels.script({});
    await rig.temporal.workflow.getHandle(workflowId).cancel();
    const found = await until(async () => {
      const query = `WorkflowType = '${DIAGNOSIS_WORKFLOW}'`;
      for await (const run of rig.temporal.workflow.list({ query })) return run.workflowId;
      return null;
    }).is((id) => id !== null);
    return { '': found ?? '' };
  },
  delivery: async (rig) => {
    const receiver = await startWebhookReceiver();
    const { id } = await rig.client.POST('/webhooks', { body: { url: receiver.url } });
    receiver.answer({ status: 503, headers: { 'retry-after': '1' } });
    const { analysisId } = await rig.review(await deckOf(rig, 'Told'), { taskType: 'deck_date_extraction' });
    const delivery = await until(() => rig.db.webhookDelivery.findFirstOrThrow({ where: { analysisId } })).is(
      ({ state }) => state === 'delivered',
    );
    await rig.client.DELETE('/webhooks/{id}', { params: { path: { id } } });
    await receiver.close();
    const workflowId = makeDeliveryWorkflowId(delivery.id);
    await rig.temporal.workflow.getHandle(workflowId).result();
    return { '': workflowId };
  },
  // Last, so that they hold what the decks above caused: lives with boots and sleeps, and the pool that decided them.
  fleet: async (rig) => {
    const { name } = await until(() =>
      rig.db.fleetInstance.findFirst({ where: { pool: POOL.name, phase: 'suspended' } }),
    )
      .is((row) => row !== null)
      .then((row) => row ?? { name: '' });
    return { instance: makeInstanceWorkflowId(name), pool: makePoolWorkflowId(POOL.name) };
  },
  // Something is there to raise, so that both activities have something to do.
  alerts: async (rig) => {
    await aReapCandidate(rig.db, { kind: 'volume', resourceId: 'unowned', firstSeenAt: new Date() });
    const workflowId = `${ALERT_ROUND_WORKFLOW_ID}-${randomUUID()}`;
    await rig.temporal.workflow.execute(ALERT_ROUND_WORKFLOW, { workflowId, taskQueue: CONTROL_QUEUE, args: [] });
    return { '': workflowId };
  },
  ledger: async (rig) => {
    const workflowId = `ledger/settle-${randomUUID()}`;
    await rig.temporal.workflow.execute(SETTLE_WORKFLOW, { workflowId, taskQueue: CONTROL_QUEUE, args: [] });
    return { '': workflowId };
  },
  // Something of yesterday is settled only while the report waits for it, and something belongs to a tenant.
  'cost-report': async (rig) => {
    const untilMs = Math.floor(Date.now() / DAY_MS) * DAY_MS;
    await writeMadeUpLedger(rig.db, { seed: 6, fromMs: untilMs - DAY_MS, untilMs, entries: 20, tenants: ['default'] });
    const { id } = await rig.db.rental.findFirstOrThrow({ where: { provider: 'simulated' } });
    await rig.db.rental.update({ where: { id }, data: { closedAt: null, settledUntil: null } });
    const workflowId = `cost-report/daily-${randomUUID()}`;
    const input: CostReportInput = { ask: { what: 'last', kind: 'daily', timezone: 'UTC' }, againMs: 1000 };
    const run = await rig.temporal.workflow.start(COST_REPORT_WORKFLOW, {
      workflowId,
      taskQueue: CONTROL_QUEUE,
      args: [input],
    });
    await until(() => rig.db.costReport.count()).is(2);
    await rig.db.rental.update({ where: { id }, data: { closedAt: new Date() } });
    await run.result();
    return { '': workflowId };
  },
  // Faulty twice: it is watched until it recovers, then repaired; its loop continues as new on the way.
  health: async (rig) => {
    const name = 'unhealthy-1';
    const workflowId = makeHealthWorkflowId(name);
    const input: HealthWorkflowInput = { instance: name, maxHistoryLength: 150 };
    await rig.temporal.workflow.start(HEALTH_WORKFLOW, { workflowId, taskQueue: CONTROL_QUEUE, args: [input] });
    await rig.startInstance(name);
    await rig.reaches(name, 'ready');
    await setFaults(rig, name, [{ kind: 'overheating', marginC: 1 }]);
    await askForHealth(rig, name, { request: 'quarantine', failure: 'overheating', reason: 'too hot', episodeMs: 1 });
    await rig.reaches(name, 'cordoned');
    await setFaults(rig, name, []);
    await levelOf(rig, name, 'healthy');
    await askForHealth(rig, name, { request: 'release', failure: 'overheating', reason: 'cooled down', episodeMs: 1 });
    await rig.reaches(name, 'ready');
    await setFaults(rig, name, [{ kind: 'xid', xid: 94 }]);
    await askForHealth(rig, name, { request: 'repair', failure: 'gpu_app_error', reason: 'XID 94', episodeMs: 2 });
    await until(() => rig.db.healthTransition.findFirst({ where: { instanceName: name, action: 'restart' } })).is(
      (row) => row !== null,
    );
    await rig.reaches(name, 'ready');
    await levelOf(rig, name, 'healthy');
    await rig.ask(name, 'destroy');
    await rig.endOf(name);
    await rig.temporal.workflow.getHandle(workflowId).result();
    return { loop: workflowId, instance: makeInstanceWorkflowId(name) };
  },
  reaper: async (rig) => {
    const workflowId = makeReapWorkflowId(randomUUID());
    const input: ReapRoundInput = { dryRun: false };
    await rig.temporal.workflow.execute(REAPER_WORKFLOW, { workflowId, taskQueue: CONTROL_QUEUE, args: [input] });
    return { '': workflowId };
  },
};

/** Sets what is wrong with an instance's machine, and waits until its health shows it. */
async function setFaults(rig: FleetRig, name: string, faults: readonly MachineFaultInput[]): Promise<void> {
  const { core } = rig.provider;
  const { providerId } = await rig.db.fleetInstance.findUniqueOrThrow({ where: { name } });
  core.machines.setFaults(
    providerId ?? '',
    faults.map((fault) => machineFaultSchema.parse(fault)),
    core.settle(),
  );
  if (faults.length === 0) return;
  await until(() => rig.db.instanceHealth.findUnique({ where: { instanceName: name } })).is(
    (row) => row !== null && row.level !== 'healthy',
  );
}

const levelOf = (rig: FleetRig, name: string, level: string): Promise<unknown> =>
  until(() => rig.db.instanceHealth.findUnique({ where: { instanceName: name } })).is((row) => row?.level === level);

const askForHealth = (rig: FleetRig, name: string, ask: HealthAsk): Promise<void> =>
  rig.temporal.workflow.getHandle(makeInstanceWorkflowId(name)).signal<[HealthAsk]>(HEALTH_REQUEST_SIGNAL, ask);

const SLIDES = 2;
const DAY_MS = 24 * 3_600_000;

const deckOf = async (rig: FleetRig, company: string, slides = SLIDES): Promise<string> =>
  rig.upload(await drawPlainDeck(plainSlides(company).slice(0, slides)), `${company}.pdf`);

/** Starts a run as the API does, with inputs the API does not offer. */
async function start(
  rig: FleetRig,
  deckId: string,
  input: Partial<DeckWorkflowInput> = {},
  requestedTemplate: string | null = null,
): Promise<string> {
  const { tenantId } = await rig.db.deck.findUniqueOrThrow({ where: { id: deckId } });
  const { taskType = null } = input;
  const choices = { requestedTemplate, taskType };
  const analysis = await anAnalysis(rig.db, { tenantId, deckId, ...choices, status: 'queued', stage: null });
  const { workflowId } = analysis;
  const whole = deckInput(analysis, { ...choices, ...input });
  await rig.temporal.workflow.start(DECK_WORKFLOW, { workflowId, taskQueue: CONTROL_QUEUE, args: [whole] });
  return workflowId;
}

/** Waits for the end of a run, however it ends, through all that it was continued as. */
async function ended(rig: FleetRig, workflowId: string): Promise<void> {
  await until(() => rig.db.analysis.findFirstOrThrow({ where: { workflowId } })).is(
    ({ status }) => status !== 'queued' && status !== 'running',
  );
  await until(() => rig.temporal.workflow.getHandle(workflowId).describe()).is(
    ({ status }) => status.name !== 'RUNNING',
  );
}

const callsInFlight = (rig: FleetRig): Promise<unknown> =>
  until(() => rig.machineModels.stats()).is(({ inFlight }) => inFlight > 0);

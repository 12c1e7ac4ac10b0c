/**
 * Lives that cost money: how the provider bills, what happens to the instance, its calls, machines without an owner, and when the ledger is
 * settled. Plans are data, so that a failing one can be repeated.
 */
import fc from 'fast-check';
import { DeckhandError } from '../../domain/errors.ts';
import { makeHostname } from '../../domain/fleet/provider/names.ts';
import type { InstanceRequest, Transition } from '../../domain/fleet/instance-life/types.ts';
import type { SuspendStrategy } from '../../domain/fleet/pool/pool-config.ts';
import type { ScenarioInput } from '../../simulators/clouds/core/scenario.ts';
import { jumpyLifePlan, lifePlan, type LifePlan } from './life-plans.ts';
import { MemoryLedger, type Attempt } from './memory-ledger.ts';
import { createMachine } from './virtual-cloud.ts';
import { INSTALLATION_ID } from './virtual-create.ts';
import { VirtualInstance } from './virtual-instance.ts';
import { fixedLadder, simulatedOffer } from './virtual-ladder.ts';

const SECOND = 1000;
const MINUTE = 60_000;

/** A call that is made at this time if the instance serves then. */
export interface PlannedCall {
  readonly atSec: number;
  readonly seconds: number;
  readonly loadMs: number;
  /** False = its gateway dies before it can write the end. */
  readonly writesEnd: boolean;
  readonly deck: number;
  readonly slide: number | null;
  readonly task: 'describe_slide' | 'answer_question';
}

/** A machine that is made beside the instance and has no owner. */
export interface PlannedOrphan {
  readonly atSec: number;
  readonly seconds: number;
  /** Under the name of the instance, of one that never was, or of another installation. */
  readonly whose: 'ours' | 'unowned' | 'foreign';
}

export interface LedgerPlan {
  readonly life: Omit<LifePlan, 'destroyAtSec' | 'requests'>;
  readonly billing: {
    readonly quantumSec: number;
    readonly refundsUnused: boolean;
    readonly from: 'created' | 'running';
    /** A stopped machine goes on costing; so where left out. */
    readonly billsStopped?: boolean;
  };
  readonly evictionsPerHour: number;
  readonly strategy: SuspendStrategy;
  /** Market of the first rung. */
  readonly spotFirst: boolean;
  readonly requests: readonly { readonly atSec: number; readonly request: InstanceRequest }[];
  readonly calls: readonly PlannedCall[];
  readonly orphans: readonly PlannedOrphan[];
  readonly settleAtSec: readonly number[];
  readonly destroyAtSec: number;
}

/** Lives last up to this long before they are ended. */
const LONGEST_SEC = 9000;
const anyTime = fc.integer({ min: 0, max: LONGEST_SEC });

const call: fc.Arbitrary<PlannedCall> = fc.record({
  // Calls come in bunches, so that several overlap.
  atSec: fc
    .tuple(fc.integer({ min: 0, max: 30 }), fc.integer({ min: 0, max: 120 }))
    .map(([bunch, s]) => bunch * 300 + s),
  seconds: fc.integer({ min: 1, max: 240 }),
  loadMs: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 30_000 })),
  writesEnd: fc.constantFrom(true, true, true, false),
  deck: fc.integer({ min: 1, max: 3 }),
  slide: fc.option(fc.integer({ min: 1, max: 5 })),
  task: fc.constantFrom('describe_slide', 'answer_question'),
});

const request = fc.record({
  atSec: anyTime,
  request: fc.constantFrom<InstanceRequest>('serve', 'cordon', 'uncordon', 'suspend', 'wake', 'suspend', 'wake'),
});

const orphan: fc.Arbitrary<PlannedOrphan> = fc.record({
  atSec: anyTime,
  seconds: fc.integer({ min: 60, max: 5000 }),
  whose: fc.constantFrom('ours', 'unowned', 'foreign'),
});

/** Any life that costs money. */
export const ledgerPlan: fc.Arbitrary<LedgerPlan> = fc.record({
  life: lifePlan.map(({ requests: _requests, destroyAtSec: _destroyAtSec, ...life }) => life),
  billing: fc.record({
    quantumSec: fc.constantFrom(1, 60, 600, 3600),
    refundsUnused: fc.boolean(),
    from: fc.constantFrom('created', 'running'),
    billsStopped: fc.constantFrom(true, false),
  }),
  evictionsPerHour: fc.constantFrom(0, 0, 1, 4),
  strategy: fc.constantFrom<SuspendStrategy>(
    'discontinue_keep_volume',
    'discontinue_keep_volume',
    'shutdown',
    'delete',
  ),
  spotFirst: fc.boolean(),
  requests: fc.array(request, { maxLength: 4 }),
  calls: fc.array(call, { maxLength: 60, size: 'max' }),
  orphans: fc.array(orphan, { maxLength: 2 }),
  settleAtSec: fc.array(anyTime, { maxLength: 8 }),
  destroyAtSec: fc.integer({ min: 60, max: LONGEST_SEC }),
});

/** Any life that costs money, on a clock that is set. */
export const jumpyLedgerPlan: fc.Arbitrary<LedgerPlan> = fc
  .tuple(ledgerPlan, jumpyLifePlan)
  .map(([plan, { jumps }]) => ({ ...plan, life: { ...plan.life, ...(jumps === undefined ? {} : { jumps }) } }));

/** A life and its ledger. */
export interface LedgerLife {
  readonly life: VirtualInstance;
  readonly ledger: MemoryLedger;
  readonly attempts: readonly Attempt[];
  /** Everything of ours that the provider charged, USD. */
  chargedUsd(): number;
}

const scenarioOf = (plan: LedgerPlan): ScenarioInput => ({
  boot: { orderedSec: [1, 5], provisioningSec: [5, 200] },
  end: { stopSec: [1, 5], deleteSec: [1, 20], diskLingerSec: [0, 5] },
  rateLimits: null,
  billing: { ...plan.billing, balanceUsd: 100_000 },
  spot: { evictionsPerHour: plan.evictionsPerHour },
});

const LADDER = [
  simulatedOffer('1A100.22V', 'FIN-02'),
  simulatedOffer('1L40S.20V', 'FIN-01', 'spot'),
  simulatedOffer('1A6000.10V', 'FIN-03'),
];

/**
 * Runs a planned life until nothing of it costs any more. `settle` may do more than settle the ledger; histories and calls may be written so
 * late that it has settled their time before.
 */
export async function runLedgerPlan(
  plan: LedgerPlan,
  settle: (ledgerLife: LedgerLife) => Promise<void> = ({ ledger, life }) => ledger.settle(life.ownMs),
  writtenLateMs = 0,
): Promise<LedgerLife> {
  const first = simulatedOffer('1H100.80S.30V', 'FIN-01', plan.spotFirst ? 'spot' : 'ondemand');
  const life = new VirtualInstance({
    scenario: scenarioOf(plan),
    seed: plan.life.seed,
    rank: fixedLadder([first, ...LADDER]),
    commandFaults: plan.life.commandFaults,
    // Fewer looks at the provider: they are not what this is about.
    settings: { suspendStrategies: [plan.strategy, 'delete'], bootPollMaxMs: MINUTE },
  });
  const attempts: Attempt[] = [];
  const isLives = (instance: string): boolean => instance === life.state.name;
  const isWritten = (atMs: number): boolean => writtenLateMs === 0 || atMs <= life.ownMs - writtenLateMs;
  const rowsOf = (instance: string): readonly Transition[] =>
    isLives(instance) ? life.transitions.filter((row) => isWritten(row.atMs)) : [];
  const attemptsOf = (instance: string): readonly Attempt[] =>
    isLives(instance) ? attempts.filter((attempt) => isWritten(attempt.fromMs)) : [];
  const ledger = new MemoryLedger({ provider: life.provider, installationId: INSTALLATION_ID, rowsOf, attemptsOf });
  const all: LedgerLife = { life, ledger, attempts, chargedUsd: () => chargedUsd(life) };
  life.sim.setFaults(plan.life.faults);
  for (const atSec of plan.life.crashesAtSec) life.at(atSec * SECOND, () => life.crash());
  for (const { atSec, bySec } of plan.life.jumps ?? []) life.at(atSec * SECOND, () => life.jump(bySec * SECOND));
  for (const { atSec, request: asked } of plan.requests) life.at(atSec * SECOND, () => life.request(asked));
  for (const one of plan.calls) planCall(life, attempts, one);
  for (const [index, one] of plan.orphans.entries()) planOrphan(life, one, index);
  for (const atSec of plan.settleAtSec) {
    // A round that the provider does not answer is lost, wherever it was; the next one goes on.
    const round = (): Promise<void> =>
      settle(all).catch((error: unknown) => {
        if (!(error instanceof DeckhandError)) throw error;
      });
    life.at(atSec * SECOND, round);
  }
  life.at(plan.destroyAtSec * SECOND, () => life.request('destroy'));
  await life.runUntil(() => life.isOver, 12 * 60 * MINUTE);
  // Orphans end by themselves; what is known by then is complete.
  await life.runFor(Math.max(0, (LONGEST_SEC + 6000) * SECOND - (life.nowMs - life.sim.core.state.startedAtMs)));
  life.sim.setFaults([]);
  await settle(all);
  return all;
}

function planCall(life: VirtualInstance, attempts: Attempt[], one: PlannedCall): void {
  life.at(one.atSec * SECOND, () => {
    if (life.state.phase !== 'ready') return;
    const attempt: Attempt = {
      id: `attempt-${attempts.length}`,
      tenantId: `tenant-${one.deck % 2}`,
      deckId: `deck-${one.deck}`,
      analysisId: `analysis-${one.deck}`,
      task: one.task,
      callId: `call-${one.deck}-${one.task}-${one.slide ?? 0}`,
      slideNumber: one.slide,
      fromMs: life.ownMs,
      untilMs: null,
      loadMs: 0,
    };
    attempts.push(attempt);
    if (!one.writesEnd) return;
    const before = life.transitions.length;
    life.at(one.seconds * SECOND, () => {
      // Its machine went before it: no process was left to write that.
      if (life.transitions.slice(before).some(({ to }) => to !== 'ready' && to !== 'cordoned')) return;
      const loadMs = Math.min(one.loadMs, one.seconds * SECOND);
      Object.assign(attempt, { untilMs: life.ownMs, loadMs });
    });
  });
}

/** A machine made under a name, as by a run that was forgotten. */
function planOrphan(life: VirtualInstance, { atSec, seconds, whose }: PlannedOrphan, index: number): void {
  const { core } = life.sim;
  life.at(atSec * SECOND, () => {
    const instance = whose === 'ours' ? life.state.name : 'visual-77';
    const hostname = makeHostname(whose === 'foreign' ? 'other1' : INSTALLATION_ID, instance, 900 + index);
    const machine = createMachine(core, hostname, '1L40S.20V', 'FIN-02');
    const end = (): void => {
      const { phase, volumeIds } = core.instance(machine.id);
      if (phase === 'accepted' || phase === 'preparing') life.at(30 * SECOND, end);
      else if (phase !== 'gone' && phase !== 'deleting')
        core.delete(machine.id, Object.fromEntries(volumeIds.map((id) => [id, 'purge'])));
    };
    life.at(seconds * SECOND, end);
  });
}

/** What the provider charged for things under names of this installation. */
function chargedUsd({ sim }: VirtualInstance): number {
  const isOurs = (name: string): boolean => name.startsWith(`dh-${INSTALLATION_ID}-`);
  const machines = sim.core.allInstances().filter((machine) => isOurs(machine.hostname));
  const disks = sim.core.volumes().filter((disk) => isOurs(disk.name));
  const ours = new Set([...machines, ...disks].map(({ id }) => id));
  const meters = sim.core.ledger().meters.filter((meter) => ours.has(meter.resourceId));
  return meters.reduce((sum, meter) => sum + meter.chargedUsd, 0);
}

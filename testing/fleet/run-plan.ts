/** Runs a planned life to its end and checks what must hold at every instant and at the end. */
import { expect } from 'vitest';
import type { ScenarioInput } from '../../simulators/clouds/core/scenario.ts';
import { sweepLeftovers } from '../provider-contract/acts.ts';
import {
  AWS_CALLS,
  AZURE_CALLS,
  DATACRUNCH_CALLS,
  GOOGLE_CALLS,
  type FaultyCalls,
  type LifePlan,
} from './life-plans.ts';
import { VirtualInstance } from './virtual-instance.ts';
import { virtualAws, virtualAzure, virtualDataCrunch, virtualGoogle, type OpenVirtualCloud } from './virtual-cloud.ts';
import { ladderOfKeys, type LadderOf } from './virtual-ladder.ts';

/** Quick boots: what matters here happens between them. */
export const QUICK_BOOTS: ScenarioInput = {
  boot: { orderedSec: [1, 5], provisioningSec: [5, 30] },
  end: { stopSec: [1, 5], deleteSec: [1, 20], diskLingerSec: [0, 5] },
  rateLimits: null,
};

/** A provider, the calls that its faults are about, and offers of it. */
export interface PlanCloud {
  readonly open: OpenVirtualCloud;
  readonly calls: FaultyCalls;
  readonly rank: LadderOf;
}

export const DATACRUNCH: PlanCloud = {
  open: virtualDataCrunch,
  calls: DATACRUNCH_CALLS,
  rank: ladderOfKeys(
    'datacrunch/FIN-01/1H100.80S.30V/ondemand',
    'datacrunch/FIN-02/1A100.22V/ondemand',
    'datacrunch/FIN-01/1L40S.20V/spot',
    'datacrunch/FIN-03/1A6000.10V/ondemand',
  ),
};
export const AWS: PlanCloud = {
  open: virtualAws,
  calls: AWS_CALLS,
  rank: ladderOfKeys(
    'aws/eu-west-1a/g4dn.xlarge/ondemand',
    'aws/eu-west-1b/g5.xlarge/ondemand',
    'aws/eu-west-1a/g4dn.2xlarge/spot',
    'aws/eu-west-1a/g5.2xlarge/ondemand',
  ),
};
export const GOOGLE: PlanCloud = {
  open: virtualGoogle,
  calls: GOOGLE_CALLS,
  rank: ladderOfKeys(
    'google/europe-west4-a/g2-standard-4/ondemand',
    'google/europe-west4-b/a2-highgpu-1g/ondemand',
    'google/europe-west4-a/g2-standard-8/spot',
    'google/europe-west4-c/g2-standard-12/ondemand',
  ),
};
export const AZURE: PlanCloud = {
  open: virtualAzure,
  calls: AZURE_CALLS,
  rank: ladderOfKeys(
    'azure/northeurope/Standard_NC24ads_A100_v4/ondemand',
    'azure/westeurope/Standard_NC4as_T4_v3/ondemand',
    'azure/northeurope/Standard_NC8as_T4_v3/spot',
    'azure/northeurope/Standard_NC40ads_H100_v5/ondemand',
  ),
};

/** At no instant two machines, under one host name or at all. */
export function atMostOne(life: VirtualInstance): void {
  const { living } = life;
  if (living.length <= 1) return;
  const machines = living.map((i) => `${i.hostname} ${i.id} ${i.phase}`).join(', ');
  throw new Error(`${living.length} machines at once: ${machines}; ${life.describe()}`);
}

export async function runPlan(plan: LifePlan, { open, rank }: PlanCloud = DATACRUNCH): Promise<VirtualInstance> {
  const life = new VirtualInstance({
    scenario: QUICK_BOOTS,
    seed: plan.seed,
    cloud: open,
    rank,
    commandFaults: plan.commandFaults,
    check: atMostOne,
  });
  life.sim.setFaults(plan.faults);
  for (const atSec of plan.crashesAtSec) life.at(atSec * 1000, () => life.crash());
  for (const { atSec, bySec } of plan.jumps ?? []) life.at(atSec * 1000, () => life.jump(bySec * 1000));
  for (const { atSec, request } of plan.requests) life.at(atSec * 1000, () => life.request(request));
  if (plan.destroyAtSec === null) {
    const served = (): boolean => life.state.phase === 'ready';
    const settled = (): boolean =>
      served() || life.isOver || life.state.phase === 'suspended' || life.state.step.kind === 'held';
    await life.runUntil(settled);
    if (served()) expect(life.living.map(life.idOf)).toEqual([life.state.machine?.providerId]);
    life.request('destroy');
  } else life.at(plan.destroyAtSec * 1000, () => life.request('destroy'));
  await life.runUntil(() => life.isOver);
  expect(life.state.phase).toBe('gone');
  expect(life.living).toEqual([]);
  expect(life.disks).toEqual([]);
  await expectNoParts(life);
  return life;
}

/** How often the reaper comes by, ms. */
const ROUND_MS = 60_000;

/** After some rounds of the reaper nothing is left of a network but what all machines share. */
async function expectNoParts({ provider, sim, clock }: VirtualInstance): Promise<void> {
  if (sim.pieces === undefined) return;
  sim.setFaults([]);
  for (let round = 0; round < 4; round += 1) {
    clock.advance(ROUND_MS);
    await sweepLeftovers(provider);
  }
  clock.advance(ROUND_MS);
  const shared = /^(?:virtualNetworks|networkSecurityGroups)\//u;
  expect(sim.pieces().filter((piece) => !shared.test(piece))).toEqual([]);
}

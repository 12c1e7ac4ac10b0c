/** The fleet as the API describes it: pools of instances that serve. */
import type { FleetDocument, FleetInstanceDocument } from '../../../api/client.ts';

const AT = '2026-11-21T12:00:00.000Z';
const NO_ALERTS = { info: 0, warning: 0, critical: 0 };

export const fleetInstance = (changes: Partial<FleetInstanceDocument> = {}): FleetInstanceDocument => ({
  name: 'visual-1-9f2c',
  pool: 'visual',
  provider: 'datacrunch',
  phase: 'ready',
  since: '2026-11-21T11:58:50.000Z',
  reason: 'passed its readiness check',
  offer: 'datacrunch/FIN-03/1A100.22V/ondemand',
  priceUsdPerHour: 1.29,
  setupVersion: '0a1b2c3d4e5f',
  attempts: 3,
  costUsd: 0.0143,
  health: null,
  serving: {
    gateway: 'g',
    state: 'serving',
    message: null,
    pullPercent: null,
    inFlight: 3,
    finishedCalls: 12,
    slots: 4,
    models: ['gemma3:12b'],
    lastCallAt: AT,
    seenAt: AT,
  },
  createdAt: AT,
  endedAt: null,
  ...changes,
});

/** A fleet without pools that has cost nothing. */
export const emptyFleet = (changes: Partial<FleetDocument> = {}): FleetDocument => ({
  at: AT,
  costUsd: 0,
  blocks: [],
  openAlerts: NO_ALERTS,
  pools: [],
  ...changes,
});

/** A fleet of one pool. */
export const fleetOf = (...instances: readonly FleetInstanceDocument[]): FleetDocument =>
  emptyFleet({
    costUsd: 1.5,
    pools: [
      {
        name: 'visual',
        provider: 'datacrunch',
        providers: ['datacrunch'],
        classes: ['gpu-visual'],
        selector: 'h100-or-less',
        min: 0,
        max: 3,
        target: 1,
        wish: 1,
        reasons: ['Up from 0 to 1.', 'second', 'third', 'fourth'],
        demand: { openCalls: 42, openSeconds: 500, oldestAgeMs: 61_000 },
        decidedAt: AT,
        nextLookAt: AT,
        costUsd: 1.5,
        instances: [...instances],
      },
    ],
  });

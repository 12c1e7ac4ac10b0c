/**
 * The demo's fleet: a simulated provider whose first two tiers are sold out, one pool for both classes, and times short enough to watch.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { z } from 'zod';
import type { fleetConfigSchema } from '../../domain/fleet/pool/pool-config.ts';

/** Seconds without a call after which the demo's instance is put to sleep. */
export const DEMO_IDLE_SECONDS = 10;

/** Name of the demo's one pool. */
export const DEMO_POOL = 'gpu';

/** Compressed: what takes minutes at a provider takes seconds here, in the same proportions. */
const DEMO_FLEET: z.input<typeof fleetConfigSchema> = {
  provider: 'datacrunch',
  simulator: { scenario: 'demo' },
  access: 'simulated',
  pools: [
    {
      name: DEMO_POOL,
      classes: ['gpu-visual', 'gpu-text'],
      selector: 'h100-or-less',
      min: 0,
      max: 1,
      sleepPolicy: 'fixed',
      timing: {
        upDelayMs: 2_000,
        downDelayMs: 10_000,
        tickMs: 1_000,
        idleTickMs: 5_000,
        bootPollMs: 300,
        bootPollMaxMs: 1_000,
        stuckAfterMs: 60_000,
        proveTimeoutMs: 60_000,
        ladderPauseMs: 1_000,
        ladderPauseMaxMs: 5_000,
        drainTimeoutMs: 30_000,
        destroyRetryMs: 1_000,
        goneConfirmMs: 1_000,
        fixedIdleMs: DEMO_IDLE_SECONDS * 1_000,
        minIdleMs: 1_000,
      },
    },
  ],
  reaper: { intervalMs: 30_000, minAgeMs: 60_000, quarantineMs: 10_000 },
};

/** Writes the demo's fleet file into its data directory and returns its path. */
export function writeDemoFleet(home: string): string {
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const file = path.join(home, 'fleet.json');
  writeFileSync(file, `${JSON.stringify(DEMO_FLEET, null, 2)}\n`);
  return file;
}

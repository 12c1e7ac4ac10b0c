/** The pool of tests of what pools see and store. */
import { poolConfigSchema } from '../../../domain/fleet/pool/pool-config.ts';
import type { PoolSetup } from '../../../domain/fleet/pool/pool-state.ts';

/** A pool for slides. */
export const visualPool: PoolSetup = {
  config: poolConfigSchema.parse({ name: 'visual', classes: ['gpu-visual'], max: 3 }),
  provider: 'datacrunch',
  installationId: 'test1',
  capabilities: {
    billing: { quantumSec: 1, refundsUnused: false },
    volumeUsdPerGibMonth: 0,
    visibilityWindowMs: 0,
    billsStopped: false,
    volumePinsLocation: false,
    bootsVolumes: true,
    deletesWhileProvisioning: false,
    suspendStrategies: [],
    expectedBootMs: 0,
    changesTypeWhileStopped: false,
  },
  slots: 4,
  staticHosts: [],
};

/** The row of an instance as its life stores it. */
import type { InstanceRow } from '../../activities/fleet/instance/contract.ts';

/** One that was just born, with these differences. */
export const instanceRow = (
  changes: Partial<InstanceRow> & Pick<InstanceRow, 'name' | 'phaseSinceMs'>,
): InstanceRow => ({
  provider: 'datacrunch',
  phase: 'planned',
  reason: 'wanted',
  attempts: 0,
  offerKey: null,
  priceUsdPerHour: null,
  providerId: null,
  hostname: null,
  ip: null,
  simulatedModelUrl: null,
  osVolumeId: null,
  keptVolumeLocation: null,
  freshDisk: true,
  hostnames: [],
  ...changes,
});

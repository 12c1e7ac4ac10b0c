/**
 * The durations and choices an instance lives by, from its pool's configuration and what its provider can do.
 */
import type { ProviderCapabilities } from '../billing.ts';
import type { PoolConfig, SuspendStrategy } from '../pool-config.ts';
import type { InstanceSettings } from './types.ts';

/** Freezes the settings of one instance at its birth. Strategies the provider cannot do are left out here, before anything is bought. */
export function makeInstanceSettings(
  installationId: string,
  pool: PoolConfig,
  capabilities: ProviderCapabilities,
  deadlineMs: number | null = null,
): InstanceSettings {
  const { timing } = pool;
  return {
    installationId,
    bootPollMs: timing.bootPollMs,
    bootPollMaxMs: timing.bootPollMaxMs,
    stuckAfterMs: timing.stuckAfterMs,
    proveTimeoutMs: timing.proveTimeoutMs,
    ladderPauseMs: timing.ladderPauseMs,
    ladderPauseMaxMs: timing.ladderPauseMaxMs,
    drainTimeoutMs: timing.drainTimeoutMs,
    destroyRetryMs: timing.destroyRetryMs,
    destroyAlarmMs: timing.destroyAlarmMs,
    goneConfirmMs: timing.goneConfirmMs,
    visibilityWindowMs: capabilities.visibilityWindowMs,
    suspendStrategies: strategiesFor(pool.suspendStrategy, capabilities),
    volumePinsLocation: capabilities.volumePinsLocation,
    deadlineMs,
  };
}

/** The configured strategy first, where the provider can do it, then the provider's others in its order. */
export function strategiesFor(
  wanted: SuspendStrategy,
  { suspendStrategies }: Pick<ProviderCapabilities, 'suspendStrategies'>,
): readonly SuspendStrategy[] {
  const others = suspendStrategies.filter((strategy) => strategy !== wanted);
  return suspendStrategies.includes(wanted) ? [wanted, ...others] : others;
}

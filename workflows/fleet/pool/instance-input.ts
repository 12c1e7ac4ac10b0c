/** The input of an instance workflow: settings taken from its pool's configuration and its provider's capabilities when it is started. */
import type { InstanceSettings, ProviderTraits } from '../../../domain/fleet/instance-life/types.ts';
import type { InstanceWorkflowInput } from '../../../contracts/instance.ts';
import type { ProviderCapabilities } from '../../../domain/fleet/provider/billing.ts';
import type { Market } from '../../../domain/fleet/selection/offer.ts';
import type { PoolSetup } from '../../../domain/fleet/pool/pool-state.ts';

/** Input of an instance's workflow. `staticUrl` names the server that runs already; `market` is the one that it is for, in a pool with a mix. */
export function instanceInput(
  setup: PoolSetup,
  name: string,
  staticUrl: string | null,
  market?: Market,
): InstanceWorkflowInput {
  const { provider, config: pool, uiUrl } = setup;
  const settings = { ...instanceSettings(setup), ...(market === undefined ? {} : { market }) };
  return { name, provider, pool, settings, staticUrl, ...(uiUrl === undefined ? {} : { uiUrl }) };
}

/**
 * The pool's suspend strategy first, then the others of the provider. Where a stopped machine is billed like a running one, shutdown
 * is used only if configured: an instance that cannot be suspended in another way is deleted.
 */
export function suspendStrategies(
  { config }: Pick<PoolSetup, 'config'>,
  { suspendStrategies: possible, billsStopped }: ProviderCapabilities,
): InstanceSettings['suspendStrategies'] {
  const asked = possible.filter((s) => s === config.suspendStrategy);
  const others = possible.filter((s) => s !== config.suspendStrategy && !(s === 'shutdown' && billsStopped));
  return [...asked, ...others];
}

function traitsOf(setup: PoolSetup, capabilities: ProviderCapabilities): ProviderTraits {
  const { visibilityWindowMs, volumePinsLocation, bootsVolumes, changesTypeWhileStopped } = capabilities;
  return {
    visibilityWindowMs: setup.config.timing.visibilityWindowMs ?? visibilityWindowMs,
    suspendStrategies: suspendStrategies(setup, capabilities),
    volumePinsLocation,
    bootsVolumes,
    changesTypeWhileStopped,
  };
}

function instanceSettings(setup: PoolSetup): InstanceSettings {
  const { timing } = setup.config;
  const { providers = { [setup.provider]: setup.capabilities } } = setup;
  const traits = Object.entries(providers).map(
    ([name, capabilities]) => [name, traitsOf(setup, capabilities)] as const,
  );
  return {
    installationId: setup.installationId,
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
    ...traitsOf(setup, setup.capabilities),
    ...(traits.length > 1 ? { traits: Object.fromEntries(traits) } : {}),
    // A deck waits for capacity; the pool ends what it does not want any more.
    deadlineMs: null,
    replacesForWorkOnly: true,
  };
}

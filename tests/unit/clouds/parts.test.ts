/**
 * Which parts of the port each provider has, what follows from them, and how a part is asked for.
 */
import { describe, expect, it } from 'vitest';
import { makerOf, partOf } from '../../../clouds/parts.ts';
import { openProviderLazily, PROVIDERS } from '../../../clouds/providers.ts';
import { fleetConfigSchema } from '../../../domain/fleet/pool/pool-config.ts';
import { loadConfig } from '../../../platform/config.ts';
import { createLogger } from '../../../platform/log.ts';
import { UNLIMITED } from '../../../testing/provider-contract/rigs/simulated.ts';
import { virtualAws, virtualAzure, virtualDataCrunch, virtualGoogle } from '../../../testing/fleet/virtual-cloud.ts';
import { VirtualClock } from '../../../simulators/clouds/core/clock.ts';

const KNOWN = {
  datacrunch: {
    open: virtualDataCrunch,
    parts: 'account bills dataVolumes hibernation keptDisks scripts sshKeys stock stopping trash',
    capabilities: {
      bootsVolumes: true,
      changesTypeWhileStopped: false,
      suspendStrategies: ['discontinue_keep_volume', 'hibernate', 'shutdown', 'delete'],
    },
  },
  aws: {
    open: virtualAws,
    parts: 'dataVolumes sshKeys stopping typeChange',
    capabilities: {
      bootsVolumes: false,
      changesTypeWhileStopped: true,
      suspendStrategies: ['shutdown', 'delete'],
    },
  },
  google: {
    open: virtualGoogle,
    parts: 'keptDisks stopping typeChange',
    capabilities: {
      bootsVolumes: true,
      changesTypeWhileStopped: true,
      suspendStrategies: ['shutdown', 'discontinue_keep_volume', 'delete'],
    },
  },
  azure: {
    open: virtualAzure,
    parts: 'keptDisks leftovers stopping typeChange',
    capabilities: {
      bootsVolumes: true,
      changesTypeWhileStopped: true,
      suspendStrategies: ['shutdown', 'discontinue_keep_volume', 'delete'],
    },
  },
} as const;

/** A provider as the control process opens it: its credentials are looked for at the first call. */
const lazily = (name: string) =>
  openProviderLazily({
    fleet: { ...fleetConfigSchema.parse({ provider: name }), installationId: 'l123456' },
    config: {
      ...loadConfig({}),
      datacrunch: { ...loadConfig({}).datacrunch, credentialsFile: '/nowhere/credentials' },
    },
    rateLimit: UNLIMITED,
    log: createLogger('test', { logLevel: 'silent' }),
  });
const isPart = (value: unknown): boolean => typeof value === 'object' && value !== null;

describe.each(Object.entries(KNOWN))('the provider %s', (name, { open, parts, capabilities }) => {
  const clock = new VirtualClock();
  const { provider } = open({ clock, scenario: {}, now: () => clock.nowMs() });

  it('can do what its parts allow, which is known before it is opened', () => {
    expect(PROVIDERS[name]?.parts.toSorted().join(' ')).toBe(parts);
    expect(PROVIDERS[name]?.capabilities).toMatchObject(capabilities);
    expect(provider.capabilities).toMatchObject(capabilities);
  });

  it('a provider has the same parts once it is opened', () => {
    const found = Object.entries(provider).filter(([key, value]) => key !== 'capabilities' && isPart(value));
    expect(
      found
        .map(([key]) => key)
        .toSorted()
        .join(' '),
    ).toBe(parts);
  });
});

it('claims nothing for replicas, which have no part that a capability follows from', () => {
  expect(PROVIDERS['datacrunch']?.deployments?.capabilities).toMatchObject({
    bootsVolumes: false,
    changesTypeWhileStopped: false,
    suspendStrategies: ['delete'],
  });
});

it('refuses a part that a provider lacks, without a call', () => {
  const clock = new VirtualClock();
  const { provider } = virtualAws({ clock, scenario: {}, now: () => clock.nowMs() });
  const refusal = (message: string) => expect.objectContaining({ code: 'provider_config', message });
  expect(() => partOf(provider, 'hibernation')).toThrow(refusal('aws hibernates no machine'));
  const boot = { kind: 'volume', osVolumeId: 'eu-west-1/vol-0abc' } as const;
  expect(() => makerOf(provider, { boot })).toThrow(refusal('aws boots images only, not a kept disk'));
});

it('a provider is opened by the first call of a part, and names its parts before that', async () => {
  const provider = lazily('datacrunch');
  const { hibernation, bills, typeChange } = provider;
  expect([isPart(hibernation), isPart(bills), typeChange]).toEqual([true, true, undefined]);
  const refused = { code: 'credentials_missing' };
  await expect(bills?.madeSince(0)).rejects.toMatchObject(refused);
  await expect(provider.listInstances()).rejects.toMatchObject(refused);
  expect(await Promise.resolve(provider)).toBe(provider);
});

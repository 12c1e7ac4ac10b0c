/** How a virtual instance executes creates, as the activity does: find by exact name and adopt, else create once. */
import { answerOf } from '../../activities/fleet/instance/provider-answer.ts';
import { makerOf } from '../../clouds/parts.ts';
import type { CloudProvider, CreateInstanceRequest } from '../../clouds/provider.ts';
import { makeOsVolumeName, makeSshKeyName } from '../../domain/fleet/provider/names.ts';
import type { Intent, LifeEvent } from '../../domain/fleet/instance-life/types.ts';
import { parseOfferKey } from '../../domain/fleet/selection/offer.ts';
import type { LadderMemory } from './virtual-ladder.ts';

export const INSTALLATION_ID = 'test1';
const SSH_KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIKLKmweyRh8EQsUBcpNzFXtTSv33EV+K0g1k2nXENtLq test';

export interface VirtualCreatesOptions {
  readonly provider: CloudProvider;
  /** What first boots boot. */
  readonly image: string;
  readonly ladder: LadderMemory;
  readonly now: () => number;
}

/** See the file's header. Remembers how each create ended. */
export class VirtualCreates {
  readonly #with: VirtualCreatesOptions;
  #sshKeyId: string | undefined;

  constructor(options: VirtualCreatesOptions) {
    this.#with = options;
  }

  async create(intent: Intent): Promise<Extract<LifeEvent, { kind: 'create_answered' }>['outcome']> {
    const { provider, ladder, image, now } = this.#with;
    const listed = await answerOf(() => provider.listInstances());
    if (listed.error !== null) return { kind: 'refused', error: listed.error };
    const [there] = (listed.value ?? []).filter((i) => i.hostname === intent.hostname);
    if (there !== undefined)
      return { kind: 'created', providerId: there.id, adopted: true, priceUsdPerHour: there.priceUsdPerHour };
    const atMs = now();
    const key = await answerOf(() => this.#sshKey());
    if (key.error !== null) return { kind: 'refused', error: key.error };
    const request = requestFor(intent, image, key.value);
    const prepared = await answerOf(async () => {
      const maker = makerOf(provider, request);
      return { maker, preparation: await maker.prepareCreate(request) };
    });
    if (prepared.error !== null) return { kind: 'refused', error: prepared.error };
    const { maker, preparation } = prepared.value;
    const { value, error } = await answerOf(() => maker.createInstance(request, preparation));
    const failure = error?.errorClass === 'capacity' ? 'capacity' : 'other';
    ladder.attempted(intent.offer, { atMs, outcome: error === null ? 'created' : failure });
    if (error === null) return { kind: 'created', providerId: value, adopted: false, priceUsdPerHour: null };
    if (error.errorClass === 'transient') return { kind: 'unknown', message: error.message };
    return { kind: 'refused', error };
  }

  /** Null at a provider that takes the key with the create. */
  async #sshKey(): Promise<string | null> {
    this.#sshKeyId ??= await this.#with.provider.sshKeys?.add(makeSshKeyName(INSTALLATION_ID), SSH_KEY);
    return this.#sshKeyId ?? null;
  }
}

function requestFor(intent: Intent, image: string, sshKeyId: string | null): CreateInstanceRequest {
  const { instanceType, location, market } = parseOfferKey(intent.offer);
  const firstBoot = {
    kind: 'image',
    image,
    osVolumeName: makeOsVolumeName(intent.hostname),
    osVolumeGib: 100,
    sshKey: { id: sshKeyId, text: SSH_KEY },
    startupScript: null,
  } as const;
  return {
    hostname: intent.hostname,
    description: intent.id,
    instanceType,
    location,
    market,
    boot: intent.volumeId === null ? firstBoot : { kind: 'volume', osVolumeId: intent.volumeId },
    tags: { intent: intent.id },
  };
}

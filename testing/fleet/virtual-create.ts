/** How a virtual instance executes creates, as the activity does: find by exact name and adopt, else create once. */
import { answerOf } from '../../activities/fleet/instance/provider-answer.ts';
import type { CloudProvider } from '../../clouds/provider.ts';
import { makeOsVolumeName, makeSshKeyName } from '../../domain/fleet/provider/names.ts';
import type { Intent, LifeEvent } from '../../domain/fleet/instance-life/types.ts';
import { parseOfferKey } from '../../domain/fleet/selection/offer.ts';
import type { LadderMemory } from './virtual-ladder.ts';

export const INSTALLATION_ID = 'test1';

/** See the file's header. Remembers how each create ended. */
export class VirtualCreates {
  readonly #provider: CloudProvider;
  readonly #ladder: LadderMemory;
  readonly #now: () => number;
  #sshKeyId: string | undefined;

  constructor(provider: CloudProvider, ladder: LadderMemory, now: () => number) {
    this.#provider = provider;
    this.#ladder = ladder;
    this.#now = now;
  }

  async create(intent: Intent): Promise<Extract<LifeEvent, { kind: 'create_answered' }>['outcome']> {
    const provider = this.#provider;
    const listed = await answerOf(() => provider.listInstances());
    if (listed.error !== null) return { kind: 'refused', error: listed.error };
    const [there] = (listed.value ?? []).filter((i) => i.hostname === intent.hostname);
    if (there !== undefined)
      return { kind: 'created', providerId: there.id, adopted: true, priceUsdPerHour: there.priceUsdPerHour };
    const atMs = this.#now();
    const key = await answerOf(() => this.#sshKey());
    if (key.error !== null) return { kind: 'refused', error: key.error };
    const request = requestFor(intent, key.value);
    const { value, error } = await answerOf(() => provider.createInstance(request, {}));
    const failure = error?.errorClass === 'capacity' ? 'capacity' : 'other';
    this.#ladder.attempted(intent.offer, { atMs, outcome: error === null ? 'created' : failure });
    if (error === null) return { kind: 'created', providerId: value, adopted: false, priceUsdPerHour: null };
    if (error.errorClass === 'transient') return { kind: 'unknown', message: error.message };
    return { kind: 'refused', error };
  }

  async #sshKey(): Promise<string> {
    this.#sshKeyId ??= await this.#provider.addSshKey(
      makeSshKeyName(INSTALLATION_ID),
      'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5 test',
    );
    return this.#sshKeyId;
  }
}

function requestFor(intent: Intent, sshKeyId: string): Parameters<CloudProvider['createInstance']>[0] {
  const { instanceType, location, market } = parseOfferKey(intent.offer);
  const image = {
    kind: 'image',
    image: 'ubuntu-24.04',
    osVolumeName: makeOsVolumeName(intent.hostname),
    osVolumeGib: 100,
    sshKey: { id: sshKeyId, text: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5 test' },
    startupScript: null,
  } as const;
  return {
    hostname: intent.hostname,
    description: intent.id,
    instanceType,
    location,
    market,
    boot: intent.volumeId === null ? image : { kind: 'volume', osVolumeId: intent.volumeId },
    tags: {},
  };
}

/** The commands of a virtual life that its providers carry out: each by the real client over the simulator, as the activities do. */
import { sightingOf } from '../../activities/fleet/instance/look.ts';
import { answerOf } from '../../activities/fleet/instance/provider-answer.ts';
import { Accounts } from '../../clouds/accounts.ts';
import { partOf } from '../../clouds/parts.ts';
import type { CloudProvider } from '../../clouds/provider.ts';
import type { Command, Intent, LifeEventBody } from '../../domain/fleet/instance-life/types.ts';
import { parseOfferKey } from '../../domain/fleet/selection/offer.ts';
import type { VirtualCloud } from './virtual-cloud.ts';
import { VirtualCreates } from './virtual-create.ts';
import type { LadderMemory, Ranker } from './virtual-ladder.ts';

/** A command that no gateway and no clock answers. */
export type ProviderCommand = Exclude<
  Command,
  { kind: 'serve' | 'drain' | 'recheck_demand' | 'restart_model_server' | 'reboot' | 'wait' | 'alert' }
>;

export class ProviderCommands {
  readonly providers: readonly [CloudProvider, ...CloudProvider[]];
  readonly #accounts: Accounts;
  readonly #rank: Ranker;
  readonly #ladder: LadderMemory;
  readonly #creates: ReadonlyMap<string, VirtualCreates>;
  /** Provider of each name that was used in a create. */
  readonly #usedAt = new Map<string, string>();
  readonly #now: () => number;

  /** @param now Deckhand's own clock */
  constructor(parts: {
    readonly clouds: readonly [VirtualCloud, ...VirtualCloud[]];
    readonly rank: Ranker;
    readonly ladder: LadderMemory;
    readonly now: () => number;
  }) {
    const [first, ...others] = parts.clouds;
    const { ladder, now } = parts;
    this.providers = [first.provider, ...others.map((one) => one.provider)];
    this.#accounts = new Accounts(this.providers);
    this.#rank = parts.rank;
    this.#ladder = ladder;
    this.#now = now;
    const creates = ({ provider, image }: VirtualCloud) => new VirtualCreates({ provider, image, ladder, now });
    this.#creates = new Map(parts.clouds.map((one) => [one.provider.name, creates(one)]));
  }

  /** Does what a command says. @returns its answer */
  async execute(command: ProviderCommand): Promise<LifeEventBody> {
    const { id: commandId } = command;
    const acted = async (act: () => Promise<void>): Promise<LifeEventBody> => ({
      kind: 'acted',
      commandId,
      error: (await answerOf(act)).error,
    });
    const at = (id: string): CloudProvider => this.#accounts.ofId(id);
    switch (command.kind) {
      case 'rank':
        return { kind: 'ranked', commandId, ...(await this.#rank(command.wakeFrom, this.#ladder, this.#now())) };
      case 'create':
        return { kind: 'create_answered', commandId, outcome: await this.#create(command.intent) };
      case 'find':
        return { kind: 'found', commandId, ...(await this.#find(command.hostnames)) };
      case 'look': {
        const { value, error } = await answerOf(() => at(command.providerId).getInstance(command.providerId));
        return { kind: 'looked', commandId, sighting: value === null ? null : sightingOf(value), error };
      }
      case 'remember':
        return acted(async () => this.#ladder.remember(command.offer, command.error, this.#now()));
      case 'shutdown':
        return acted(() => partOf(at(command.providerId), 'stopping').shutdown(command.providerId));
      case 'start':
        return acted(() => partOf(at(command.providerId), 'stopping').start(command.providerId));
      case 'change_type':
        return acted(() =>
          partOf(at(command.providerId), 'typeChange').changeType(command.providerId, command.instanceType),
        );
      case 'hibernate':
        return acted(() => partOf(at(command.providerId), 'hibernation').hibernate(command.providerId));
      case 'delete':
        return acted(() => at(command.providerId).deleteInstance(command.providerId, command.deleteVolumeIds));
      case 'delete_volume':
        return acted(() => at(command.volumeId).deleteVolume(command.volumeId));
      default:
        return command satisfies never;
    }
  }

  #create(intent: Intent): ReturnType<VirtualCreates['create']> {
    const { provider } = parseOfferKey(intent.offer);
    const creates = this.#creates.get(provider);
    if (creates === undefined) throw new Error(`no provider ${provider}`);
    this.#usedAt.set(intent.hostname, provider);
    return creates.create(intent);
  }

  /** Each name is looked for where it was used, as the activity does; names at a provider that does not answer are silent. */
  async #find(
    hostnames: readonly string[],
  ): Promise<Omit<Extract<LifeEventBody, { kind: 'found' }>, 'kind' | 'commandId'>> {
    const answers = await Promise.all(
      this.#accounts.all.map(async (provider) => {
        const names = hostnames.filter((name) => (this.#usedAt.get(name) ?? provider.name) === provider.name);
        const asked = names.length > 0 || this.providers.length === 1;
        return { names, ...(asked ? await answerOf(() => provider.listInstances()) : { value: [], error: null }) };
      }),
    );
    const sightings = answers.flatMap(({ names, value }) =>
      (value ?? []).filter((i) => names.includes(i.hostname)).map(sightingOf),
    );
    const answered = new Set(answers.flatMap(({ names, error }) => (error === null ? names : [])));
    const failed = answers.find(({ error }) => error !== null)?.error ?? null;
    if (failed !== null && answered.size === 0) return { sightings, error: failed };
    const silent = hostnames.filter((name) => !answered.has(name));
    return { sightings, error: null, ...(silent.length === 0 ? {} : { silent }) };
  }
}

/**
 * A life over several providers: a provider that refuses is left for the others within a pass, and how a provider behaves decides what
 * becomes of its machines and disks.
 */
import { describe, expect, it } from 'vitest';
import { initialState, reduce } from '../../../../domain/fleet/instance-life/reducer.ts';
import type {
  CommandBody,
  InstanceState,
  LifeEventBody,
  ProviderTraits,
} from '../../../../domain/fleet/instance-life/types.ts';
import { parseOfferKey } from '../../../../domain/fleet/selection/offer.ts';
import type { ProviderErrorClass, ProviderErrorInfo } from '../../../../domain/fleet/provider/provider-errors.ts';
import type { RankedOffer } from '../../../../domain/fleet/selection/ladder.ts';
import { rankedOffer } from '../../../../testing/fleet/virtual-ladder.ts';
import { instanceSettingsForTests } from '../../../../testing/instance-settings.ts';

const rung = (provider: string, location: string, rank: number): RankedOffer =>
  rankedOffer(parseOfferKey(`${provider}/${location}/T/ondemand`), rank);
const LADDER = [rung('first', 'A', 1), rung('first', 'B', 2), rung('second', 'X', 3), rung('second', 'Y', 4)];

const TRAITS: ProviderTraits = {
  visibilityWindowMs: 2_000,
  suspendStrategies: ['discontinue_keep_volume', 'delete'],
  volumePinsLocation: true,
  bootsVolumes: true,
  changesTypeWhileStopped: false,
};
/** The second provider boots no kept disks and needs longer to show a new machine. */
const SETTINGS = instanceSettingsForTests({
  traits: {
    first: TRAITS,
    second: {
      ...TRAITS,
      visibilityWindowMs: 90_000,
      suspendStrategies: ['shutdown', 'delete'],
      bootsVolumes: false,
    },
  },
});

/** A life that answers its commands by hand. */
class Life {
  state: InstanceState;
  atMs = 0;

  constructor() {
    this.state = initialState('visual-1', SETTINGS, 0);
    this.tell({ kind: 'born' });
    this.tell({ kind: 'requested', request: 'serve', reason: 'work' });
  }

  tell(event: LifeEventBody): void {
    this.state = reduce(this.state, { ...event, atMs: this.atMs }).state;
  }

  /** The open command of a kind. */
  open<K extends CommandBody['kind']>(kind: K): Extract<CommandBody, { kind: K }> & { readonly id: number } {
    const command = this.state.open.find((one) => one.kind === kind);
    if (command === undefined) throw new Error(`no ${kind} among ${this.state.open.map((one) => one.kind).join(', ')}`);
    return command as Extract<CommandBody, { kind: K }> & { readonly id: number };
  }

  ranked(offers: readonly RankedOffer[] = LADDER): void {
    this.tell({ kind: 'ranked', commandId: this.open('rank').id, offers, nextTryAtMs: null, error: null });
  }

  /** The present create is answered so. */
  answer(outcome: Extract<LifeEventBody, { kind: 'create_answered' }>['outcome']): void {
    this.tell({ kind: 'create_answered', commandId: this.open('create').id, outcome });
  }

  /** The present create is refused. @returns the offer of the next one */
  refuse(error: ProviderErrorInfo): string {
    this.answer({ kind: 'refused', error });
    return this.open('create').intent.offer;
  }

  created(providerId: string): void {
    this.answer({ kind: 'created', providerId, adopted: false, priceUsdPerHour: null });
  }

  /** The wait that is open is over. */
  waited(): void {
    const { id: commandId, untilMs } = this.open('wait');
    this.atMs = untilMs;
    this.tell({ kind: 'waited', commandId });
  }
}

const failure = (errorClass: ProviderErrorClass): ProviderErrorInfo => ({ errorClass, message: 'no' });

describe('a create that a provider refuses', () => {
  it.each(['transient', 'throttled', 'config'] as const)('as %s goes on at the next provider', (errorClass) => {
    const life = new Life();
    life.ranked();
    expect(life.refuse(failure(errorClass))).toBe('second/X/T/ondemand');
  });

  it('for lack of capacity goes on with its next offer, one in a place that it named first', () => {
    const life = new Life();
    life.ranked([...LADDER.slice(0, 1), rung('first', 'B', 2), rung('first', 'C', 3), ...LADDER.slice(2)]);
    expect(life.refuse({ ...failure('capacity'), hints: ['C'] })).toBe('first/C/T/ondemand');
  });

  it('for its account leaves out all of its offers, and nobody else’s', () => {
    const life = new Life();
    life.ranked();
    expect(life.refuse(failure('auth'))).toBe('second/X/T/ondemand');
  });

  it('as wrong waits for the other provider when that has nothing now', () => {
    const life = new Life();
    life.ranked(LADDER.slice(0, 2));
    life.answer({ kind: 'refused', error: failure('config') });
    expect(life.state).toMatchObject({ phase: 'planned', step: { kind: 'pausing' } });
  });
});

describe('a life that seeks a machine', () => {
  it('says since when at every pass, also after a machine that never got ready', () => {
    const life = new Life();
    expect(life.open('rank')).toMatchObject({ soughtSinceMs: 0 });
    life.ranked([]);
    for (let pass = 0; pass < 3; pass += 1) {
      life.waited();
      expect(life.open('rank')).toMatchObject({ soughtSinceMs: 0 });
      if (pass < 2) life.ranked([]);
    }
    life.ranked();
    life.created('m-1');
    expect(life.state.memory.times.soughtSince).toBe(0);
  });

  it('waits for a lost create as long as the provider of that create needs', () => {
    const life = new Life();
    life.ranked(LADDER.slice(2));
    life.answer({ kind: 'unknown', message: 'no answer' });
    expect(life.state.memory.times.landsUntil).toBe(90_000 + SETTINGS.bootPollMaxMs);
  });
});

describe('a provider that does not answer a look by name', () => {
  const silent = (life: Life, names: readonly string[]): void => {
    life.tell({ kind: 'found', commandId: life.open('find').id, sightings: [], error: null, silent: names });
  };

  it('leaves a lost create of its own open, however long that takes', () => {
    const life = new Life();
    life.ranked(LADDER.slice(2));
    life.answer({ kind: 'unknown', message: 'no answer' });
    for (let look = 0; look < 20; look += 1) {
      silent(life, life.state.hostnames);
      life.waited();
    }
    expect(life.state.step.kind).toBe('finding');
  });

  it('keeps the end of a life from being taken for done', () => {
    const life = new Life();
    life.ranked(LADDER.slice(2));
    life.created('eu-west-1/i-0abc');
    life.tell({ kind: 'requested', request: 'destroy', reason: 'no work' });
    for (let look = 0; look < 10 && life.state.phase === 'destroying'; look += 1) {
      const [command] = life.state.open.filter(({ kind }) => kind !== 'alert');
      if (command === undefined) throw new Error('nothing is open');
      if (command.kind === 'wait') life.waited();
      else if (command.kind === 'find') silent(life, life.state.hostnames);
      else if (command.kind === 'look')
        life.tell({ kind: 'looked', commandId: command.id, sighting: null, error: null });
      else life.tell({ kind: 'acted', commandId: command.id, error: null });
    }
    expect(life.state.phase).toBe('destroying');
  });
});

/** A create that no budget pays for: cheaper offers are tried, and where there is none it waits with the reason, without walking the ladder. */
import { expect, it } from 'vitest';
import { initialState, reduce } from '../../../../domain/fleet/instance-life/reducer.ts';
import type {
  Command,
  CreateOutcome,
  InstanceState,
  LifeEventBody,
} from '../../../../domain/fleet/instance-life/types.ts';
import { offerKey } from '../../../../domain/fleet/selection/offer.ts';
import type { RankedOffer } from '../../../../domain/fleet/selection/ladder.ts';
import { instanceSettingsForTests } from '../../../../testing/instance-settings.ts';
import { simulatedOffer } from '../../../../testing/fleet/virtual-ladder.ts';

const START = Date.UTC(2026, 5, 10);
const WHY = 'No machine is bought: the hard cap of $1.00 for today would be exceeded';

const offers = [3, 2, 2.5, 1].map((priceUsdPerHour, index): RankedOffer => {
  const offer = simulatedOffer('1H100.80S.30V', `FIN-0${index + 1}`);
  const gpu = { tier: null, gpuModel: 'H100', gpuCount: 1, vramGib: 80 };
  const place = { refusal: null, reason: 'a test', nextTryAtMs: null, available: null, usdPerSlide: null };
  return { ...offer, ...gpu, ...place, key: offerKey(offer), priceUsdPerHour, rank: index + 1 };
});

/** A life from its birth, answered by hand. */
class Life {
  state: InstanceState = initialState('visual-1', instanceSettingsForTests({ ladderPauseMs: 30_000 }), START);
  commands: readonly Command[] = [];

  tell(body: LifeEventBody): void {
    const { state, commands } = reduce(this.state, { atMs: START + 1000, ...body });
    this.state = state;
    this.commands = commands;
  }

  get openId(): number {
    return this.state.open[0]?.id ?? -1;
  }

  rank(ranked: readonly RankedOffer[], message?: string): void {
    const why = message === undefined ? {} : { message };
    this.tell({ kind: 'ranked', commandId: this.openId, offers: ranked, nextTryAtMs: null, error: null, ...why });
  }

  answer(outcome: CreateOutcome): void {
    this.tell({ kind: 'create_answered', commandId: this.openId, outcome });
  }
}

function startLife(): Life {
  const life = new Life();
  life.tell({ kind: 'born' });
  return life;
}

it('goes on to what is cheaper, and to nothing that is as dear', () => {
  const life = startLife();
  life.rank(offers);
  expect(life.state.intent?.priceUsdPerHour).toBe(3);
  life.answer({ kind: 'held_back', message: WHY, overBudget: true });
  expect(life.state.intent?.priceUsdPerHour).toBe(2);
  life.answer({ kind: 'held_back', message: WHY, overBudget: true });
  expect(life.state.intent?.priceUsdPerHour).toBe(1);
  life.answer({ kind: 'held_back', message: WHY, overBudget: true });
  expect(life.state).toMatchObject({ intent: null, step: { kind: 'pausing' }, phase: 'planned', attempts: 3 });
  expect(life.state.reason).toContain(WHY);
  expect(life.commands.map((command) => command.kind)).toEqual(['wait']);
});

it('an offer that is blocked leaves those that are as dear to be tried', () => {
  const life = startLife();
  life.rank(offers);
  life.answer({ kind: 'held_back', message: 'blocked meanwhile' });
  life.answer({ kind: 'held_back', message: 'blocked meanwhile' });
  expect(life.state.intent?.priceUsdPerHour).toBe(2.5);
});

it('with a ladder that no budget pays for it waits and says why, without a create', () => {
  const life = startLife();
  life.rank([], WHY);
  expect(life.state).toMatchObject({ phase: 'planned', step: { kind: 'pausing' }, attempts: 0 });
  expect(life.state.reason).toContain(WHY);
});

/**
 * How machines of a simulated month are bought in a market of two providers: the ladder is walked, a kept disk is woken where it is, and spot
 * machines are taken back, with notice where the provider gives one.
 */
import { configForMarket } from '../../domain/fleet/pool/spot-mix.ts';
import type { PoolConfig } from '../../domain/fleet/pool/pool-config.ts';
import type { KeptVolume } from '../../domain/fleet/instance-life/types.ts';
import type { RankedOffer } from '../../domain/fleet/selection/ladder.ts';
import { becomeReady, draw, type Buyer, type Machine, type MachineContext } from './machines.ts';
import type { TwoProviderMarket } from './market.ts';

const SECOND = 1000;
/** The next offer is tried after this. */
const NEXT_OFFER_MS = 2 * SECOND;
/** The next pass over the ladder begins after this, as in the pool's settings. */
const NEXT_PASS_MS = 30 * SECOND;
/** A loss without notice: until its calls are retried elsewhere, and until the pool knows. */
const CALLS_LOST_MS = 15 * SECOND;
const LOSS_KNOWN_MS = 45 * SECOND;
/** Calls in flight are cut so long before the machine goes. */
const CUT_BEFORE_END_MS = 3 * SECOND;

/** What a buyer needs of its pool. */
export interface BuyerSetting {
  readonly config: PoolConfig;
  readonly market: TwoProviderMarket;
  /** Calls in flight are retried on other machines. */
  readonly loseCalls: (machine: Machine) => void;
}

export function marketBuyer({ config, market, loseCalls }: BuyerSetting): Buyer {
  const walk = (machine: Machine, context: MachineContext, wakeFrom: KeptVolume | null): void => {
    const { time } = context;
    const phase = machine.phase;
    const policy = configForMarket(config, machine.wanted ?? undefined);
    const offers = [...market.ladder(policy, wakeFrom, time.nowMs)];
    const next = (): void => {
      if (machine.phase !== phase) return;
      const offer = offers.shift();
      if (offer === undefined) {
        // Nothing is under way: without work the pool withdraws it.
        if (phase === 'creating') machine.enter('planned', time.nowMs);
        const paused = machine.phase;
        return time.at(time.nowMs + NEXT_PASS_MS, () => {
          if (machine.phase !== paused || machine.billedSinceMs !== null) return;
          machine.enter(phase, time.nowMs);
          walk(machine, context, wakeFrom);
        });
      }
      machine.creates += 1;
      if (!market.create(offer, time.nowMs)) return time.at(time.nowMs + NEXT_OFFER_MS, next);
      boot(machine, context, offer, wakeFrom);
    };
    next();
  };
  const boot = (machine: Machine, context: MachineContext, offer: RankedOffer, wakeFrom: KeptVolume | null): void => {
    const { time, random, world } = context;
    const wakes = wakeFrom !== null && wakeFrom.provider === offer.provider && wakeFrom.location === offer.location;
    if (wakeFrom !== null && !wakes) machine.dropVolume(time.nowMs);
    const again = (): void => walk(machine, context, wakes ? wakeFrom : null);
    machine.offer = offer;
    machine.speed = market.speedOf(offer);
    machine.startBilling(time.nowMs);
    machine.enter(wakes ? 'waking' : 'booting', time.nowMs);
    machine.boots += 1;
    const { boots } = machine;
    const ofThisBoot =
      (happen: () => void): (() => void) =>
      () => {
        if (machine.boots === boots) happen();
      };
    if (random() < world.asyncFailureChance) {
      time.at(
        time.nowMs + draw(random, world.asyncFailureMs),
        ofThisBoot(() => {
          machine.stopBilling(time.nowMs);
          if (!wakes) machine.dropVolume(time.nowMs);
          machine.enter(wakes ? 'waking' : 'creating', time.nowMs);
          again();
        }),
      );
      return;
    }
    const bootMs = draw(random, wakes ? world.wakeMs : world.coldBootMs);
    time.at(
      time.nowMs + bootMs,
      ofThisBoot(() => becomeReady(machine, context)),
    );
    const evictedAtMs = time.nowMs + market.evictedAfterMs(offer, random);
    if (!Number.isFinite(evictedAtMs)) return;
    time.at(
      evictedAtMs,
      ofThisBoot(() => {
        market.evicted(offer, time.nowMs);
        machine.lostBootMs += machine.phase === 'ready' ? bootMs : time.nowMs - machine.phaseSinceMs;
        takeBack(machine, context, market.noticeMs(offer));
      }),
    );
  };

  const takeBack = (machine: Machine, context: MachineContext, noticeMs: number): void => {
    const { time, changed } = context;
    const wasReady = machine.phase === 'ready';
    machine.boots += 1;
    const end = (): void => {
      machine.stopBilling(time.nowMs);
      machine.dropVolume(time.nowMs);
    };
    if (!wasReady) {
      end();
      machine.enter('creating', time.nowMs);
      return walk(machine, context, null);
    }
    if (noticeMs > 0) {
      machine.isTakenBack = true;
      machine.enter('cordoned', time.nowMs);
      changed(machine);
      time.at(time.nowMs + noticeMs - CUT_BEFORE_END_MS, () => {
        loseCalls(machine);
        end();
        machine.enter('gone', time.nowMs);
        changed(machine);
      });
      return;
    }
    end();
    // Its gateway gives it no more calls from here on, but the pool still counts it.
    machine.isLost = true;
    time.at(time.nowMs + CALLS_LOST_MS, () => {
      loseCalls(machine);
      changed(machine);
    });
    time.at(time.nowMs + LOSS_KNOWN_MS, () => {
      machine.enter('gone', time.nowMs);
      changed(machine);
    });
  };

  return {
    create: (machine, context) => walk(machine, context, null),
    wake: (machine, context) => {
      const { offer } = machine;
      if (offer === null) return walk(machine, context, null);
      const { provider, location, instanceType, market: rentedAs } = offer;
      walk(machine, context, { volumeId: machine.name, provider, location, instanceType, market: rentedAs });
    },
    // EC2 boots no kept disk, and a spot machine cannot be stopped.
    keepsDisk: ({ offer }) => offer?.provider === 'datacrunch',
  };
}

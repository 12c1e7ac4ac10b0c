/**
 * Waking: a stopped machine is started, as another type on the same disk where there is no capacity for its own; a kept disk is booted on the
 * ladder of its location first, else a cold machine elsewhere.
 *
 * A stopped machine that cannot start as any type is ended, with its disk kept where a new machine can boot it, before the ladder is walked:
 * never two machines.
 */
import { parseOfferKey } from '../selection/offer.ts';
import type { RankedOffer } from '../selection/ladder.ts';
import { type ProviderErrorInfo, PROVIDER_ERROR_CLASSES } from '../provider/provider-errors.ts';
import type { Handlers, Draft } from './draft.ts';
import { cancelLook, scheduleRetry } from './looks.ts';
import { detach } from './removal.ts';
import { discontinue } from './suspend.ts';
import type { Machine } from './types.ts';

/** Begins to wake; see the file's header. */
export function enterWake(draft: Draft, reason: string): void {
  const { machine } = draft.state;
  draft.enter('waking', { kind: 'waking' }, reason);
  draft.clearTimes('absentSince', 'checkingSince');
  draft.remember({ emptyPasses: 0 });
  if (machine === null) return draft.go('rank', reason);
  cancelLook(draft);
  detach(draft, 0);
  draft.send({ kind: 'start', providerId: machine.providerId });
}

export const WAKING: Handlers = {
  acted(draft, { error }) {
    if (error === null) return draft.go('boot', 'started again');
    switch (error.errorClass) {
      case 'capacity':
      case 'capacity_async':
      case 'config':
      case 'quota':
        draft.record(`it cannot be started: ${error.message}`);
        return tryAnotherType(draft, error);
      case 'gone':
        return draft.go('boot', GONE);
      default:
        return retry(draft, error);
    }
  },
  waited(draft) {
    const { machine } = draft.state;
    if (machine === null) return draft.go('rank', draft.state.reason);
    draft.send({ kind: 'start', providerId: machine.providerId });
  },
};

export const CHOOSING_TYPE: Handlers = {
  ranked(draft, { offers, error }) {
    // Without an answer nothing is known of other types: its own is tried again.
    if (error !== null) {
      draft.setStep({ kind: 'waking' });
      return retry(draft, error);
    }
    const { machine } = draft.state;
    if (machine === null) return draft.go('rank', draft.state.reason);
    const own = parseOfferKey(machine.intent.offer);
    const others = offers
      .filter((o) => o.rank !== null && o.provider === own.provider && o.location === own.location)
      .filter((o) => o.market === own.market && o.instanceType !== own.instanceType)
      .toSorted((a, b) => (a.rank ?? 0) - (b.rank ?? 0));
    changeType(draft, others);
  },
};

export const CHANGING_TYPE: Handlers = {
  acted(draft, { error }) {
    const { machine } = draft.state;
    const step = draft.during('changing_type');
    if (machine === null || step === null) return draft.go('rank', draft.state.reason);
    const { offer, otherTypes } = step;
    if (error === null) {
      const { priceUsdPerHour } = offer;
      // Its price is frozen again at the first sight of what it is now.
      draft.remember({ isPriced: false });
      draft.set({ machine: { ...machine, priceUsdPerHour, intent: { ...machine.intent, offer: offer.key } } });
      draft.setStep({ kind: 'waking', otherTypes });
      draft.record(`it is ${offer.instanceType} now, on the same disk, at $${priceUsdPerHour.toFixed(3)} per hour`);
      return draft.send({ kind: 'start', providerId: machine.providerId });
    }
    switch (error.errorClass) {
      case 'gone':
        return draft.go('boot', GONE);
      case 'capacity':
      case 'capacity_async':
      case 'config':
      case 'quota':
        draft.record(`it cannot become ${offer.instanceType}: ${error.message}`);
        return changeType(draft, otherTypes);
      default:
        return retry(draft, error);
    }
  },
  waited(draft) {
    const { machine } = draft.state;
    const step = draft.during('changing_type');
    if (machine === null || step === null) return draft.go('rank', draft.state.reason);
    sendChange(draft, machine, step.offer);
  },
};

const GONE = 'the provider does not know it any more';

/** Asks once which other types there are for its disk, then tries them in order; afterwards the machine is ended. */
function tryAnotherType(draft: Draft, error: ProviderErrorInfo): void {
  const { machine } = draft.state;
  if (machine === null) return draft.go('rank', draft.state.reason);
  const { offer } = machine.intent;
  const { market, location } = parseOfferKey(offer);
  // A machine of the spot market is worth less than the tries.
  if (draft.traits().changesTypeWhileStopped !== true || market === 'spot') return discontinue(draft);
  if (error.errorClass !== 'config') draft.send({ kind: 'remember', offer, error });
  const left = draft.during('waking')?.otherTypes;
  if (left !== undefined) return changeType(draft, left);
  draft.setStep('choosing_type');
  const { provider } = parseOfferKey(offer);
  draft.send({ kind: 'rank', wakeFrom: null, at: { provider, location, market } });
}

function changeType(draft: Draft, [offer, ...otherTypes]: readonly RankedOffer[]): void {
  const { machine } = draft.state;
  if (machine === null || offer === undefined) return discontinue(draft);
  draft.setStep({ kind: 'changing_type', offer, otherTypes });
  sendChange(draft, machine, offer);
}

const sendChange = (draft: Draft, { providerId }: Machine, { instanceType }: RankedOffer): void =>
  draft.send({ kind: 'change_type', providerId, instanceType });

/** Waits for a provider that does not answer, or does not yet. */
function retry(draft: Draft, error: ProviderErrorInfo): void {
  if (PROVIDER_ERROR_CLASSES[error.errorClass].report === 'operator')
    draft.alertOnce(error.errorClass, `${draft.state.name} cannot be started: ${error.message}`);
  draft.set({ reason: `it cannot be started yet: ${error.message}` });
  scheduleRetry(draft, error);
}

/**
 * Getting a machine: the ladder of offers, one create per intent, and the search for a create whose outcome is unknown.
 *
 * A wake walks the same ladder with offers in front that boot the kept disk. What a refusal means is a table of classes; only
 * configuration ends the life, everything else is waited out, for ever or until the deadline.
 */
import { makeHostname } from '../provider/names.ts';
import { parseOfferKey } from '../selection/offer.ts';
import { PROVIDER_ERROR_CLASSES, type ProviderErrorInfo } from '../provider/provider-errors.ts';
import type { RankedOffer } from '../selection/ladder.ts';
import {
  addToPurge,
  scheduleLook,
  cancelLook,
  findAll,
  forget,
  isWatchDue,
  leaveBehind,
  lookedAt,
  watchLeftovers,
  landsUntil,
} from './looks.ts';
import type { Handlers, Turn } from './turn.ts';
import type { CreateOutcome, Intent, Sighting } from './types.ts';
import type { InstancePhase } from '../phases.ts';

/** Looks that must have missed a create before it is given up. */
const MIN_FINDING_LOOKS = 3;
/** A kept disk that the provider refuses to boot is tried this often before it is left and the wake goes cold. */
const VOLUME_TRIES = 2;

/** Asks for the ladder. */
export function enterRank(turn: Turn, reason: string): void {
  cancelLook(turn);
  turn.enter(acquiringPhase(turn, 'planned'), 'ranking', reason);
  turn.send({ kind: 'rank', wakeFrom: turn.state.volume });
}

/** Creates on the next rung; without one, waits for the next pass. */
export function enterNextRung(turn: Turn, reason: string): void {
  const [offer] = turn.state.ladder;
  const { ladderPauseMaxMs, ladderPauseMs } = turn.state.settings;
  if (offer === undefined) return pauseUntilNextPass(turn, null, reason);
  // A ladder ages: after a slow failure what it says of stock is not worth a create.
  const age = turn.atMs - (turn.time('rankedAt') ?? 0);
  if (age > Math.max(ladderPauseMaxMs, ladderPauseMs)) return turn.go('rank', reason);
  const intent = makeIntent(turn, offer);
  const attempts = turn.state.attempts + 1;
  cancelLook(turn);
  turn.set({ intent, attempts, hostnames: [...turn.state.hostnames, intent.hostname] });
  const said = `attempt ${attempts} on ${offer.key} at $${offer.priceUsdPerHour.toFixed(3)} per hour: ${reason}`;
  turn.enterTold(acquiringPhase(turn, 'creating'), 'creating', said);
  turn.send({ kind: 'create', intent });
}

export const RANKING: Handlers = {
  ranked(turn, { offers, nextTryAtMs, error, message }) {
    if (error !== null) return rankFailed(turn, error);
    const ladder = offers.filter((o) => o.rank !== null).toSorted((a, b) => (a.rank ?? 0) - (b.rank ?? 0));
    turn.set({ ladder, passes: turn.state.passes + 1 });
    turn.setTime('rankedAt', turn.atMs);
    if (ladder.length === 0) return pauseUntilNextPass(turn, nextTryAtMs, message ?? 'no offer can be had now');
    turn.go('next_rung', `${ladder.length} offers to try`);
  },
};

export const PAUSING: Handlers = {
  waited: (turn) => (isWatchDue(turn) ? findAll(turn) : endPause(turn)),
  found(turn, event) {
    if (event.error === null) watchLeftovers(turn, event);
    endPause(turn);
  },
};

export const CREATING: Handlers = {
  create_answered(turn, { outcome }) {
    const { intent } = turn.state;
    if (intent === null) return turn.go('rank', 'the create belongs to no intent');
    switch (outcome.kind) {
      case 'created':
        return rented(
          turn,
          intent,
          outcome.providerId,
          outcome.priceUsdPerHour,
          outcome.adopted ? 'adopted' : 'created',
        );
      case 'unknown':
        return startFinding(turn, outcome.message);
      case 'refused':
        return refused(turn, intent, outcome.error);
      case 'held_back':
        return heldBack(turn, intent, outcome);
      default:
        return outcome satisfies never;
    }
  },
};

export const FINDING: Handlers = {
  waited: findAll,
  found(turn, event) {
    const { intent } = turn.state;
    if (intent === null) return turn.go('rank', 'there is no intent to look for');
    if (event.error !== null) return scheduleFind(turn, event.error.retryAfterMs);
    const there = underName(event.sightings, intent.hostname);
    const [oldest] = there;
    if (oldest !== undefined) {
      rented(turn, intent, oldest.providerId, oldest.priceUsdPerHour, 'found by its name');
      turn.updateMachine(oldest);
      watchLeftovers(turn, event);
      return;
    }
    watchLeftovers(turn, event);
    const looks = (turn.during('finding')?.looks ?? 0) + 1;
    turn.setStep({ kind: 'finding', looks });
    if (looks < MIN_FINDING_LOOKS || lookedAt(turn) < (turn.time('landsUntil') ?? 0)) return scheduleFind(turn);
    giveUp(turn, intent);
  },
};

/** Machines under exactly this name that are not gone, oldest first: the first is kept where there are several. */
function underName(sightings: readonly Sighting[], hostname: string): readonly Sighting[] {
  return sightings
    .filter((s) => s.hostname === hostname && s.status !== 'gone')
    .toSorted((a, b) => a.createdAtMs - b.createdAtMs || a.providerId.localeCompare(b.providerId));
}

/** Ends the life as `failed`, after cleaning up. */
export function fail(turn: Turn, reason: string): void {
  turn.remember({ endsAsFailed: true });
  turn.go('end', reason);
}

function rankFailed(turn: Turn, error: ProviderErrorInfo): void {
  if (error.errorClass === 'config') return fail(turn, error.message);
  const { tell } = PROVIDER_ERROR_CLASSES[error.errorClass];
  if (tell === 'operator') turn.alertOnce(error.errorClass, error.message);
  pauseUntilNextPass(turn, error.retryAfterMs === undefined ? null : turn.atMs + error.retryAfterMs, error.message);
}

function makeIntent(turn: Turn, offer: RankedOffer): Intent {
  const { name, attempts, settings, volume } = turn.state;
  const bootsKept = volume !== null && (!settings.volumePinsLocation || volume.location === offer.location);
  return {
    id: `${name}/${attempts + 1}`,
    hostname: makeHostname(settings.installationId, name, attempts + 1),
    offer: offer.key,
    priceUsdPerHour: offer.priceUsdPerHour,
    volumeId: bootsKept ? volume.volumeId : null,
  };
}

function rented(turn: Turn, intent: Intent, providerId: string, priceUsdPerHour: number | null, how: string): void {
  const { volume, ladder } = turn.state;
  turn.set({
    machine: {
      providerId,
      intent,
      priceUsdPerHour: priceUsdPerHour ?? intent.priceUsdPerHour,
      ip: null,
      osVolumeId: intent.volumeId,
      volumeIds: intent.volumeId === null ? [] : [intent.volumeId],
      simulatedModelUrl: null,
    },
    ladder: ladder.slice(1),
  });
  turn.setTime('landsUntil', landsUntil(turn));
  turn.clearTimes('absentSince');
  turn.remember({ isPriced: false, emptyPasses: 0 });
  if (volume !== null && intent.volumeId === null) {
    const text = `${turn.state.name} wakes cold on ${intent.offer}; its disk ${volume.volumeId} stays registered in ${volume.location}.`;
    turn.send({ kind: 'alert', text });
  }
  turn.go('boot', `${providerId} ${how}`);
}

function startFinding(turn: Turn, message: string): void {
  turn.setTime('landsUntil', landsUntil(turn));
  turn.setStep({ kind: 'finding', looks: 0 });
  turn.tell(`outcome of the create is unknown (${message}): looking for it by its name`);
  findAll(turn);
}

const scheduleFind = (turn: Turn, retryAfterMs = 0): void =>
  scheduleLook(turn, Math.max(retryAfterMs, turn.state.settings.bootPollMs), 'looking for the machine by its name');

function giveUp(turn: Turn, intent: Intent): void {
  turn.set({ intent: null, ladder: turn.state.ladder.slice(1) });
  turn.clearTimes('landsUntil');
  leaveBehind(turn, intent.hostname, 'givenUpSinceMs');
  turn.go('next_rung', `the create as ${intent.hostname} took no effect in the time the provider needs`);
}

/** A definite no: nothing exists under this name and nothing will. */
function refused(turn: Turn, intent: Intent, error: ProviderErrorInfo): void {
  turn.set({ intent: null });
  forget(turn, intent.hostname);
  const { settings } = turn.state;
  switch (error.errorClass) {
    case 'throttled':
    // It went wrong before anything was sent.
    case 'transient':
      return pause(turn, error.retryAfterMs ?? settings.bootPollMs, error.message);
    case 'not_yet':
      return pause(turn, error.retryAfterMs ?? settings.destroyRetryMs, error.message);
    case 'config':
    case 'gone':
      return intent.volumeId === null ? fail(turn, error.message) : volumeRefused(turn, intent.volumeId, error);
    default:
      return skipRungs(turn, intent, error);
  }
}

/**
 * Nothing was sent, so nothing new is known of the offer: it is left out of this pass and not remembered as a failure. What a budget does not
 * pay for holds back everything as dear, so that no offer is tried in vain; a cheaper one may still be paid.
 */
function heldBack(turn: Turn, intent: Intent, outcome: Extract<CreateOutcome, { kind: 'held_back' }>): void {
  const rest = turn.state.ladder.slice(1);
  const overBudget = outcome.overBudget === true;
  const ladder = overBudget ? rest.filter((o) => o.priceUsdPerHour < intent.priceUsdPerHour) : rest;
  turn.set({ intent: null, ladder });
  forget(turn, intent.hostname);
  if (overBudget && ladder.length === 0) pauseUntilNextPass(turn, null, outcome.message);
  else turn.go('next_rung', `${intent.offer}: ${outcome.message}`);
}

/** Remembers the refusal for all pools and leaves out every rung it stands for. */
function skipRungs(turn: Turn, intent: Intent, error: ProviderErrorInfo): void {
  const { scope, tell } = PROVIDER_ERROR_CLASSES[error.errorClass];
  const failed = parseOfferKey(intent.offer);
  turn.send({ kind: 'remember', offer: intent.offer, error });
  if (tell === 'operator') turn.alertOnce(error.errorClass, `${intent.offer}: ${error.message}`);
  const blocked = (o: RankedOffer): boolean =>
    o.provider === failed.provider &&
    (scope === 'provider' ||
      (scope === 'market_location' && o.location === failed.location && o.market === failed.market));
  turn.set({ ladder: turn.state.ladder.slice(1).filter((o) => !blocked(o)) });
  turn.go('next_rung', `${intent.offer}: ${error.message}`);
}

/** The disk may still be coming loose, so it is tried again; then it is given up, which is said, and the wake goes cold. */
function volumeRefused(turn: Turn, volumeId: string, error: ProviderErrorInfo): void {
  const tries = turn.state.memory.volumeRefusals + 1;
  turn.remember({ volumeRefusals: tries });
  if (tries < VOLUME_TRIES) return pause(turn, turn.state.settings.destroyRetryMs, error.message);
  const text = `The kept disk ${volumeId} of ${turn.state.name} cannot be booted (${error.message}); it wakes cold and the disk is deleted.`;
  turn.send({ kind: 'alert', text });
  turn.set({ volume: null });
  turn.remember({ volumeRefusals: 0 });
  addToPurge(turn, [volumeId]);
  turn.go('next_rung', `kept disk refused: ${error.message}`);
}

/** Waits, with what is left of the ladder. */
function pause(turn: Turn, delayMs: number, reason: string): void {
  turn.enter(acquiringPhase(turn, 'planned'), { kind: 'pausing', untilMs: turn.atMs + delayMs }, reason);
  scheduleLook(turn, delayMs, reason);
}

/** The pass is over. Waits until an offer may be tried again, within the bounds of the pause, which doubles with each empty pass. */
function pauseUntilNextPass(turn: Turn, nextTryAtMs: number | null, reason: string): void {
  const { ladderPauseMs, ladderPauseMaxMs, deadlineMs } = turn.state.settings;
  // A disk is kept: there is something to wake, however long that takes.
  const deadline = turn.state.volume === null ? deadlineMs : null;
  if (deadline !== null && turn.atMs >= deadline) return fail(turn, `nothing to be had until its deadline: ${reason}`);
  const empty = turn.state.memory.emptyPasses;
  turn.remember({ emptyPasses: Math.min(empty + 1, 30) });
  const backOff = ladderPauseMs * 2 ** empty;
  const wish = nextTryAtMs === null ? backOff : Math.max(nextTryAtMs - turn.atMs, ladderPauseMs);
  const delay = Math.min(wish, ladderPauseMaxMs, deadline === null ? Infinity : deadline - turn.atMs);
  turn.set({ ladder: [] });
  pause(turn, delay, `${reason}; next try at ${new Date(turn.atMs + delay).toISOString()}`);
}

function endPause(turn: Turn): void {
  const restMs = (turn.during('pausing')?.untilMs ?? 0) - turn.atMs;
  if (restMs > 0) return scheduleLook(turn, restMs, turn.state.reason);
  if (turn.state.ladder.length > 0) turn.go('next_rung', 'the wait is over');
  else turn.go('rank', 'the wait is over');
}

/** While a disk is kept, getting a machine is waking. */
const acquiringPhase = (turn: Turn, cold: InstancePhase): InstancePhase =>
  turn.state.volume !== null || turn.state.phase === 'waking' ? 'waking' : cold;

/**
 * Getting a machine: the ladder of offers, one create per intent, and the search for a create whose outcome is unknown.
 *
 * A wake walks the same ladder with offers in front that boot the kept disk. What a refusal means is a table of classes; only
 * configuration ends the life, everything else is waited out, for ever or until the deadline.
 */
import { makeHostname } from '../provider/names.ts';
import { parseOfferKey } from '../selection/offer.ts';
import { covers, failureScopeKey } from '../selection/offer-memory.ts';
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
import type { Handlers, Draft } from './draft.ts';
import type { CreateOutcome, Intent, Sighting } from './types.ts';
import type { InstancePhase } from '../phases.ts';

/** Looks that must have missed a create before it is given up. */
const MIN_FINDING_LOOKS = 3;
/** A kept disk that the provider refuses to boot is tried this often before it is left and the wake goes cold. */
const VOLUME_TRIES = 2;

/** Asks for the ladder. */
export function enterRank(draft: Draft, reason: string): void {
  cancelLook(draft);
  draft.enter(acquiringPhase(draft, 'planned'), 'ranking', reason);
  const soughtSinceMs = draft.time('soughtSince') ?? draft.atMs;
  draft.setTime('soughtSince', soughtSinceMs);
  const market = draft.state.market ?? draft.state.settings.market;
  draft.send({
    kind: 'rank',
    wakeFrom: draft.state.volume,
    soughtSinceMs,
    ...(market === undefined ? {} : { market }),
  });
}

/** Creates on the next rung; without one, waits for the next pass. */
export function enterNextRung(draft: Draft, reason: string): void {
  const [offer] = draft.state.ladder;
  const { ladderPauseMaxMs, ladderPauseMs } = draft.state.settings;
  if (offer === undefined) return pauseUntilNextPass(draft, null, reason);
  // A ladder ages: after a slow failure what it says of stock is not worth a create.
  const age = draft.atMs - (draft.time('rankedAt') ?? 0);
  if (age > Math.max(ladderPauseMaxMs, ladderPauseMs)) return draft.go('rank', reason);
  const intent = makeIntent(draft, offer);
  const attempts = draft.state.attempts + 1;
  cancelLook(draft);
  draft.set({ intent, attempts, hostnames: [...draft.state.hostnames, intent.hostname] });
  const said = `attempt ${attempts} on ${offer.key} at $${offer.priceUsdPerHour.toFixed(3)} per hour: ${reason}`;
  draft.enterRecorded(acquiringPhase(draft, 'creating'), 'creating', said);
  draft.send({ kind: 'create', intent });
}

export const RANKING: Handlers = {
  ranked(draft, { offers, nextTryAtMs, error, message }) {
    if (error !== null) return rankFailed(draft, error);
    const ladder = offers.filter((o) => o.rank !== null).toSorted((a, b) => (a.rank ?? 0) - (b.rank ?? 0));
    draft.set({ ladder, passes: draft.state.passes + 1 });
    draft.setTime('rankedAt', draft.atMs);
    if (ladder.length === 0) return pauseUntilNextPass(draft, nextTryAtMs, message ?? 'no offer can be had now');
    draft.go('next_rung', `${ladder.length} offers to try`);
  },
};

export const PAUSING: Handlers = {
  waited: (draft) => (isWatchDue(draft) ? findAll(draft) : endPause(draft)),
  found(draft, event) {
    if (event.error === null) watchLeftovers(draft, event);
    endPause(draft);
  },
};

export const CREATING: Handlers = {
  create_answered(draft, { outcome }) {
    const { intent } = draft.state;
    if (intent === null) return draft.go('rank', 'the create belongs to no intent');
    switch (outcome.kind) {
      case 'created':
        return rented(
          draft,
          intent,
          outcome.providerId,
          outcome.priceUsdPerHour,
          outcome.adopted ? 'adopted' : 'created',
        );
      case 'unknown':
        return startFinding(draft, outcome.message);
      case 'refused':
        return refused(draft, intent, outcome.error);
      case 'held_back':
        return heldBack(draft, intent, outcome);
      default:
        return outcome satisfies never;
    }
  },
};

export const FINDING: Handlers = {
  waited: findAll,
  found(draft, event) {
    const { intent } = draft.state;
    if (intent === null) return draft.go('rank', 'there is no intent to look for');
    if (event.error !== null) return scheduleFind(draft, event.error.retryAfterMs);
    if (event.silent?.includes(intent.hostname) === true) {
      watchLeftovers(draft, event);
      return scheduleFind(draft);
    }
    const there = underName(event.sightings, intent.hostname);
    const [oldest] = there;
    if (oldest !== undefined) {
      rented(draft, intent, oldest.providerId, oldest.priceUsdPerHour, 'found by its name');
      draft.updateMachine(oldest);
      watchLeftovers(draft, event);
      return;
    }
    watchLeftovers(draft, event);
    const looks = (draft.during('finding')?.looks ?? 0) + 1;
    draft.setStep({ kind: 'finding', looks });
    if (looks < MIN_FINDING_LOOKS || lookedAt(draft) < (draft.time('landsUntil') ?? 0)) return scheduleFind(draft);
    giveUp(draft, intent);
  },
};

/** Machines under exactly this name that are not gone, oldest first: the first is kept where there are several. */
function underName(sightings: readonly Sighting[], hostname: string): readonly Sighting[] {
  return sightings
    .filter((s) => s.hostname === hostname && s.status !== 'gone')
    .toSorted((a, b) => a.createdAtMs - b.createdAtMs || a.providerId.localeCompare(b.providerId));
}

/** Ends the life as `failed`, after cleaning up. */
export function fail(draft: Draft, reason: string): void {
  draft.remember({ endsAsFailed: true });
  draft.go('end', reason);
}

function rankFailed(draft: Draft, error: ProviderErrorInfo): void {
  if (error.errorClass === 'config') return fail(draft, error.message);
  const { report } = PROVIDER_ERROR_CLASSES[error.errorClass];
  if (report === 'operator') draft.alertOnce(error.errorClass, error.message);
  pauseUntilNextPass(draft, error.retryAfterMs === undefined ? null : draft.atMs + error.retryAfterMs, error.message);
}

function makeIntent(draft: Draft, offer: RankedOffer): Intent {
  const { name, attempts, settings, volume } = draft.state;
  const traits = draft.traits(offer.provider);
  const bootsKept =
    volume !== null &&
    traits.bootsVolumes &&
    volume.provider === offer.provider &&
    (!traits.volumePinsLocation || volume.location === offer.location);
  return {
    id: `${name}/${attempts + 1}`,
    hostname: makeHostname(settings.installationId, name, attempts + 1),
    offer: offer.key,
    priceUsdPerHour: offer.priceUsdPerHour,
    volumeId: bootsKept ? volume.volumeId : null,
  };
}

function rented(draft: Draft, intent: Intent, providerId: string, priceUsdPerHour: number | null, how: string): void {
  const { volume, ladder } = draft.state;
  draft.set({
    machine: {
      providerId,
      intent,
      // 0 = the provider named none.
      priceUsdPerHour: priceUsdPerHour || intent.priceUsdPerHour,
      ip: null,
      osVolumeId: intent.volumeId,
      volumeIds: intent.volumeId === null ? [] : [intent.volumeId],
      simulatedModelUrl: null,
    },
    ladder: ladder.slice(1),
  });
  draft.setTime('landsUntil', landsUntil(draft));
  draft.clearTimes('absentSince');
  draft.remember({ isPriced: false, emptyPasses: 0 });
  if (volume !== null && intent.volumeId === null) {
    const text = `${draft.state.name} wakes cold on ${intent.offer}; its disk ${volume.volumeId} stays registered in ${volume.location}.`;
    draft.send({ kind: 'alert', text });
  }
  draft.go('boot', `${providerId} ${how}`);
}

function startFinding(draft: Draft, message: string): void {
  draft.setTime('landsUntil', landsUntil(draft));
  draft.setStep({ kind: 'finding', looks: 0 });
  draft.record(`outcome of the create is unknown (${message}): looking for it by its name`);
  findAll(draft);
}

const scheduleFind = (draft: Draft, retryAfterMs = 0): void =>
  scheduleLook(draft, Math.max(retryAfterMs, draft.state.settings.bootPollMs), 'looking for the machine by its name');

function giveUp(draft: Draft, intent: Intent): void {
  draft.set({ intent: null, ladder: draft.state.ladder.slice(1) });
  draft.clearTimes('landsUntil');
  leaveBehind(draft, intent.hostname, 'givenUpSinceMs');
  draft.go('next_rung', `the create as ${intent.hostname} took no effect in the time the provider needs`);
}

/** A definite no: nothing exists under this name and nothing will. */
function refused(draft: Draft, intent: Intent, error: ProviderErrorInfo): void {
  draft.set({ intent: null });
  forget(draft, intent.hostname);
  const { settings } = draft.state;
  switch (error.errorClass) {
    case 'throttled':
    // It went wrong before anything was sent.
    case 'transient':
      if (leavesProvider(draft, intent, error)) return;
      return pause(draft, error.retryAfterMs ?? settings.bootPollMs, error.message);
    case 'not_yet':
      return pause(draft, error.retryAfterMs ?? settings.destroyRetryMs, error.message);
    case 'config':
    case 'gone':
      if (intent.volumeId !== null) return volumeRefused(draft, intent.volumeId, error);
      return leavesProvider(draft, intent, error) ? undefined : fail(draft, error.message);
    default:
      // On the last rung each later wake would be refused in the same way.
      if (error.block === null && intent.volumeId !== null && draft.state.ladder.length === 1)
        return volumeRefused(draft, intent.volumeId, error);
      return skipRungs(draft, intent, error);
  }
}

/** An error of one provider does not stand for that of another. */
const alertKey = ({ state: { settings } }: Draft, intent: Intent, { errorClass }: ProviderErrorInfo): string =>
  settings.traits === undefined ? errorClass : `${parseOfferKey(intent.offer).provider}:${errorClass}`;

/** Goes on with the offers of other providers in this pass, or waits for one to have some; false = the pool has no other provider. */
function leavesProvider(draft: Draft, intent: Intent, error: ProviderErrorInfo): boolean {
  if (draft.state.settings.traits === undefined) return false;
  const { provider } = parseOfferKey(intent.offer);
  const ladder = draft.state.ladder.filter((offer) => offer.provider !== provider);
  const said = `${intent.offer}: ${error.message}`;
  if (PROVIDER_ERROR_CLASSES[error.errorClass].report === 'operator')
    draft.alertOnce(alertKey(draft, intent, error), said);
  draft.set({ ladder });
  if (ladder.length > 0) draft.go('next_rung', said);
  else pauseUntilNextPass(draft, error.retryAfterMs === undefined ? null : draft.atMs + error.retryAfterMs, said);
  return true;
}

/**
 * Nothing was sent, so nothing new is known of the offer: it is left out of this pass and not remembered as a failure. What a budget does not
 * pay for holds back everything as dear, so that no offer is tried in vain; a cheaper one may still be paid.
 */
function heldBack(draft: Draft, intent: Intent, outcome: Extract<CreateOutcome, { kind: 'held_back' }>): void {
  const rest = draft.state.ladder.slice(1);
  const overBudget = outcome.overBudget === true;
  const ladder = overBudget ? rest.filter((o) => o.priceUsdPerHour < intent.priceUsdPerHour) : rest;
  draft.set({ intent: null, ladder });
  forget(draft, intent.hostname);
  if (overBudget && ladder.length === 0) pauseUntilNextPass(draft, null, outcome.message);
  else draft.go('next_rung', `${intent.offer}: ${outcome.message}`);
}

/** Remembers the refusal for all pools, where it blocks something, and leaves out every offer that it blocks. */
function skipRungs(draft: Draft, intent: Intent, error: ProviderErrorInfo): void {
  const { report } = PROVIDER_ERROR_CLASSES[error.errorClass];
  const blocked = failureScopeKey(parseOfferKey(intent.offer), error);
  if (blocked !== null) draft.send({ kind: 'remember', offer: intent.offer, error });
  if (report === 'operator') draft.alertOnce(alertKey(draft, intent, error), `${intent.offer}: ${error.message}`);
  const rest = draft.state.ladder.slice(1).filter((o) => blocked === null || !covers(blocked, o));
  // Offers where the provider says that it has capacity are tried first.
  const isHinted = (o: RankedOffer): boolean =>
    o.provider === parseOfferKey(intent.offer).provider && (error.hints ?? []).includes(o.location);
  draft.set({ ladder: [...rest.filter(isHinted), ...rest.filter((o) => !isHinted(o))] });
  draft.go('next_rung', `${intent.offer}: ${error.message}`);
}

/** The disk may still be coming loose, so it is tried again; then it is given up, which is said, and the wake goes cold. */
function volumeRefused(draft: Draft, volumeId: string, error: ProviderErrorInfo): void {
  const tries = draft.state.memory.volumeRefusals + 1;
  draft.remember({ volumeRefusals: tries });
  if (tries < VOLUME_TRIES) return pause(draft, draft.state.settings.destroyRetryMs, error.message);
  const text = `The kept disk ${volumeId} of ${draft.state.name} cannot be booted (${error.message}); it wakes cold and the disk is deleted.`;
  draft.send({ kind: 'alert', text });
  draft.set({ volume: null });
  draft.remember({ volumeRefusals: 0 });
  addToPurge(draft, [volumeId]);
  draft.go('next_rung', `kept disk refused: ${error.message}`);
}

/** Waits, with what is left of the ladder. */
function pause(draft: Draft, delayMs: number, reason: string): void {
  draft.enter(acquiringPhase(draft, 'planned'), { kind: 'pausing', untilMs: draft.atMs + delayMs }, reason);
  scheduleLook(draft, delayMs, reason);
}

/** The pass is over. Waits until an offer may be tried again, within the bounds of the pause, which doubles with each empty pass. */
function pauseUntilNextPass(draft: Draft, nextTryAtMs: number | null, reason: string): void {
  const { ladderPauseMs, ladderPauseMaxMs, deadlineMs } = draft.state.settings;
  // A disk is kept: there is something to wake, however long that takes.
  const deadline = draft.state.volume === null ? deadlineMs : null;
  if (deadline !== null && draft.atMs >= deadline)
    return fail(draft, `nothing to be had until its deadline: ${reason}`);
  const empty = draft.state.memory.emptyPasses;
  draft.remember({ emptyPasses: Math.min(empty + 1, 30) });
  const backOff = ladderPauseMs * 2 ** empty;
  const wish = nextTryAtMs === null ? backOff : Math.max(nextTryAtMs - draft.atMs, ladderPauseMs);
  const delay = Math.min(wish, ladderPauseMaxMs, deadline === null ? Infinity : deadline - draft.atMs);
  draft.set({ ladder: [] });
  pause(draft, delay, `${reason}; next try at ${new Date(draft.atMs + delay).toISOString()}`);
}

function endPause(draft: Draft): void {
  const restMs = (draft.during('pausing')?.untilMs ?? 0) - draft.atMs;
  if (restMs > 0) return scheduleLook(draft, restMs, draft.state.reason);
  if (draft.state.ladder.length > 0) draft.go('next_rung', 'the wait is over');
  else draft.go('rank', 'the wait is over');
}

/** While a disk is kept, getting a machine is waking. */
const acquiringPhase = (draft: Draft, cold: InstancePhase): InstancePhase =>
  draft.state.volume !== null || draft.state.phase === 'waking' ? 'waking' : cold;

/**
 * `reduce(state, event)`: the life of a rented instance as a pure function. Total: an event that means nothing here changes nothing.
 *
 * An event answers a command that is open, or it is ignored. It is handled by the present step (`HANDLERS`), which may lead into
 * other parts of the life (`ENTRIES`). Both tables are the whole state machine.
 */
import { makeHostname } from '../provider/names.ts';
import { CREATING, PAUSING, RANKING, FINDING, enterNextRung, enterRank } from './acquire.ts';
import { STARTING, enterBoot } from './boot.ts';
import { ENDING, PURGING, enterEnd, enterPurge } from './destroy.ts';
import { healthRequest, WATCHED } from './health.ts';
import { CHECKING, REPAIRING, enterCheck } from './readiness.ts';
import { CHECKING_DEMAND, REMOVING, enterRemove, enterRemoveEnded } from './removal.ts';
import { request, settle } from './requests.ts';
import { DRAINING, HELD, RECHECKING, SERVING, enterCordon, enterReady } from './serving.ts';
import { SLEEPING, STOPPING, DISCONTINUING, enterAsleep, enterSuspend } from './suspend.ts';
import { CHANGING_TYPE, CHOOSING_TYPE, enterWake, WAKING } from './wake.ts';
import { NEW_MEMORY, type StepKind, movedMemory, movedStep } from './memory.ts';
import { Draft, type Entry, type Handlers } from './draft.ts';
import { type Command, type InstanceSettings, type InstanceState, type LifeEvent, type Reduction } from './types.ts';
import { isFinal } from '../phases.ts';

/** Parts of the life by the name they are entered by. */
const ENTRIES: Readonly<Record<Entry, (draft: Draft, reason: string) => void>> = {
  rank: enterRank,
  next_rung: enterNextRung,
  boot: enterBoot,
  check: enterCheck,
  ready: enterReady,
  cordon: enterCordon,
  suspend: enterSuspend,
  asleep: enterAsleep,
  wake: enterWake,
  remove: enterRemove,
  remove_ended: enterRemoveEnded,
  end: enterEnd,
  purge: enterPurge,
};

/** What each step makes of events. */
const HANDLERS: Readonly<Record<StepKind, Handlers>> = {
  new: {
    born(draft, { reason = 'wanted by its pool' }) {
      draft.recordBirth(reason);
      draft.go('rank', reason);
    },
  },
  ranking: RANKING,
  pausing: PAUSING,
  creating: CREATING,
  finding: FINDING,
  starting: STARTING,
  checking: CHECKING,
  repairing: REPAIRING,
  removing: REMOVING,
  checking_demand: CHECKING_DEMAND,
  serving: SERVING,
  draining: DRAINING,
  rechecking: RECHECKING,
  held: HELD,
  watched: WATCHED,
  stopping: STOPPING,
  discontinuing: DISCONTINUING,
  sleeping: SLEEPING,
  waking: WAKING,
  choosing_type: CHOOSING_TYPE,
  changing_type: CHANGING_TYPE,
  ending: ENDING,
  purging: PURGING,
  over: {},
};

/** Events that answer each kind of command. Those in `STAYS_OPEN` leave it open. */
const ANSWERS: Readonly<Record<Command['kind'], readonly LifeEvent['kind'][]>> = {
  rank: ['ranked'],
  create: ['create_answered'],
  find: ['found'],
  look: ['looked'],
  remember: ['acted'],
  serve: ['proved', 'proof_failed', 'eviction_noticed', 'serve_ended'],
  drain: ['drained'],
  recheck_demand: ['demand_rechecked'],
  shutdown: ['acted'],
  start: ['acted'],
  change_type: ['acted'],
  hibernate: ['acted'],
  delete: ['acted'],
  delete_volume: ['acted'],
  restart_model_server: ['acted'],
  reboot: ['acted'],
  wait: ['waited'],
  alert: [],
};
const STAYS_OPEN: ReadonlySet<LifeEvent['kind']> = new Set(['proved', 'proof_failed', 'eviction_noticed']);

/**
 * An instance that is wanted and for which nothing was done yet. Its first event is `born`.
 *
 * @throws RangeError when name or installation id cannot be part of a host name
 */
export function initialState(name: string, settings: InstanceSettings, atMs: number): InstanceState {
  makeHostname(settings.installationId, name, 9_999_999);
  return {
    name,
    phase: 'planned',
    step: { kind: 'new' },
    phaseSinceMs: atMs,
    reason: 'wanted by its pool',
    settings,
    attempts: 0,
    hostnames: [],
    intent: null,
    machine: null,
    volume: null,
    volumesToPurge: [],
    ladder: [],
    passes: 0,
    wanted: 'serve',
    open: [],
    nextCommandId: 1,
    memory: NEW_MEMORY,
  };
}

export function reduce(state: InstanceState, event: LifeEvent): Reduction {
  if (isFinal(state.phase)) return { state, commands: [], transitions: [] };
  const draft = new Draft(atTime(state, event.atMs), event.atMs);
  if (event.kind === 'requested') request(draft, event);
  else if (event.kind === 'health_asked') healthRequest(draft, event);
  else if (takeAnswer(draft, event)) settle(draft);
  draft.follow(ENTRIES);
  return draft.done();
}

/** Answers false when the event means nothing any more. */
function takeAnswer(draft: Draft, event: Exclude<LifeEvent, { kind: 'requested' | 'health_asked' }>): boolean {
  if (event.kind !== 'born') {
    const command = draft.state.open.find((c) => c.id === event.commandId);
    if (command === undefined || !ANSWERS[command.kind].includes(event.kind)) return false;
    if (!STAYS_OPEN.has(event.kind)) draft.closeId(command.id);
    // The attachment that was drained; one that was opened since is another.
    if (event.kind === 'drained')
      draft.set({ open: draft.state.open.filter((c) => c.kind !== 'serve' || c.id > command.id) });
    if (event.kind === 'acted' && isAside(draft, command, event)) return true;
  }
  handle(draft, event);
  return true;
}

/** Answers that do not concern the present step: notes for other pools, purges of disks, ends of leftovers. */
function isAside(draft: Draft, command: Command, { error }: Extract<LifeEvent, { kind: 'acted' }>): boolean {
  switch (command.kind) {
    case 'remember':
      return true;
    case 'delete_volume':
      if (error === null || error.errorClass === 'gone') {
        const { volumeId } = command;
        draft.set({ volumesToPurge: draft.state.volumesToPurge.filter((id) => id !== volumeId) });
      }
      return draft.state.step.kind !== 'purging';
    case 'delete':
      return command.providerId !== draft.state.machine?.providerId;
    default:
      return false;
  }
}

function handle<K extends LifeEvent['kind']>(draft: Draft, event: Extract<LifeEvent, { kind: K }>): void {
  const handlers: Handlers = HANDLERS[draft.state.step.kind];
  const handler = handlers[event.kind as K] as ((draft: Draft, event: LifeEvent) => void) | undefined;
  handler?.(draft, event);
}

/**
 * The state as of an event's time. A jump of the clock must change nothing: waits are for time that really passes, but an event only tells
 * the time of a clock that may be set. Between two events no more time counts than until the open wait plus a moment; the rest is taken out
 * by moving every remembered time. So an hour without a worker counts as little as a clock set forward by an hour.
 */
function atTime(state: InstanceState, atMs: number): InstanceState {
  const { seenAtMs, settings } = state;
  if (seenAtMs === undefined) return { ...state, seenAtMs: atMs };
  const dueMs = state.open.flatMap((command) => (command.kind === 'wait' ? [command.untilMs] : []));
  const latestMs = Math.max(seenAtMs, ...dueMs) + settings.bootPollMs;
  const jumpMs = atMs < seenAtMs ? atMs - seenAtMs : Math.max(0, atMs - latestMs);
  if (jumpMs === 0) return { ...state, seenAtMs: atMs };
  const { memory, step } = state;
  return { ...state, seenAtMs: atMs, memory: movedMemory(memory, jumpMs), step: movedStep(step, jumpMs) };
}

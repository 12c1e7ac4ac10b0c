/**
 * The life of a deployment as a pure function: `absent → creating → scaling ⇄ scaled → paused → deleting → absent`.
 *
 * `step(state, event) → {state, command}`. A look compares what the provider shows with the number of replicas that instances have claimed and
 * sends at most one command; the state holds that command as an intent before it is sent. Every command names the state to reach, so a
 * repetition changes nothing, except a create: when its answer was lost, the deployment is looked for by its name, and it is created again only
 * when it did not show up in the time that the provider may take.
 *
 * The replicas answer behind one URL, so nobody can tell which of them is sick: where one is, all of them are replaced.
 */
import { counted } from '../../text/words.ts';

/** Where the deployment is. `paused` = it has no replica and costs nothing. */
export type EndpointPhase = 'absent' | 'creating' | 'scaling' | 'scaled' | 'paused' | 'deleting';

/** What one look at the provider saw. */
export interface EndpointSight {
  readonly status: 'active' | 'paused' | 'deleting';
  /** The provider's word. */
  readonly rawStatus: string;
  /** Replicas that it is set to; null = it scales by itself, or is set to something else. */
  readonly desired: number | null;
  readonly running: number;
  /** Replicas that the provider itself calls broken. */
  readonly failed: number;
  /** Base URL of its calls; null while the provider names none. */
  readonly url: string | null;
  /** It was made as the pool is configured now. */
  readonly isCurrent: boolean;
}

export type EndpointCommand = { readonly id: number } & EndpointCommandBody;
export type EndpointCommandBody =
  | { readonly kind: 'create'; readonly replicas: number }
  /** Sets the number of replicas, and ends a pause. */
  | { readonly kind: 'scale'; readonly replicas: number; readonly isPaused: boolean }
  | { readonly kind: 'pause' }
  /** Replaces every replica. */
  | { readonly kind: 'restart' }
  | { readonly kind: 'delete' };

/** `unknown` = the command may or may not have taken effect. */
export type EndpointOutcome = 'done' | 'refused' | 'unknown';

/** Every event carries its time; the function has no clock. */
export type EndpointEvent = { readonly atMs: number } & (
  | {
      readonly kind: 'looked';
      /** Null = the provider does not know the name. */
      readonly sight: EndpointSight | null;
      /** Replicas that instances have claimed. */
      readonly claims: number;
      /** The pool is not configured any more, or has been emptied for good: a deployment without claims is deleted. */
      readonly isRetired: boolean;
      /** Begin of the latest episode in which an instance does no work although it is ready; null or absent = there is none. */
      readonly sickSinceMs?: number | null;
    }
  | {
      readonly kind: 'answered';
      readonly commandId: number;
      readonly outcome: EndpointOutcome;
      readonly message: string;
    }
);

/** How patient the life is, ms. */
export interface EndpointPatience {
  /** A create shows up within this time, or never. */
  readonly visibilityWindowMs: number;
  /** Between tries of what was refused: doubles up to the longest. */
  readonly retryMs: number;
  readonly longestRetryMs: number;
  /** Between two restarts: new replicas need time to show whether it helped, and each begins a block of its bill. */
  readonly restartPauseMs: number;
}

/** Whole state. Plain JSON: it crosses continue-as-new. */
export interface EndpointState {
  readonly phase: EndpointPhase;
  readonly sinceMs: number;
  /** A sentence for people. */
  readonly reason: string;
  /** The command that was sent and not answered; null = none. */
  readonly open: EndpointCommand | null;
  readonly nextCommandId: number;
  /** When the create whose outcome is unknown was given up; null = there is none. */
  readonly createLostAtMs: number | null;
  /** Refusals in a row, and when the next try is due. */
  readonly refusals: number;
  readonly retryAtMs: number;
  /** Last restart; absent = none. */
  readonly restartedAtMs?: number;
}

/** The result of one event. `command` is to be executed and answered by one event. */
export interface EndpointStep {
  readonly state: EndpointState;
  readonly command: EndpointCommand | null;
}

/** The state of a deployment of which nothing is known yet. */
export const newEndpoint = (atMs: number): EndpointState => ({
  phase: 'absent',
  sinceMs: atMs,
  reason: 'nothing is known of it yet',
  open: null,
  nextCommandId: 1,
  createLostAtMs: null,
  refusals: 0,
  retryAtMs: 0,
});

/** True when there is nothing to look at: it costs nothing, and no replica is wanted. */
export const isAtRest = ({ phase, open }: EndpointState, instances: number): boolean =>
  instances === 0 && open === null && (phase === 'absent' || phase === 'paused');

/** See the file's header. Total: an answer to a command that is not open changes nothing. */
export function stepEndpoint(state: EndpointState, event: EndpointEvent, patience: EndpointPatience): EndpointStep {
  switch (event.kind) {
    case 'looked':
      return looked(state, event, patience);
    case 'answered':
      return { state: answered(state, event, patience), command: null };
  }
}

type Looked = Extract<EndpointEvent, { kind: 'looked' }>;
type Answered = Extract<EndpointEvent, { kind: 'answered' }>;

function looked(before: EndpointState, event: Looked, patience: EndpointPatience): EndpointStep {
  const { sight, claims, isRetired, atMs } = event;
  // A run that ended before the answer came: the command may have taken effect.
  const state = before.open === null ? before : answered(before, lost(before.open, atMs), patience);
  if (sight === null) return withoutDeployment(state, event, patience);
  const known = { ...state, createLostAtMs: null };
  if (sight.status === 'deleting') return stay(known, 'deleting', 'the provider deletes it', atMs);
  if (claims === 0) {
    if (isRetired) return send(known, { kind: 'delete' }, 'deleting', 'the pool is not configured any more', atMs);
    if (!sight.isCurrent) return send(known, { kind: 'delete' }, 'deleting', 'its configuration has changed', atMs);
    if (sight.status === 'paused') return stay(known, 'paused', 'paused: no instance wants a replica', atMs);
    return send(known, { kind: 'pause' }, 'scaling', 'no instance wants a replica any more', atMs);
  }
  const isPaused = sight.status === 'paused';
  if (isPaused || sight.desired !== claims) {
    const command = { kind: 'scale', replicas: claims, isPaused } as const;
    return send(known, command, 'scaling', `set to ${counted(claims, 'replica')}`, atMs);
  }
  if (isRestartDue(known, event, patience)) {
    const step = send(known, { kind: 'restart' }, 'scaling', 'restarted: an instance is ready and does no work', atMs);
    return step.command === null ? step : { ...step, state: { ...step.state, restartedAtMs: atMs } };
  }
  const outdated = sight.isCurrent ? '' : '; it is made anew when it is at zero, because its configuration has changed';
  const { failed } = sight;
  const broken = failed === 0 ? '' : `, ${failed} broken`;
  const said = `${sight.running} of ${counted(claims, 'replica')} running${broken} (${sight.rawStatus})${outdated}`;
  return stay(known, sight.running === claims ? 'scaled' : 'scaling', said, atMs);
}

/** Once for an episode, and not again until the last restart has had its time. */
function isRestartDue(
  { restartedAtMs = -Infinity }: EndpointState,
  { sickSinceMs = null, atMs }: Looked,
  { restartPauseMs }: EndpointPatience,
): boolean {
  return sickSinceMs !== null && sickSinceMs > restartedAtMs && atMs - restartedAtMs >= restartPauseMs;
}

function withoutDeployment(state: EndpointState, { claims, atMs }: Looked, patience: EndpointPatience): EndpointStep {
  const { createLostAtMs } = state;
  if (createLostAtMs !== null && atMs - createLostAtMs < patience.visibilityWindowMs)
    return stay(state, 'creating', 'the answer to its create was lost: looking for it by its name', atMs);
  const known = { ...state, createLostAtMs: null };
  if (claims === 0) return stay(known, 'absent', 'there is none, and no instance wants a replica', atMs);
  const command = { kind: 'create', replicas: claims } as const;
  return send(known, command, 'creating', `created with ${counted(claims, 'replica')}`, atMs);
}

function answered(state: EndpointState, event: Answered, patience: EndpointPatience): EndpointState {
  const { open } = state;
  if (open?.id !== event.commandId) return state;
  const { outcome, message, atMs } = event;
  const closed = { ...state, open: null };
  switch (outcome) {
    case 'done':
      return { ...closed, refusals: 0, retryAtMs: 0 };
    case 'unknown':
      return { ...closed, reason: message, ...(open.kind === 'create' ? { createLostAtMs: atMs } : {}) };
    case 'refused': {
      const pauseMs = Math.min(patience.longestRetryMs, patience.retryMs * 2 ** Math.min(state.refusals, 20));
      const reason = `${open.kind} was refused: ${message}`;
      const refused = { ...closed, reason, refusals: state.refusals + 1, retryAtMs: atMs + pauseMs };
      if (open.kind !== 'restart') return refused;
      // Nothing was restarted, so the episode still has its restart; the one before is long enough ago.
      const { restartedAtMs: _, ...notRestarted } = refused;
      return notRestarted;
    }
  }
}

const lost = (open: EndpointCommand, atMs: number): Answered => ({
  kind: 'answered',
  atMs,
  commandId: open.id,
  outcome: 'unknown',
  message: `the answer to ${open.kind} was lost`,
});

/** Nothing to do. The reason of a refusal stands until its next try. */
function stay(state: EndpointState, phase: EndpointPhase, reason: string, atMs: number): EndpointStep {
  return { state: entered(state, phase, reason, atMs), command: null };
}

/** Sends a command, unless one was refused a short while ago. */
function send(
  state: EndpointState,
  body: EndpointCommandBody,
  phase: EndpointPhase,
  reason: string,
  atMs: number,
): EndpointStep {
  if (atMs < state.retryAtMs) return { state, command: null };
  const command: EndpointCommand = { id: state.nextCommandId, ...body };
  const sent = { ...state, open: command, nextCommandId: command.id + 1 };
  return { state: entered(sent, phase, reason, atMs), command };
}

const entered = (state: EndpointState, phase: EndpointPhase, reason: string, atMs: number): EndpointState =>
  phase === state.phase ? { ...state, reason } : { ...state, phase, reason, sinceMs: atMs };

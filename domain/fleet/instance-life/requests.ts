/**
 * What the pool asks for, and when it is done: at once where that is safe, else as soon as what is under way has ended.
 *
 * `destroy` is final. Whatever is asked while a machine is falling asleep waits until it sleeps; while it boots, until it is ready (booting
 * is work: a cold machine is not put away before it ever served).
 */
import { afterDrain } from './serving.ts';
import type { Turn } from './turn.ts';
import type { StepKind } from './memory.ts';
import type { InstanceRequest, LifeEventOf } from './types.ts';
import { isFinal } from '../phases.ts';

type Wanted = 'serve' | 'cordon' | 'suspend' | 'destroy';

/** Requests by what they leave wanted. */
const WANTED: Readonly<Record<InstanceRequest, Wanted>> = {
  serve: 'serve',
  wake: 'serve',
  uncordon: 'serve',
  cordon: 'cordon',
  suspend: 'suspend',
  destroy: 'destroy',
};

/** Nothing is rented or under way in these. */
const NOTHING_RENTED: ReadonlySet<StepKind> = new Set(['new', 'ranking', 'pausing']);

/** Takes a request down; {@link settle} acts on it. */
export function request(turn: Turn, { request: asked, reason }: LifeEventOf<'requested'>): void {
  const { wanted, phase, illness } = turn.state;
  if (wanted === 'destroy' || phase === 'destroying') return;
  // Nothing is routed to a sleeping one anyway.
  if (asked === 'cordon' && (phase === 'suspending' || phase === 'suspended')) return;
  turn.set({ wanted: WANTED[asked] });
  // A request to the instance overrides what was done for its health.
  if (illness?.remedy === 'watch') turn.set({ illness: null });
  act(turn, reason);
}

/** A destroy that had to wait for a create's answer is done as soon as that is there, before anything else. */
export function settle(turn: Turn): void {
  const { wanted, phase, reason } = turn.state;
  if (wanted === 'destroy' && phase !== 'destroying' && !isOver(turn) && !turn.isOpen('create'))
    turn.go('end', `asked to be destroyed meanwhile: ${reason}`);
}

function act(turn: Turn, reason: string): void {
  const { phase, wanted, step, machine } = turn.state;
  if (wanted === 'destroy') {
    if (turn.isOpen('create')) return turn.tell(`to be destroyed as soon as the create is answered: ${reason}`);
    return turn.go('end', reason);
  }
  switch (phase) {
    case 'planned':
      // Nothing to keep: it ends.
      if (wanted === 'suspend' && NOTHING_RENTED.has(step.kind)) turn.go('end', reason);
      return;
    case 'waking':
      if (wanted !== 'suspend' || machine !== null || !NOTHING_RENTED.has(step.kind)) return;
      turn.close('rank');
      return turn.go(turn.state.volume === null ? 'end' : 'asleep', reason);
    case 'ready':
      if (wanted === 'cordon' || wanted === 'suspend') turn.go('cordon', reason);
      return;
    case 'cordoned':
      return cordoned(turn, reason);
    case 'suspended':
      if (wanted === 'serve') turn.go('wake', reason);
      return;
    case 'creating':
    case 'booting':
    case 'suspending':
    case 'destroying':
    case 'gone':
    case 'failed':
      return;
    default:
      return phase satisfies never;
  }
}

function cordoned(turn: Turn, reason: string): void {
  const { wanted, step } = turn.state;
  if (step.kind === 'held') return afterDrain(turn);
  if (step.kind === 'rechecking' && wanted !== 'suspend') {
    turn.close('recheck_demand');
    return afterDrain(turn);
  }
  if (step.kind === 'watched') return turn.go('cordon', reason);
  // Being attached again after a cordon was lifted.
  if ((step.kind === 'checking' || step.kind === 'repairing') && wanted !== 'serve') turn.go('cordon', reason);
}

/** The life is over. */
const isOver = (turn: Turn): boolean => isFinal(turn.state.phase);

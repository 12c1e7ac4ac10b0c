/**
 * What the pool asks for, and when it is done: at once where that is safe, else as soon as what is under way has ended.
 *
 * `destroy` is final. Whatever is asked while a machine is falling asleep waits until it sleeps; while it boots, until it is ready (booting
 * is work: a cold machine is not put away before it ever served).
 */
import { afterDrain } from './serving.ts';
import type { Draft } from './draft.ts';
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

/** Follows a request at once where that is safe; {@link settle} follows a destroy that had to wait. */
export function request(draft: Draft, { request: asked, reason, market }: LifeEventOf<'requested'>): void {
  const { wanted, phase } = draft.state;
  if (wanted === 'destroy' || phase === 'destroying') return;
  if (market !== undefined) draft.set({ market });
  // Nothing is routed to a sleeping one anyway.
  if (asked === 'cordon' && (phase === 'suspending' || phase === 'suspended')) return;
  draft.set({ wanted: WANTED[asked] });
  // A request to the instance overrides what was done for its health.
  if (draft.quarantine?.remedy === 'watch') draft.setQuarantine(null);
  act(draft, reason);
}

/** A destroy that had to wait for a create's answer is done as soon as that is there, before anything else. */
export function settle(draft: Draft): void {
  const { wanted, phase, reason } = draft.state;
  if (wanted === 'destroy' && phase !== 'destroying' && !isOver(draft) && !draft.isOpen('create'))
    draft.go('end', `asked to be destroyed meanwhile: ${reason}`);
}

function act(draft: Draft, reason: string): void {
  const { phase, wanted, step, machine } = draft.state;
  if (wanted === 'destroy') {
    if (draft.isOpen('create')) return draft.record(`to be destroyed as soon as the create is answered: ${reason}`);
    return draft.go('end', reason);
  }
  switch (phase) {
    case 'planned':
      // Nothing to keep: it ends.
      if (wanted === 'suspend' && NOTHING_RENTED.has(step.kind)) draft.go('end', reason);
      return;
    case 'waking':
      if (wanted !== 'suspend' || machine !== null || !NOTHING_RENTED.has(step.kind)) return;
      draft.close('rank');
      return draft.go(draft.state.volume === null ? 'end' : 'asleep', reason);
    case 'ready':
      if (wanted === 'cordon' || wanted === 'suspend') draft.go('cordon', reason);
      return;
    case 'cordoned':
      return cordoned(draft, reason);
    case 'suspended':
      if (wanted === 'serve') draft.go('wake', reason);
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

function cordoned(draft: Draft, reason: string): void {
  const { wanted, step } = draft.state;
  if (step.kind === 'held') return afterDrain(draft);
  if (step.kind === 'rechecking' && wanted !== 'suspend') {
    draft.close('recheck_demand');
    return afterDrain(draft);
  }
  if (step.kind === 'watched') return draft.go('cordon', reason);
  // Being attached again after a cordon was lifted.
  if ((step.kind === 'checking' || step.kind === 'repairing') && wanted !== 'serve') draft.go('cordon', reason);
}

const isOver = (draft: Draft): boolean => isFinal(draft.state.phase);

/**
 * Waking: a stopped machine is started; a kept disk is booted on the ladder of its location first; else a cold machine elsewhere.
 *
 * A stopped machine that cannot start (no stock in its place) is ended with its disk kept, then the ladder is walked: never two machines.
 */
import { PROVIDER_ERROR_CLASSES } from '../provider/provider-errors.ts';
import { scheduleLook, cancelLook } from './looks.ts';
import { detach } from './removal.ts';
import { discontinue } from './suspend.ts';
import type { Handlers, Turn } from './turn.ts';

/** Begins to wake. */
export function enterWake(turn: Turn, reason: string): void {
  const { machine } = turn.state;
  turn.enter('waking', 'waking', reason);
  turn.clearTimes('absentSince', 'checkingSince');
  turn.remember({ emptyPasses: 0 });
  if (machine === null) return turn.go('rank', reason);
  cancelLook(turn);
  detach(turn, 0);
  turn.send({ kind: 'start', providerId: machine.providerId });
}

export const WAKING: Handlers = {
  acted(turn, { error }) {
    if (error === null) return turn.go('boot', 'started again');
    switch (error.errorClass) {
      case 'capacity':
      case 'capacity_async':
      case 'config':
      case 'quota':
        turn.tell(`it cannot be started: ${error.message}`);
        return discontinue(turn);
      case 'gone':
        return turn.go('boot', 'the provider does not know it any more');
      default:
        if (PROVIDER_ERROR_CLASSES[error.errorClass].tell === 'operator')
          turn.alertOnce(error.errorClass, `${turn.state.name} cannot be started: ${error.message}`);
        turn.set({ reason: `it cannot be started yet: ${error.message}` });
        return scheduleLook(turn, Math.max(error.retryAfterMs ?? 0, turn.state.settings.destroyRetryMs), error.message);
    }
  },
  waited(turn) {
    const { machine } = turn.state;
    if (machine === null) return turn.go('rank', turn.state.reason);
    turn.send({ kind: 'start', providerId: machine.providerId });
  },
};

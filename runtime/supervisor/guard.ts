/**
 * The guard: how a child learns that its supervisor is gone, for any kind of child.
 *
 * The supervisor holds the write end of a pipe. A tiny shell, detached from the child, waits at the read end: a line means "the child
 * has ended, all is well"; end of file without a line means that the supervisor died, and the child is told to end, then made to. The
 * shell then becomes the child (`exec`), so the pid we started is the child's own. It works for Postgres and Temporal, which know
 * nothing of us, and for a Node process whose event loop is stuck.
 */
import type { ChildProcess } from 'node:child_process';

/** Written to a child's pipe once it has ended, so that its watcher goes without signalling a pid that may belong to another process by now. */
export const RELEASE_LINE = 'released\n';

// $1 signal name without SIG, $2 grace in tenths of a second, then the command. Twice forked: the watcher must not be a child of the
// command, which could be surprised by the exit of a process that it never started.
const GUARD_SCRIPT = `
signal=$1; tenths=$2; shift 2
child=$$
exec 3<&0 </dev/null
(
  (
    trap '' INT TERM HUP
    if read -r line; then exit 0; fi
    kill -s "$signal" "$child" || exit 0
    waited=0
    while kill -0 "$child"; do
      if [ "$waited" -ge "$tenths" ]; then kill -s KILL "$child"; exit 0; fi
      waited=$((waited + 1))
      sleep 0.1
    done
  ) <&3 3<&- >/dev/null 2>&1 &
)
exec 3<&-
exec "$@"
`;

/** Why a command that runs to its end has failed; undefined when it ended with 0. */
export const failureOf = (child: ChildProcess): Promise<string | undefined> =>
  new Promise((resolveEnd) => {
    child.once('error', (error) => resolveEnd(error.message));
    child.once('exit', (code, signal) => resolveEnd(code === 0 ? undefined : (signal ?? `exit code ${code}`)));
  });

/** The command line that runs `command` under a guard. Its stdin must be a pipe of the supervisor. */
export function guarded(
  command: string,
  args: readonly string[],
  options: { stopSignal: NodeJS.Signals; stopGraceMs: number },
): { command: string; args: string[] } {
  const tenths = Math.max(1, Math.round(options.stopGraceMs / 100));
  const signal = options.stopSignal.replace(/^SIG/, '');
  return { command: '/bin/sh', args: ['-c', GUARD_SCRIPT, 'deckhand-guard', signal, String(tenths), command, ...args] };
}

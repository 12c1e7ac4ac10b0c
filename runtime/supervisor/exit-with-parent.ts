/**
 * For our own processes that are started through a pipe: end when the parent does.
 *
 * Children of the supervisor do not need this (the guard ends them); it is for helpers that a worker or a test starts by itself and
 * whose stdin is a pipe of the starter.
 */
import type { Readable } from 'node:stream';

/**
 * Calls `onParentGone` once when the pipe closes.
 *
 * @param pipe read end of a pipe whose write end the parent alone holds
 * @param onParentGone defaults to ending the process with exit code 0
 */
export function exitWithParent(pipe: Readable = process.stdin, onParentGone: () => void = () => process.exit(0)): void {
  let told = false;
  const tell = (): void => {
    if (told) return;
    told = true;
    onParentGone();
  };
  pipe.once('end', tell);
  pipe.once('close', tell);
  pipe.once('error', tell);
  pipe.resume();
}

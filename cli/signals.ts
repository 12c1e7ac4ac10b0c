/**
 * Ctrl-C and its like: the first asks the command to end in order, the second ends it at once.
 */

/** A signal that is aborted by the first SIGINT, SIGTERM or SIGHUP of this process. A second one ends the process with 130. */
export function endOnSignal(): AbortSignal {
  const controller = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(name, () => {
      // The runtime does not need us: its supervisor sees that we are gone and ends it.
      if (controller.signal.aborted) process.exit(130);
      controller.abort();
    });
  }
  return controller.signal;
}

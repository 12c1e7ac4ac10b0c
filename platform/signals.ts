/** Ends a command or process on Ctrl-C: the first signal ends it gracefully, the second at once. */

/** A signal that is aborted by the first SIGINT, SIGTERM or SIGHUP of this process. A second one ends the process with 130. */
export function endOnSignal(): AbortSignal {
  const controller = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(name, () => {
      // A local runtime needs no notice: its supervisor sees that this process ended.
      if (controller.signal.aborted) process.exit(130);
      controller.abort();
    });
  }
  return controller.signal;
}

/** Resolves when a signal is aborted. */
export async function untilAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}

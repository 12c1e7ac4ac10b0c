/** Looks at a spot machine for the notice that its provider takes it back, as long as it is attached. */
import type { Machine } from '../../activities/gateway/machine.ts';
import {
  NOTICE_COMMAND,
  NOTICE_INTERVAL_MS,
  NOTICE_LIMIT_MS,
  readNotice,
  type EvictionNotice,
} from '../../domain/fleet/provider/eviction-notice.ts';
import type { Logger } from '../../platform/log.ts';
import { pause } from '../../platform/pause.ts';

/** A machine without a metadata service is asked less often from this look on: it does not get one. */
const LOOKS_WITHOUT_SERVICE = 3;
const WITHOUT_SERVICE_INTERVAL_MS = 60_000;

export interface NoticeWatchOptions {
  readonly machine: Pick<Machine, 'shell'>;
  readonly log: Pick<Logger, 'debug'>;
  /** Ends the watch. */
  readonly signal: AbortSignal;
  /** Between two looks; for tests. */
  readonly intervalMs?: number;
}

/** The first notice; null when the watch ended before, or where no commands can be run on the machine. */
export async function watchForNotice(options: NoticeWatchOptions): Promise<EvictionNotice | null> {
  const { machine, log, signal, intervalMs = NOTICE_INTERVAL_MS } = options;
  const { shell } = machine;
  if (shell === null) return null;
  let withoutService = 0;
  while (!signal.aborted) {
    try {
      const { output } = await shell.run(NOTICE_COMMAND, signal, { timeoutMs: NOTICE_LIMIT_MS });
      const reading = readNotice(output, Date.now());
      if (reading.kind === 'notice') return { endsAtMs: reading.endsAtMs };
      withoutService = reading.kind === 'no_service' ? withoutService + 1 : 0;
    } catch (error) {
      if (signal.aborted) return null;
      // Without a connection nothing can be read; the attachment opens it again.
      log.debug({ err: error }, 'no notice could be read');
    }
    await pause(withoutService < LOOKS_WITHOUT_SERVICE ? intervalMs : WITHOUT_SERVICE_INTERVAL_MS, signal);
  }
  return null;
}

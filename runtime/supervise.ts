/**
 * The supervisor process: `deckhand supervise`, started by a command that needs a runtime and finds none.
 *
 * It is a process of its own so that a runtime can outlive the command that started it (`--keep`) and so that killing a command never
 * leaves half a runtime. It ends when no client holds it, on request, or on SIGTERM; then it ends every child, in order.
 */
import { rmSync } from 'node:fs';
import { asDeckhandError } from '../domain/errors.ts';
import { ensureHome } from '../platform/config.ts';
import type { Config } from '../platform/config.ts';
import { createLogger } from '../platform/log.ts';
import { identify } from '../platform/processes/process-identity.ts';
import { writeFileAtomically } from '../platform/processes/records.ts';
import { claimHome, Supervisor } from './supervisor/supervisor.ts';
import { encryptedSinceMs } from '../platform/temporal/encrypted-since.ts';
import { composeRuntime } from './compose.ts';
import { ControlServer } from './control-server.ts';
import { controlFilePath, runtimeFilePath } from '../platform/runtime-info.ts';
import type { ControlFile } from '../platform/runtime-info.ts';
import { ALL_SERVICES } from './services.ts';
import type { ServiceSet } from './services.ts';

/** How long a supervisor waits for the first command to hold it. */
const FIRST_HOLD_MS = 10_000;
/** Beyond this the children are left to their guards, which end them within their grace. */
const STOP_LIMIT_MS = 8_000;

/** What a supervisor runs. */
export interface SuperviseOptions {
  readonly models: string;
  readonly set?: ServiceSet;
}

/** Runs the supervisor of this data directory until it is to end; returns at once if there is one already. */
export async function runSupervisor(config: Config, options: SuperviseOptions): Promise<void> {
  const log = createLogger('supervisor', config);
  ensureHome(config);
  const lock = claimHome(config.home);
  if (lock === undefined) return;

  const end = new AbortController();
  const ended = new Promise<void>((resolveEnd) => {
    end.signal.addEventListener('abort', () => resolveEnd(), { once: true });
  });
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => end.abort());
  const supervisor = new Supervisor(config.home, (event) => {
    log.info(event, `child ${event.type}`);
    if (event.type === 'exited') control.tell({ ...event, type: 'restart' });
  });
  const control = new ControlServer({ onEnd: () => end.abort(), statuses: () => supervisor.statuses() });
  const self = identify(process.pid);
  if (self === undefined) throw new Error('this process cannot be identified');
  const file: ControlFile = { ...self, port: await control.listen(), token: control.token };
  rmSync(runtimeFilePath(config.home), { force: true });
  writeFileAtomically(controlFilePath(config.home), JSON.stringify(file));
  setTimeout(() => {
    if (!control.wanted) end.abort();
  }, FIRST_HOLD_MS).unref();

  const start = async (): Promise<void> => {
    try {
      await supervisor.endLeftovers();
      // Before any client can reach Temporal: unencrypted payloads are refused from here on.
      encryptedSinceMs(config, log);
      const runtime = await composeRuntime({
        config,
        models: options.models,
        set: options.set ?? ALL_SERVICES,
        supervisor,
        onProgress: (message) => control.announce({ type: 'progress', message }),
      });
      writeFileAtomically(runtimeFilePath(config.home), `${JSON.stringify(runtime, null, 2)}\n`);
      control.announce({ type: 'ready', runtime });
      log.info({ apiUrl: runtime.apiUrl }, 'runtime ready');
    } catch (error) {
      if (end.signal.aborted) return;
      const failure = asDeckhandError(error);
      log.error({ err: failure }, 'runtime did not start');
      const { code, message, userMessage, hint } = failure;
      const shown = failure.code === 'internal' ? message : userMessage;
      // A start can fail before the command that wants it has connected; it must not take that for "not there" and try again.
      await Promise.race([control.held, ended]);
      control.announce({ type: 'failed', code, message, userMessage: shown, ...(hint === undefined ? {} : { hint }) });
      end.abort();
    }
  };
  void start();
  await ended;

  control.beginEnd();
  // A stuck child must not keep the data directory: its guard ends it when this process goes.
  setTimeout(() => process.exit(1), STOP_LIMIT_MS).unref();
  await supervisor.stopAll();
  rmSync(runtimeFilePath(config.home), { force: true });
  rmSync(controlFilePath(config.home), { force: true });
  await control.close();
  log.info('runtime ended');
  lock.release();
}

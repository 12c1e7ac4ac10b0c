/**
 * Temporal's runtime of a worker process, with the SDK's own metrics where they are wanted: served by the SDK itself, on a port of the
 * process' own, and announced in the data directory, so that the API shows them with everything else.
 */
import { Runtime, type RuntimeOptions } from '@temporalio/worker';
import getPort from 'get-port';
import type { Config } from '../../platform/config.ts';
import type { Logger } from '../../platform/log.ts';
import { privateLoopbackAddress } from '../../platform/private-loopback.ts';
import { announceWorkerMetrics } from '../../platform/worker-metrics.ts';

/** Between finding a port free and binding it another process may take it. */
const MOST_TRIES = 5;

/** Durations in seconds and counters that end in _total, as Prometheus names them. */
const CONVENTIONS = { countersTotalSuffix: true, unitSuffix: true, useSecondsForDurations: true };

/**
 * Installs the runtime. A worker works also where its metrics cannot be served: then that is logged.
 *
 * @returns takes back what was announced
 */
export async function installRuntime(
  name: string,
  config: Pick<Config, 'workerMetrics' | 'home'>,
  log: Logger,
  options: RuntimeOptions,
): Promise<() => void> {
  for (let left = config.workerMetrics === 'off' ? 0 : MOST_TRIES; left > 0; left -= 1) {
    const bindAddress = config.workerMetrics === 'on' ? await privateAddress() : config.workerMetrics;
    try {
      Runtime.install({
        ...options,
        telemetryOptions: {
          ...options.telemetryOptions,
          metrics: { prometheus: { bindAddress, ...CONVENTIONS }, attachServiceName: false },
        },
      });
    } catch (error) {
      log.warn({ err: error, bindAddress }, 'metrics cannot be served there');
      continue;
    }
    return announce(name, config.home, bindAddress, log);
  }
  Runtime.install(options);
  return () => undefined;
}

/** The SDK asks for no key, so it listens where web pages do not find it. The API, which asks for one, is told. */
async function privateAddress(): Promise<string> {
  const host = await privateLoopbackAddress();
  return `${host}:${await getPort({ host })}`;
}

/** Where the data directory cannot be written, as in a container of its own, the scraper has to be configured with the address. */
function announce(name: string, home: string, bindAddress: string, log: Logger): () => void {
  try {
    return announceWorkerMetrics(home, name, `http://${bindAddress.replace(/^0\.0\.0\.0:/u, '127.0.0.1:')}/metrics`);
  } catch (error) {
    log.info({ err: error, bindAddress }, 'the metrics of this worker are not announced');
    return () => undefined;
  }
}

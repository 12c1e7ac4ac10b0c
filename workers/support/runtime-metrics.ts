/**
 * Temporal's runtime of a worker process, and the address where this process serves its metrics: what it counts, and those of Temporal's SDK, which
 * the SDK itself serves on another port. The address is announced in the data directory, so that the API shows everything in one scrape.
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Runtime, type RuntimeOptions } from '@temporalio/worker';
import getPort from 'get-port';
import type { Config } from '../../platform/config.ts';
import type { Logger } from '../../platform/log.ts';
import { privateLoopbackAddress } from '../../platform/private-loopback.ts';
import { processMetricsText } from '../../platform/process-metrics.ts';
import { announceWorkerMetrics } from '../../platform/worker-metrics.ts';

/** Between finding a port free and binding it another process may take it. */
const MOST_TRIES = 5;
/** The SDK is in this process: it answers at once or not at all. */
const SDK_LIMIT_MS = 1000;

/** Durations in seconds and counters that end in _total, as Prometheus names them. */
const CONVENTIONS = { countersTotalSuffix: true, unitSuffix: true, useSecondsForDurations: true };

/**
 * Installs the runtime, and serves metrics unless they are switched off. A worker works also where its metrics cannot be served: then that is
 * logged.
 *
 * @returns ends the server and removes the announcement
 */
export async function installRuntime(
  name: string,
  config: Pick<Config, 'workerMetrics' | 'home'>,
  log: Logger,
  options: RuntimeOptions,
): Promise<() => void> {
  if (config.workerMetrics === 'off') {
    Runtime.install(options);
    return () => undefined;
  }
  // Neither address asks for a key, so they are where web pages do not find them. The API, which asks for one, is told.
  const host = await privateLoopbackAddress();
  const sdkUrl = await installWithMetrics(host, log, options);
  try {
    const server = await serve(config.workerMetrics === 'on' ? `${host}:0` : config.workerMetrics, sdkUrl);
    const { address, port } = server.address() as AddressInfo;
    const url = `http://${address === '0.0.0.0' ? '127.0.0.1' : address}:${port}/metrics`;
    const takeBack = announce(name, config.home, url, log);
    return () => {
      takeBack();
      server.close();
    };
  } catch (error) {
    log.warn({ err: error, address: config.workerMetrics }, 'metrics cannot be served there');
    return () => undefined;
  }
}

/** Installs the runtime with the SDK's metrics. Answers where they are; null where they cannot be served. */
async function installWithMetrics(host: string, log: Logger, options: RuntimeOptions): Promise<string | null> {
  for (let left = MOST_TRIES; left > 0; left -= 1) {
    const bindAddress = `${host}:${await getPort({ host })}`;
    try {
      Runtime.install({
        ...options,
        telemetryOptions: {
          ...options.telemetryOptions,
          metrics: { prometheus: { bindAddress, ...CONVENTIONS }, attachServiceName: false },
        },
      });
      return `http://${bindAddress}/metrics`;
    } catch (error) {
      log.warn({ err: error, bindAddress }, 'the metrics of the SDK cannot be served there');
    }
  }
  Runtime.install(options);
  return null;
}

/** Serves what this process counts, followed by the SDK's. The server keeps no process alive. @throws when the address is taken */
async function serve(address: string, sdkUrl: string | null): Promise<Server> {
  const server = createServer((_, response) => {
    void metricsText(sdkUrl).then((text) =>
      response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' }).end(text),
    );
  });
  const [host = '', port = ''] = address.split(/:(?=\d+$)/u);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(Number(port), host, resolve);
  });
  return server.unref();
}

async function metricsText(sdkUrl: string | null): Promise<string> {
  return [await processMetricsText(), sdkUrl === null ? '' : await sdkText(sdkUrl)].join('\n');
}

/** What the SDK shows; nothing while it does not answer, so that the own metrics are there all the same. */
async function sdkText(url: string): Promise<string> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(SDK_LIMIT_MS) });
    return response.ok ? await response.text() : '';
  } catch {
    return '';
  }
}

/** A data directory that cannot be written, as in a container of its own, is no error: Prometheus is told the address by its configuration. */
function announce(name: string, home: string, url: string, log: Logger): () => void {
  try {
    return announceWorkerMetrics(home, name, url);
  } catch (error) {
    log.info({ err: error, url }, 'the metrics of this worker are not announced');
    return () => undefined;
  }
}

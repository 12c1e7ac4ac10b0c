/** Readiness probes: does the child do its work yet? Each asks once and answers within its limit; a failure is "not yet". */
import { connect } from 'node:net';

const PROBE_TIMEOUT_MS = 1_000;

/** True if something accepts a TCP connection there. */
export function tcpAnswers(host: string, port: number): Promise<boolean> {
  return new Promise((resolveProbe) => {
    const socket = connect({ host, port });
    const finish = (answered: boolean): void => {
      socket.destroy();
      resolveProbe(answered);
    };
    socket.setTimeout(PROBE_TIMEOUT_MS, () => finish(false));
    socket.once('connect', () => finish(true));
    socket.once('error', () => finish(false));
  });
}

/** True if an HTTP server answers there with anything but a server error. */
export async function httpAnswers(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) });
    await response.body?.cancel();
    return response.status < 500;
  } catch {
    return false;
  }
}

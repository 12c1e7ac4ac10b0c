/** Faults without an answer: the connection is closed, or stays silent. */
import type { Clock } from './clock.ts';

export class ConnectionFault extends Error {
  readonly how: 'closed' | 'silent';

  constructor(how: 'closed' | 'silent') {
    super(how === 'closed' ? 'the other side closed the connection' : 'no answer');
    this.name = 'ConnectionFault';
    this.how = how;
  }
}

/** The error of `fetch` when the connection is closed. */
const closedError = (): TypeError =>
  new TypeError('fetch failed', {
    cause: Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' }),
  });

/** The error of `fetch` when the client's own time limit has passed. */
const timeoutError = (): DOMException => new DOMException('The operation was aborted due to timeout', 'TimeoutError');

/** Like the global `fetch`, over what answers requests: an answer that does not come is an error as undici's, or the caller's reason. */
export const fetchOver =
  (answer: (request: Request) => Promise<Response>, clock: Pick<Clock, 'kind'>): SimulatedFetch =>
  async (input, init) => {
    const request = new Request(input, init);
    request.signal.throwIfAborted();
    try {
      return await answer(request);
    } catch (error) {
      if (!(error instanceof ConnectionFault)) throw error;
      if (error.how === 'closed') throw closedError();
      if (clock.kind === 'real') await new Promise((resolve) => request.signal.addEventListener('abort', resolve));
      throw request.signal.aborted ? request.signal.reason : timeoutError();
    }
  };

type SimulatedFetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

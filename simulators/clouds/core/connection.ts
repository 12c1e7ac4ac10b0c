/**
 * Faults without an answer: the connection is closed, or stays silent.
 */

export class ConnectionFault extends Error {
  readonly how: 'closed' | 'silent';

  constructor(how: 'closed' | 'silent') {
    super(how === 'closed' ? 'the other side closed the connection' : 'no answer');
    this.name = 'ConnectionFault';
    this.how = how;
  }
}

/** The error of `fetch` when the connection is closed. */
export const closedError = (): TypeError =>
  new TypeError('fetch failed', {
    cause: Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' }),
  });

/** The error of `fetch` when the client's own time limit has passed. */
export const timeoutError = (): DOMException =>
  new DOMException('The operation was aborted due to timeout', 'TimeoutError');

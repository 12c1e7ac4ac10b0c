/**
 * Faults that are no answer: the connection is cut, or nothing ever comes.
 */

export class ConnectionFault extends Error {
  readonly how: 'closed' | 'silent';

  constructor(how: 'closed' | 'silent') {
    super(how === 'closed' ? 'the other side closed the connection' : 'no answer');
    this.name = 'ConnectionFault';
    this.how = how;
  }
}

/** What a client's `fetch` rejects with when the connection is closed under it. */
export const closedError = (): TypeError =>
  new TypeError('fetch failed', {
    cause: Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' }),
  });

/** As if the client's own time limit had passed. */
export const timeoutError = (): DOMException =>
  new DOMException('The operation was aborted due to timeout', 'TimeoutError');

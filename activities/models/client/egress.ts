/**
 * Whether a connection to a model server may leave the network of the installation.
 *
 * A model server is sent slides. Each connection is checked by the address that it is made to, after the name was resolved and before a byte is
 * sent, so that a name which resolves elsewhere the next time is refused then. No proxy of the environment is asked: undici's agent reads none.
 */
import type { lookup } from 'node:dns';
import { isIP } from 'node:net';
import { Agent, buildConnector } from 'undici';
import { DeckhandError } from '../../../domain/errors.ts';
import { isInsideAddress, type Reach } from '../../../domain/models/inside-address.ts';
import { checkedLookup } from '../../../platform/checked-lookup.ts';

const CONNECT_TIMEOUT_MS = 10_000;

/** How far connections may go to a server. @param dataLeavesHost somebody allowed that slides leave for it */
export const reachWith = (dataLeavesHost: boolean): Reach => (dataLeavesHost ? 'allowed' : 'inside');

/** The network and its names. Tests have another one, as all that they can listen on is inside. */
export interface Network {
  readonly isInside: (address: string) => boolean;
  readonly resolve?: typeof lookup;
}

const OWN_NETWORK: Network = { isInside: isInsideAddress };

/** How a server outside is allowed, for people. */
export const ALLOW_HINT =
  'Where slides may leave, say so: --data-leaves of `models add`, "dataLeavesHost": true of the server in models.json or of the endpoint in the fleet file, or DECKHAND_DATA_LEAVES_HOST=true for OLLAMA_HOST and DECKHAND_STATIC_HOSTS.';

/** The refusal of a connection. */
function wouldLeave(host: string, address: string): DeckhandError {
  const message = `${host} is outside your network${host === address ? '' : ` (${address})`}: slides would leave it.`;
  return new DeckhandError('data_would_leave', message, { userMessage: message, hint: ALLOW_HINT });
}

/** The way to one model server. */
export class Egress {
  readonly #reach: Reach;
  readonly #network: Network;
  readonly #onOutside: (host: string, address: string) => void;
  #outsideHost: string | null = null;

  /** @param onOutside called once, when the first connection has left the network */
  constructor(
    reach: Reach = 'inside',
    onOutside: (host: string, address: string) => void = () => undefined,
    network: Network = OWN_NETWORK,
  ) {
    this.#reach = reach;
    this.#onOutside = onOutside;
    this.#network = network;
  }

  get reach(): Reach {
    return this.#reach;
  }

  /** Name of the host outside to which a connection was made; null = none has left the network. */
  get outsideHost(): string | null {
    return this.#outsideHost;
  }

  /** An agent without limits of its own for answers. Its connections fail with `data_would_leave` where they may not be made. */
  agent(): Agent {
    const { isInside, resolve } = this.#network;
    const accepts = (address: string): boolean => this.#reach !== 'inside' || isInside(address);
    const connect = buildConnector({
      timeout: CONNECT_TIMEOUT_MS,
      lookup: checkedLookup({ accepts, refusal: wouldLeave, resolve }),
    });
    return new Agent({
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: (options, callback) => {
        const { hostname } = options;
        // An address is not looked up.
        if (isIP(hostname) !== 0 && !accepts(hostname)) return callback(wouldLeave(hostname, hostname), null);
        connect(options, (...[error, socket]) => {
          if (error !== null) return callback(error, null);
          this.#note(hostname, socket.remoteAddress ?? 'an address not known');
          callback(null, socket);
        });
      },
    });
  }

  #note(host: string, address: string): void {
    if (this.#reach === 'ours' || this.#outsideHost !== null || this.#network.isInside(address)) return;
    this.#outsideHost = host;
    this.#onOutside(host, address);
  }
}

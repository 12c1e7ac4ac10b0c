/** Resolves names for a connection without the addresses that it must not be made to. */
import { lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';

/** Which addresses of a name may be connected to. */
export interface AddressCheck {
  readonly accepts: (address: string) => boolean;
  /** The error of a name all of whose addresses are refused. @param address one of them */
  readonly refusal: (hostname: string, address: string) => Error;
  /** Asks for all addresses of a name; the system's resolver by default. */
  readonly resolve?: typeof lookup | undefined;
}

/**
 * The lookup of a socket. What it answers is what the socket connects to, so a name that has changed its addresses since it was checked
 * elsewhere passes no other way.
 */
export function checkedLookup({ accepts, refusal, resolve = lookup }: AddressCheck): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, found) => {
      if (error !== null) return callback(error, []);
      const addresses = found.filter(({ address }) => accepts(address));
      const [first] = addresses;
      if (first === undefined) return callback(refusal(hostname, found[0]?.address ?? 'no address'), []);
      if (options.all === true) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}

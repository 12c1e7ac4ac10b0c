/**
 * Addresses for local servers that require no key. Web pages can reach 127.0.0.1 and try its ports, but not sixteen million addresses.
 * Programs of this machine can find such an address: it keeps out web pages, not other users.
 */
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

const USUAL_ADDRESS = '127.0.0.1';

/** A random address of this machine's loopback network, or 127.0.0.1 on systems that have no other (macOS). */
export async function privateLoopbackAddress(): Promise<string> {
  const address = `127.${randomInt(1, 255)}.${randomInt(0, 256)}.${randomInt(1, 255)}`;
  return (await canListen(address)) ? address : USUAL_ADDRESS;
}

function canListen(host: string): Promise<boolean> {
  return new Promise((resolveListen) => {
    const server = createServer();
    server.once('error', () => resolveListen(false));
    server.listen(0, host, () => server.close(() => resolveListen(true)));
  });
}

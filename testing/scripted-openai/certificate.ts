/** A certificate that a test makes itself, in the few parts of DER that one needs. */
import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { isIP } from 'node:net';

/** Key and certificate as PEM; the certificate is its own authority. */
export interface Certificate {
  readonly key: string;
  readonly cert: string;
}

const DAY_MS = 86_400_000;

/** @param name host or IPv4 address that it is for @param isExpired whether its time is over */
export function makeCertificate(name: string, isExpired: boolean): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const fromMs = Date.now() - 30 * DAY_MS;
  const toMs = Date.now() + (isExpired ? -DAY_MS : 30 * DAY_MS);
  const subject = sequence(der(0x31, sequence(COMMON_NAME, der(0x0c, Buffer.from(name)))));
  const names = isIP(name) === 4 ? der(0x87, Buffer.from(name.split('.').map(Number))) : der(0x82, Buffer.from(name));
  const extensions = sequence(
    sequence(ALTERNATIVE_NAMES, der(0x04, sequence(names))),
    sequence(BASIC_CONSTRAINTS, der(0x04, sequence(TRUE))),
  );
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    sequence(ECDSA_WITH_SHA256),
    subject,
    sequence(time(fromMs), time(toMs)),
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, extensions),
  );
  const signature = der(0x03, Buffer.concat([Buffer.from([0]), sign('sha256', body, privateKey)]));
  const text = sequence(body, sequence(ECDSA_WITH_SHA256), signature).toString('base64');
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${text.replace(/.{64}/gu, '$&\n')}\n-----END CERTIFICATE-----\n`,
  };
}

function der(tag: number, ...parts: Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

const sequence = (...parts: Uint8Array[]): Buffer => der(0x30, ...parts);
const time = (ms: number): Buffer =>
  der(0x17, Buffer.from(`${new Date(ms).toISOString().slice(2, 19).replace(/[-:T]/gu, '')}Z`));

const TRUE = der(0x01, Buffer.from([0xff]));
const COMMON_NAME = der(0x06, Buffer.from([0x55, 4, 3]));
const ALTERNATIVE_NAMES = der(0x06, Buffer.from([0x55, 0x1d, 0x11]));
const BASIC_CONSTRAINTS = der(0x06, Buffer.from([0x55, 0x1d, 0x13]));
const ECDSA_WITH_SHA256 = der(0x06, Buffer.from([0x2a, 0x86, 0x48, 0xce, 0x3d, 4, 3, 2]));

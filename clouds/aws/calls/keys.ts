/**
 * Calls on SSH keys. A key's name is unique in its region, and is its id.
 */
import { z } from 'zod';
import { providerError } from '../../errors.ts';
import type { CloudSshKey } from '../../provider.ts';
import { command, query } from '../http/query.ts';
import { refusalCode } from '../../http/refused.ts';
import type { AwsTransport } from '../http/transport.ts';
import { id, requiredList, text } from '../http/xml.ts';

const keyPairs = z
  .object({ keySet: requiredList(z.object({ keyName: id, publicKey: text })) })
  .transform(({ keySet }) => keySet.map(({ keyName, publicKey }) => ({ name: keyName, publicKey: publicKey.trim() })));

interface KeyPair {
  readonly name: string;
  readonly publicKey: string;
}

/** Keys of a region with their public halves. */
const listKeyPairs = (http: AwsTransport, region: string): Promise<readonly KeyPair[]> =>
  query(http, { kind: 'read', region, action: 'DescribeKeyPairs', input: { IncludePublicKey: true } }, keyPairs);

/** Keys that every region has: one that a region lacks is not there for a caller who needs it everywhere. */
export async function listKeysEverywhere(
  http: AwsTransport,
  regions: readonly string[],
): Promise<readonly CloudSshKey[]> {
  const [first = [], ...others] = await Promise.all(regions.map((region) => listKeyPairs(http, region)));
  const isEverywhere = (key: KeyPair): boolean =>
    others.every((keys) => keys.some((one) => one.name === key.name && sameKey(one.publicKey, key.publicKey)));
  return first.filter(isEverywhere).map(({ name, publicKey }) => ({ id: name, name, publicKey }));
}

/**
 * Makes sure that a region has the key.
 *
 * @param mayReplace another key of that name is one that this installation no longer has
 * @throws DeckhandError `provider_config` when the name belongs to a key of others
 */
export async function ensureKeyPair(
  http: AwsTransport,
  region: string,
  { name, publicKey, mayReplace }: KeyPair & { readonly mayReplace: boolean },
): Promise<void> {
  try {
    return await importKeyPair(http, region, name, publicKey);
  } catch (error) {
    if (refusalCode(error) !== 'InvalidKeyPair.Duplicate') throw error;
  }
  const there = (await listKeyPairs(http, region)).find((key) => key.name === name);
  if (there !== undefined && sameKey(there.publicKey, publicKey)) return;
  if (!mayReplace) {
    throw providerError('config', `${region} has another key of the name ${name}`, {
      hint: 'Delete that key in the AWS console, or choose another name.',
    });
  }
  await removeKeyPair(http, region, name);
  await importKeyPair(http, region, name, publicKey);
}

const importKeyPair = (http: AwsTransport, region: string, name: string, publicKey: string): Promise<void> =>
  command(http, {
    region,
    action: 'ImportKeyPair',
    input: { KeyName: name, PublicKeyMaterial: Buffer.from(publicKey, 'utf8').toString('base64') },
  });

/** Deleting a key that is not there succeeds. */
export const removeKeyPair = (http: AwsTransport, region: string, name: string): Promise<void> =>
  command(http, { region, action: 'DeleteKeyPair', input: { KeyName: name } });

/** Comments of a key do not make another key. */
const sameKey = (a: string, b: string): boolean => keyBody(a) === keyBody(b);
const keyBody = (line: string): string => line.trim().split(/\s+/u).slice(0, 2).join(' ');

/**
 * Calls on SSH keys. A key's name is unique in its region, and is its id.
 */
import { z } from 'zod';
import { command, query } from '../http/query.ts';
import type { AwsTransport } from '../http/transport.ts';
import { id, requiredList, text } from '../http/xml.ts';

const keyPairs = z
  .object({ keySet: requiredList(z.object({ keyName: id, publicKey: text })) })
  .transform(({ keySet }) => keySet.map(({ keyName, publicKey }) => ({ name: keyName, publicKey: publicKey.trim() })));

/** Keys of a region with their public halves. */
export const listKeyPairs = (
  http: AwsTransport,
  region: string,
): Promise<readonly { readonly name: string; readonly publicKey: string }[]> =>
  query(http, { kind: 'read', region, action: 'DescribeKeyPairs', input: { IncludePublicKey: true } }, keyPairs);

/** @throws DeckhandError `provider_config` when the name is taken */
export const importKeyPair = (http: AwsTransport, region: string, name: string, publicKey: string): Promise<void> =>
  command(http, {
    region,
    action: 'ImportKeyPair',
    input: { KeyName: name, PublicKeyMaterial: Buffer.from(publicKey, 'utf8').toString('base64') },
  });

/** Deleting a key that is not there succeeds. */
export const removeKeyPair = (http: AwsTransport, region: string, name: string): Promise<void> =>
  command(http, { region, action: 'DeleteKeyPair', input: { KeyName: name } });

/** Key pairs: import, describe, delete. */
import { createHash } from 'node:crypto';
import type { AccountKey, Call } from '../account.ts';
import { awsId } from '../catalogue.ts';
import { AwsError } from '../errors.ts';
import { coreTags, filters, listOf, passes, read, tagSpecifications, text } from '../parameters.ts';
import { isoTime, setOf, type XmlTree } from '../xml.ts';
import { tagSet } from './instance-item.ts';

const keyTree = (key: AccountKey): Record<string, XmlTree> => ({
  keyPairId: key.id,
  keyName: key.name,
  keyFingerprint: key.fingerprint,
  tagSet: tagSet(key.tags),
});

const PUBLIC_KEY = /^(ssh-rsa|ssh-ed25519) ([A-Za-z0-9+/]+={0,2})(?: .*)?$/su;

export function importKeyPair(call: Call): XmlTree {
  const p = read(call.parameters, { KeyName: text, PublicKeyMaterial: text, TagSpecification: tagSpecifications });
  const { cloud, account } = call.sim;
  if (Object.values(account.keys).some((k) => k.region === call.region && k.name === p.KeyName))
    throw new AwsError('InvalidKeyPair.Duplicate', `The keypair '${p.KeyName}' already exists.`);
  const publicKey = Buffer.from(p.PublicKeyMaterial, 'base64').toString().trim();
  const blob = PUBLIC_KEY.exec(publicKey)?.[2];
  if (blob === undefined) throw new AwsError('InvalidKey.Format', 'Key is not in valid OpenSSH public key format');
  const key: AccountKey = {
    id: awsId('key', cloud.state.random),
    name: p.KeyName,
    region: call.region,
    publicKey,
    fingerprint: createHash('sha256').update(Buffer.from(blob, 'base64')).digest('base64'),
    createdAtMs: call.nowMs,
    tags: coreTags(p.TagSpecification),
  };
  account.keys[key.id] = key;
  return keyTree(key);
}

export function describeKeyPairs(call: Call): XmlTree {
  const p = read(call.parameters, {
    KeyName: listOf(text),
    KeyPairId: listOf(text),
    Filter: filters,
    IncludePublicKey: text.optional(),
  });
  const own = Object.values(call.sim.account.keys).filter((k) => k.region === call.region);
  for (const name of p.KeyName)
    if (!own.some((k) => k.name === name))
      throw new AwsError('InvalidKeyPair.NotFound', `The key pair '${name}' does not exist`);
  for (const id of p.KeyPairId)
    if (!own.some((k) => k.id === id))
      throw new AwsError('InvalidKeyPair.NotFound', `The key pair '${id}' does not exist`);
  const isNamed = (k: AccountKey): boolean =>
    (p.KeyName.length === 0 && p.KeyPairId.length === 0) || p.KeyName.includes(k.name) || p.KeyPairId.includes(k.id);
  const found = own
    .filter(isNamed)
    .filter((k) => passes(p.Filter, { 'key-name': k.name, 'key-pair-id': k.id, fingerprint: k.fingerprint }, k.tags));
  return {
    keySet: setOf(found, (k) => ({
      ...keyTree(k),
      keyType: k.publicKey.startsWith('ssh-rsa') ? 'rsa' : 'ed25519',
      createTime: isoTime(k.createdAtMs),
      publicKey: p.IncludePublicKey === 'true' ? k.publicKey : undefined,
    })),
  };
}

/** Succeeds also when there is no such key, as EC2 does. */
export function deleteKeyPair(call: Call): XmlTree {
  const p = read(call.parameters, { KeyName: text.optional(), KeyPairId: text.optional() });
  const { keys } = call.sim.account;
  const key = Object.values(keys).find(
    (k) => k.region === call.region && (k.name === p.KeyName || k.id === p.KeyPairId),
  );
  if (key !== undefined) delete keys[key.id];
  return { return: true, keyPairId: key?.id };
}

/**
 * SSH keys at AWS, which every region has for itself.
 */
import { partOf } from '../../../../clouds/parts.ts';
import { describe, expect, it } from 'vitest';
import { answerOf, providerOf, PUBLIC_KEY, refusal, scriptedAws } from './scripted-aws.ts';
import { codeOf } from '../scripted-api.ts';

const ok = (action: string) => (): string => answerOf(action, '<return>true</return>');

describe('SSH keys at AWS', () => {
  const keys = (...items: readonly (readonly [string, string])[]): string =>
    answerOf(
      'DescribeKeyPairs',
      `<keySet>${items.map(([name, key]) => `<item><keyName>${name}</keyName><publicKey>${key}&#10;</publicKey></item>`).join('')}</keySet>`,
    );
  const NAME = 'dh-abc1-ssh-key';
  const OTHER = `ssh-ed25519 ${'B'.repeat(68)} other`;

  it('are imported into every region under their name', async () => {
    const api = await scriptedAws({ ImportKeyPair: ok('ImportKeyPair') });
    expect(await partOf(providerOf(api), 'sshKeys').add(NAME, PUBLIC_KEY)).toBe(NAME);
    expect(api.of('ImportKeyPair').map(({ region }) => region)).toEqual(['eu-west-1', 'us-east-1']);
    const material = api.seen[0]?.form['PublicKeyMaterial'] ?? '';
    expect(Buffer.from(material, 'base64').toString()).toBe(PUBLIC_KEY);
  });

  it('that are there already are fine', async () => {
    const api = await scriptedAws({
      ImportKeyPair: () => refusal('InvalidKeyPair.Duplicate'),
      DescribeKeyPairs: () => keys([NAME, PUBLIC_KEY.replace(' dh', ' another comment')]),
    });
    expect(await partOf(providerOf(api), 'sshKeys').add(NAME, PUBLIC_KEY)).toBe(NAME);
    expect(api.of('DeleteKeyPair')).toEqual([]);
  });

  it('of ours that are out of date are replaced', async () => {
    const api = await scriptedAws({
      ImportKeyPair: (_call, nth) => (nth === 1 ? refusal('InvalidKeyPair.Duplicate') : ok('ImportKeyPair')()),
      DescribeKeyPairs: () => keys([NAME, OTHER]),
      DeleteKeyPair: ok('DeleteKeyPair'),
    });
    await partOf(providerOf(api, { settings: { regions: ['eu-west-1'] } }), 'sshKeys').add(NAME, PUBLIC_KEY);
    expect(api.seen.map(({ action }) => action)).toEqual([
      'ImportKeyPair',
      'DescribeKeyPairs',
      'DeleteKeyPair',
      'ImportKeyPair',
    ]);
  });

  it('of others are never replaced', async () => {
    const api = await scriptedAws({
      ImportKeyPair: () => refusal('InvalidKeyPair.Duplicate'),
      DescribeKeyPairs: () => keys(['theirs', OTHER]),
    });
    expect(await codeOf(partOf(providerOf(api), 'sshKeys').add('theirs', PUBLIC_KEY))).toBe('provider_config');
    expect(api.of('DeleteKeyPair')).toEqual([]);
  });

  it('are listed where every region has them', async () => {
    const api = await scriptedAws({
      DescribeKeyPairs: ({ region }) =>
        region === 'eu-west-1'
          ? keys([NAME, PUBLIC_KEY], ['half', PUBLIC_KEY])
          : keys([NAME, PUBLIC_KEY], ['half', OTHER]),
    });
    expect(await partOf(providerOf(api), 'sshKeys').list()).toEqual([{ id: NAME, name: NAME, publicKey: PUBLIC_KEY }]);
  });

  it('are deleted in every region', async () => {
    const api = await scriptedAws({
      DeleteKeyPair: ({ region }) =>
        region === 'eu-west-1' ? refusal('InvalidKeyPair.NotFound') : ok('DeleteKeyPair')(),
    });
    await partOf(providerOf(api), 'sshKeys').delete(NAME);
    expect(api.of('DeleteKeyPair')).toHaveLength(2);
  });
});

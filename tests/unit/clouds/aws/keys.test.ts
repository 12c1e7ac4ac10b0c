/**
 * SSH keys at AWS, which every region has for itself, and what AWS does not have at all.
 */
import { describe, expect, it } from 'vitest';
import { answerOf, failureOf, providerOf, PUBLIC_KEY, refusal, scriptedAws } from './scripted-aws.ts';

const ID = 'eu-west-1/i-0abc';
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
    expect(await providerOf(api).addSshKey(NAME, PUBLIC_KEY)).toBe(NAME);
    expect(api.of('ImportKeyPair').map(({ region }) => region)).toEqual(['eu-west-1', 'us-east-1']);
    const material = api.seen[0]?.form['PublicKeyMaterial'] ?? '';
    expect(Buffer.from(material, 'base64').toString()).toBe(PUBLIC_KEY);
  });

  it('that are there already are fine', async () => {
    const api = await scriptedAws({
      ImportKeyPair: () => refusal('InvalidKeyPair.Duplicate'),
      DescribeKeyPairs: () => keys([NAME, PUBLIC_KEY.replace(' dh', ' another comment')]),
    });
    expect(await providerOf(api).addSshKey(NAME, PUBLIC_KEY)).toBe(NAME);
    expect(api.of('DeleteKeyPair')).toEqual([]);
  });

  it('of ours that are out of date are replaced', async () => {
    const api = await scriptedAws({
      ImportKeyPair: (_call, nth) => (nth === 1 ? refusal('InvalidKeyPair.Duplicate') : ok('ImportKeyPair')()),
      DescribeKeyPairs: () => keys([NAME, OTHER]),
      DeleteKeyPair: ok('DeleteKeyPair'),
    });
    await providerOf(api, { settings: { regions: ['eu-west-1'] } }).addSshKey(NAME, PUBLIC_KEY);
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
    expect((await failureOf(providerOf(api).addSshKey('theirs', PUBLIC_KEY))).code).toBe('provider_config');
    expect(api.of('DeleteKeyPair')).toEqual([]);
  });

  it('are listed where every region has them', async () => {
    const api = await scriptedAws({
      DescribeKeyPairs: ({ region }) =>
        region === 'eu-west-1'
          ? keys([NAME, PUBLIC_KEY], ['half', PUBLIC_KEY])
          : keys([NAME, PUBLIC_KEY], ['half', OTHER]),
    });
    expect(await providerOf(api).listSshKeys()).toEqual([{ id: NAME, name: NAME, publicKey: PUBLIC_KEY }]);
  });

  it('are deleted in every region', async () => {
    const api = await scriptedAws({
      DeleteKeyPair: ({ region }) =>
        region === 'eu-west-1' ? refusal('InvalidKeyPair.NotFound') : ok('DeleteKeyPair')(),
    });
    await providerOf(api).deleteSshKey(NAME);
    expect(api.of('DeleteKeyPair')).toHaveLength(2);
  });
});

describe('what AWS does not have', () => {
  it('is told without a call', async () => {
    const api = await scriptedAws({});
    const provider = providerOf(api);
    expect(await provider.balance()).toBeNull();
    expect((await provider.availability('spot')).typesByLocation).toEqual({});
    expect(await provider.billOf('instance', ID)).toBeNull();
    expect(await provider.madeSince(0)).toBeNull();
    expect([await provider.listScripts(), await provider.listTrashedVolumes()]).toEqual([[], []]);
    expect((await failureOf(provider.addScript('n', 's'))).code).toBe('provider_config');
    expect(api.seen).toEqual([]);
  });
});

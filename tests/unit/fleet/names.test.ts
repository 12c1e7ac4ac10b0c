/** Names at the provider: deterministic, DNS-safe, and read back exactly. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  deploymentPoolOf,
  MAX_HOSTNAME_LENGTH,
  isOurSshKey,
  makeDeploymentName,
  makeHostname,
  makeOsVolumeName,
  makeScriptName,
  makeSshKeyName,
  ownerOf,
  scriptFingerprintOf,
  volumeOwnerOf,
} from '../../../domain/fleet/provider/names.ts';
import { forAll } from '../../../testing/property.ts';

const installation = fc.stringMatching(/^[a-z0-9]{4,12}$/u);
const instance = fc.stringMatching(/^[a-z][a-z0-9]{0,11}-[1-9][0-9]{0,3}$/u);
const attempt = fc.integer({ min: 1, max: 9_999_999 });

it('reads back exactly what it made, and nothing of another installation', () =>
  forAll([installation, installation, instance, attempt], (ours, theirs, name, number) => {
    const hostname = makeHostname(ours, name, number);
    expect(hostname.length).toBeLessThanOrEqual(MAX_HOSTNAME_LENGTH);
    expect(hostname).toMatch(/^[a-z0-9]+(?:-[a-z0-9]+)*$/u);
    expect(ownerOf(hostname, ours)).toEqual({ instance: name, attempt: number });
    expect(volumeOwnerOf(makeOsVolumeName(hostname), ours)).toEqual({ instance: name, attempt: number });
    if (ours !== theirs) {
      expect(ownerOf(hostname, theirs)).toBeNull();
      expect(volumeOwnerOf(makeOsVolumeName(hostname), theirs)).toBeNull();
    }
  }));

it('gives different creates different names', async () => {
  const made = fc.tuple(instance, attempt);
  await forAll([made, made], (a, b) => {
    fc.pre(a[0] !== b[0] || a[1] !== b[1]);
    expect(makeHostname('abc1', ...a)).not.toBe(makeHostname('abc1', ...b));
  });
});

it.each([
  'dh-abc12-visual-1-1',
  'dh-abc-visual-1-1',
  'xdh-abc1-visual-1-1',
  'dh-abc1-visual-1-1x',
  'dh-abc1-visual-1-01',
  'dh-abc1-visual-1-0',
  'dh-abc1-1',
  'dh-abc1',
  'dh-abc1--1',
  'dh-abc1-Visual-1',
  'my-dh-abc1-visual-1-1',
  'dh-abc1-visual-1-1.example.org',
  '',
])('an installation takes "%s" for no host name of installation abc1', (hostname) => {
  expect(ownerOf(hostname, 'abc1')).toBeNull();
});

it('reads back the pool of a deployment, and takes none of another installation for its own', () =>
  forAll(
    [installation, installation, fc.stringMatching(/^[a-z][a-z0-9]{0,9}(?:-[a-z0-9]{1,9}){0,2}$/u)],
    (ours, theirs, pool) => {
      expect(deploymentPoolOf(makeDeploymentName(ours, pool), ours)).toBe(pool);
      if (ours !== theirs) expect(deploymentPoolOf(makeDeploymentName(ours, pool), theirs)).toBeNull();
    },
  ));

it.each([
  'dh-abc12-visual',
  'dh-abc1',
  'dh-abc1-',
  'my-dh-abc1-visual',
  'dh-abc1-Visual',
  'dh-abc1-a--b',
  'visual',
  '',
])('an installation takes "%s" for no deployment of installation abc1', (name) =>
  expect(deploymentPoolOf(name, 'abc1')).toBeNull(),
);

it('knows its key and its scripts, and no look-alikes', () => {
  expect(isOurSshKey(makeSshKeyName('abc1'), 'abc1')).toBe(true);
  expect(isOurSshKey(`${makeSshKeyName('abc1')}-2`, 'abc1')).toBe(false);
  expect(scriptFingerprintOf(makeScriptName('abc1', '0a1b2c3d'), 'abc1')).toBe('0a1b2c3d');
  expect(scriptFingerprintOf(makeScriptName('abc1', '0a1b2c3d'), 'abc2')).toBeNull();
  expect(scriptFingerprintOf('dh-abc1-script-0a1b-c3d', 'abc1')).toBeNull();
  expect(ownerOf(makeSshKeyName('abc1'), 'abc1')).toBeNull();
  expect(ownerOf(makeScriptName('abc1', '12345678'), 'abc1')).toBeNull();
});

it('refuses names that would not be read back', () => {
  expect(() => makeHostname('abc', 'visual-1', 1)).toThrow(RangeError);
  expect(() => makeHostname('abc1', 'Visual', 1)).toThrow(RangeError);
  expect(() => makeHostname('abc1', 'visual-1', 0)).toThrow(RangeError);
  expect(() => makeHostname('abc1', 'x'.repeat(60), 1)).toThrow(RangeError);
  expect(() => makeScriptName('abc1', 'not a fingerprint')).toThrow(RangeError);
});

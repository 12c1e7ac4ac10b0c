/**
 * The key of an installation: made once, readable by its owner only, the same for every process.
 */
import { execFile, execFileSync } from 'node:child_process';
import { readdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { installationKey } from '../../activities/gateway/keys.ts';
import { folderPerFile } from '../../testing/per-file.ts';

const dir = folderPerFile();
const MODULE = path.resolve(import.meta.dirname, '../../activities/gateway/keys.ts');

it('the SSH key of an installation is made once and readable by its owner only', () => {
  const home = path.join(dir, 'once');
  const made = installationKey(home, 'fund');
  expect(installationKey(home, 'fund')).toEqual(made);
  expect(statSync(made.path).mode & 0o777).toBe(0o600);
  expect(statSync(path.dirname(made.path)).mode & 0o777).toBe(0o700);
  expect(installationKey(home, 'other').publicKey).not.toBe(made.publicKey);
});

it('the SSH key of an installation has the public half that OpenSSH derives from the private one', () => {
  const { path: file, publicKey } = installationKey(path.join(dir, 'derived'), 'fund');
  const derived = execFileSync('ssh-keygen', ['-y', '-f', file], { encoding: 'utf8' }).trim();
  expect(publicKey.split(' ').slice(0, 2)).toEqual(derived.split(' ').slice(0, 2));
  expect(publicKey).toMatch(/^ssh-ed25519 \S+ deckhand-fund$/u);
});

it('the SSH key of an installation is the same for processes that ask for the first time at once', async () => {
  const home = path.join(dir, 'race');
  const program = `import { installationKey } from ${JSON.stringify(MODULE)}; console.log(installationKey(${JSON.stringify(home)}, 'fund').publicKey)`;
  const runs = Array.from({ length: 6 }, () =>
    promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program]),
  );
  const keys = (await Promise.all(runs)).map((run) => run.stdout);
  expect(new Set(keys).size).toBe(1);
  expect(readdirSync(path.join(home, 'keys'))).toEqual(['fund_ed25519']);
});

it('the SSH key of an installation is not replaced when the file is no key: machines that sleep know the old one only', () => {
  const home = path.join(dir, 'damaged');
  const { path: file } = installationKey(home, 'fund');
  writeFileSync(file, 'damaged');
  expect(() => installationKey(home, 'fund')).toThrow(/no private key/u);
});

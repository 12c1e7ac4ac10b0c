/** The version of a machine's set-up. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { setupVersion } from '../../../domain/fleet/provider/setup-version.ts';
import { startupScript, type StartupScriptOptions } from '../../../domain/fleet/startup-script/startup-script.ts';
import { sha256Hex } from '../../../platform/hash.ts';
import { forAll } from '../../../testing/property.ts';
import { startupOptions } from './startup-options.ts';

const versionOf = (changes: Partial<StartupScriptOptions> = {}, image = 'ubuntu-24.04-cuda-12.8'): string =>
  setupVersion({ script: startupScript(startupOptions(changes)), image }, sha256Hex);

describe('the version of a set-up', () => {
  it('is the same for the same set-up', () => {
    expect(versionOf()).toBe(versionOf());
    expect(versionOf()).toMatch(/^[0-9a-f]{12}$/u);
  });

  it.each<[string, Partial<StartupScriptOptions>, string?]>([
    ['a model', { models: ['gemma3:12b'] }],
    ['the release of Ollama', { ollama: { version: '9.9.9', sha256: 'f'.repeat(64) } }],
    ['a setting of the server', { parallel: 2 }],
    ['a step', { cache: { source: 'nfs.example.org:/a', mountPath: '/mnt/models' } }],
    ['the image', {}, 'ubuntu-22.04-cuda-12.4'],
  ])('is another one after a change of %s', (_what, changes, image) => {
    expect(versionOf(changes, image)).not.toBe(versionOf());
  });

  it('keeps script and image apart, whatever they are', async () => {
    const setup = fc.record({ script: fc.string(), image: fc.string() });
    await forAll([setup, setup], (a, b) => {
      const same = a.script === b.script && a.image === b.image;
      expect(setupVersion(a, sha256Hex) === setupVersion(b, sha256Hex)).toBe(same);
    });
  });
});

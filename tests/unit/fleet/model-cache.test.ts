/** The cache of models on a shared filesystem, as a program: with a mount that is played, on directories of its own. */
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { manifestPath, modelCacheScript } from '../../../domain/fleet/startup-script/model-cache.ts';
import { startupScript } from '../../../domain/fleet/startup-script/startup-script.ts';
import { loadConfig } from '../../../platform/config.ts';
import { sha256Hex } from '../../../platform/hash.ts';
import { runProgram } from '../../../testing/command.ts';
import { folderPerTest } from '../../../testing/per-file.ts';
import { startupOptions } from './startup-options.ts';

const MODEL = 'gemma3:12b';
const LAYERS = ['weights of the model', 'its template'];
const blobName = (text: string): string => `sha256-${sha256Hex(text)}`;
const MANIFEST = JSON.stringify({ layers: LAYERS.map((text) => ({ digest: `sha256:${sha256Hex(text)}` })) });

/** A machine: its store, the shared filesystem, and programs that play `mount` and `mountpoint`. */
function machine(mount: 'there' | 'refused' | 'hangs') {
  const root = folderPerTest();
  const at = (...parts: string[]): string => path.join(root, ...parts);
  mkdirSync(at('bin'));
  mkdirSync(at('mnt', 'deckhand-models'), { recursive: true });
  const program = (name: string, body: string): void => {
    writeFileSync(at('bin', name), `#!/usr/bin/env bash\n${body}\n`);
    chmodSync(at('bin', name), 0o755);
  };
  program('mountpoint', mount === 'there' ? 'exit 0' : 'exit 1');
  program('mount', mount === 'hangs' ? 'exec /bin/sleep 60' : 'exit 32');
  for (const name of ['mount.nfs', 'chown']) program(name, 'exit 0');
  program('sleep', 'exec /bin/sleep 0.1');
  const text = modelCacheScript({ source: 'nfs.example.org:/share', mountPath: '/mnt/models' }, [MODEL], at('store'))
    .replace('MOUNT=/mnt/models', `MOUNT=${at('mnt')}`)
    .replaceAll('timeout -k 5 20 mount', 'timeout -k 1 0.2 mount');
  const run = async (what: 'seed' | 'save'): Promise<string> => {
    const env = { PATH: `${at('bin')}:${loadConfig().environment['PATH'] ?? ''}` };
    const { code, stdout, stderr } = await runProgram('bash', ['-c', text, 'bash', what], env);
    expect(code, stderr).toBe(0);
    return stdout;
  };
  return { at, run, store: at('store'), cache: at('mnt', 'deckhand-models') };
}

/** Puts the model into a store. */
function fill(store: string): void {
  const manifest = path.join(store, 'manifests', manifestPath(MODEL));
  mkdirSync(path.dirname(manifest), { recursive: true });
  mkdirSync(path.join(store, 'blobs'), { recursive: true });
  writeFileSync(manifest, MANIFEST);
  for (const text of LAYERS) writeFileSync(path.join(store, 'blobs', blobName(text)), text);
}

const blobsIn = (store: string): string[] => {
  const dir = path.join(store, 'blobs');
  return existsSync(dir) ? readdirSync(dir).toSorted() : [];
};
const hasModel = (store: string): boolean => existsSync(path.join(store, 'manifests', manifestPath(MODEL)));
const WHOLE = LAYERS.map(blobName).toSorted();

describe('the cache of models', () => {
  it('gives a machine the model, whole', async () => {
    const { run, store, cache } = machine('there');
    fill(cache);
    expect(await run('seed')).toContain('came from it');
    expect([blobsIn(store), hasModel(store)]).toEqual([WHOLE, true]);
    expect(existsSync(path.join(store, 'parts'))).toBe(false);
  });

  it('gives no model whose blob is half written or damaged', async () => {
    const { run, store, cache } = machine('there');
    fill(cache);
    writeFileSync(path.join(cache, 'blobs', blobName(LAYERS[0] ?? '')), 'weights of');
    expect(await run('seed')).toContain('was not copied');
    expect(hasModel(store)).toBe(false);
    expect(blobsIn(store)).not.toContain(blobName(LAYERS[0] ?? ''));
  });

  it.each(['refused', 'hangs'] as const)('leaves the models to be pulled when the mount %s', async (mount) => {
    const { run, store } = machine(mount);
    expect(await run('seed')).toContain('cannot be mounted; the models are pulled');
    expect([blobsIn(store), hasModel(store)]).toEqual([[], false]);
    await run('save');
  });

  it('is not even mounted on a machine that has its models', async () => {
    const { run, store } = machine('hangs');
    fill(store);
    expect(await run('seed')).toBe('');
  });

  it('is filled by machines that write at the same time, and by one after another that died', async () => {
    const { run, store, cache } = machine('there');
    fill(store);
    mkdirSync(path.join(cache, 'parts'), { recursive: true });
    writeFileSync(path.join(cache, 'parts', 'part.dead'), 'weig');
    await Promise.all([run('save'), run('save'), run('save')]);
    expect([blobsIn(cache), hasModel(cache)]).toEqual([WHOLE, true]);
    expect(readdirSync(path.join(cache, 'parts'))).toEqual(['part.dead']);
    for (const text of LAYERS) expect(readFileSync(path.join(cache, 'blobs', blobName(text)), 'utf8')).toBe(text);
    // Another machine can use it.
    const other = machine('there');
    cpSync(cache, other.cache, { recursive: true });
    await other.run('seed');
    expect(hasModel(other.store)).toBe(true);
  });

  it.each([
    ['gemma3:12b', 'registry.ollama.ai/library/gemma3/12b'],
    ['phi4', 'registry.ollama.ai/library/phi4/latest'],
    ['someone/model:1', 'registry.ollama.ai/someone/model/1'],
    ['hf.co/someone/Model-GGUF:Q4_K_M', 'hf.co/someone/Model-GGUF/Q4_K_M'],
  ])('knows where the manifest of %s is', (name, file) => {
    expect(manifestPath(name)).toBe(file);
  });
});

describe('the startup script with a cache', () => {
  const options = startupOptions({
    cache: { source: 'nfs.fin-01.example.org:/share-1', mountPath: '/mnt/models' },
  });

  it('looks into the cache before the model server starts, fills it after the pull, and fits the user data of EC2', () => {
    const script = startupScript(options);
    expect(script.indexOf('systemctl start deckhand-model-cache.service')).toBeLessThan(
      script.indexOf('systemctl restart ollama.service'),
    );
    expect(script).toContain('ExecStartPost=-/usr/local/sbin/deckhand-model-cache save');
    expect(Buffer.byteLength(script)).toBeLessThan(16_384);
    const { cache: _, ...without } = options;
    expect(startupScript(without)).not.toContain('model-cache');
    expect(startupScript({ ...options, models: [] })).not.toContain('model-cache');
  });

  it.each([
    { source: 'nfs.example.org:/a; reboot', mountPath: '/mnt/models' },
    { source: '/dev/sda1', mountPath: '/mnt/models' },
    { source: 'nfs.example.org:/a', mountPath: '/etc' },
    { source: 'nfs.example.org:/a', mountPath: '/mnt/../etc' },
  ])('refuses %j', (cache) => {
    expect(() => startupScript({ ...options, cache })).toThrow(/startup script/u);
  });
});

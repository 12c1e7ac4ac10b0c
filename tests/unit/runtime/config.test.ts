import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ensureHome, loadConfig, normaliseOllamaUrl } from '../../../platform/config.ts';

describe('loadConfig', () => {
  it('has a working default for every setting', () => {
    const config = loadConfig({ HOME: '/home/someone' });
    expect(config.home).toBe(join(config.repositoryDir, '.deckhand'));
    expect(config.blobDir).toBe(join(config.home, 'blobs'));
    expect(config.cacheDir).toBe('/home/someone/.cache/deckhand');
    expect(config).toMatchObject({
      temporalNamespace: 'default',
      apiPort: 8420,
      models: 'reader',
      modelConcurrency: 4,
      renderer: 'pdfium',
      maxUploadBytes: 100 * 1024 * 1024,
      databaseUrl: undefined,
      temporalAddress: undefined,
      ollamaHost: undefined,
      staticHosts: undefined,
    });
  });

  it('takes an empty variable as not set', () =>
    expect(loadConfig({ HOME: '/h', DATABASE_URL: '', DECKHAND_API_PORT: '' }).apiPort).toBe(8420));

  it('puts caches into a directory of the user also without HOME', () => {
    for (const environment of [{ HOME: '' }, { XDG_CACHE_HOME: '/var/cache/me' }, {}])
      expect(loadConfig(environment).cacheDir).toMatch(/^\/.+\/deckhand$/);
  });

  it.each([
    ['DECKHAND_API_PORT', '99999'],
    ['DECKHAND_API_PORT', 'http'],
    ['DECKHAND_MODELS', 'gpt'],
    ['DECKHAND_RENDERER', 'word'],
    ['DATABASE_URL', 'mysql://localhost/x'],
    ['TEMPORAL_ADDRESS', 'localhost'],
    ['DECKHAND_MODEL_CONCURRENCY', '0'],
    ['DECKHAND_MAX_UPLOAD_BYTES', '1.5'],
    ['OLLAMA_HOST', 'http://'],
    ['DECKHAND_STATIC_HOSTS', 'http://a:1,http://'],
    ['DECKHAND_AUTH', 'off'],
    ['DECKHAND_API_URL', 'ftp://deckhand.example'],
    // These are URLs without an origin: taken for one, they would be that of every sandboxed page.
    ['DECKHAND_PUBLIC_URL', 'deckhand.example:443'],
    ['DECKHAND_TEMPORAL_UI_URL', 'localhost:8233'],
  ])('refuses %s=%s by name', (name, value) => {
    expect(() => loadConfig({ HOME: '/h', [name]: value })).toThrowError(
      expect.objectContaining({ code: 'usage', message: expect.stringContaining(name) as unknown }),
    );
  });

  it('refuses an API without keys anywhere but on loopback', () => {
    for (const host of ['0.0.0.0', '::', '192.168.1.5', 'deckhand.example']) {
      expect(() => loadConfig({ HOME: '/h', DECKHAND_AUTH: 'open', DECKHAND_API_HOST: host }), host).toThrowError(
        expect.objectContaining({ code: 'usage', message: expect.stringContaining('DECKHAND_AUTH') as unknown }),
      );
      expect(loadConfig({ HOME: '/h', DECKHAND_API_HOST: host }).auth).toBe('keys');
    }
    for (const host of ['127.0.0.1', 'localhost', '::1'])
      expect(loadConfig({ HOME: '/h', DECKHAND_AUTH: 'open', DECKHAND_API_HOST: host }).auth).toBe('open');
  });

  it('does not print the password of a DATABASE_URL that it refuses', () => {
    const broken = 'postgres:/user:s3cret@host/db';
    expect(() => loadConfig({ HOME: '/h', DATABASE_URL: broken })).toThrowError(
      expect.objectContaining({ message: expect.not.stringContaining('s3cret') as unknown }),
    );
  });

  it('does not print an API key that it refuses', () =>
    expect(() => loadConfig({ HOME: '/h', DECKHAND_API_KEY: 'dh_o_s3cret with a space' })).toThrowError(
      expect.objectContaining({ code: 'usage', message: 'DECKHAND_API_KEY: is not an API key' }),
    ));

  it('reads several model servers', () => {
    const { staticHosts } = loadConfig({ HOME: '/h', DECKHAND_STATIC_HOSTS: 'gpu-1:11434, http://gpu-2:8080/' });
    expect(staticHosts).toEqual(['http://gpu-1:11434', 'http://gpu-2:8080']);
  });
});

it.each([
  ['127.0.0.1', 'http://127.0.0.1:11434'],
  ['127.0.0.1:9999', 'http://127.0.0.1:9999'],
  ['0.0.0.0:11434', 'http://127.0.0.1:11434'],
  ['http://gpu', 'http://gpu'],
  ['https://models.example/ollama/', 'https://models.example/ollama'],
  ['http://gpu:80', 'http://gpu'],
  ['gpu:80', 'http://gpu'],
])('normaliseOllamaUrl reads %s as %s', (text, url) => expect(normaliseOllamaUrl(text)).toBe(url));

it('ensureHome makes the data directory readable by its owner only', () => {
  const parent = mkdtempSync(join(tmpdir(), 'deckhand-config-'));
  try {
    const config = loadConfig({ DECKHAND_HOME: join(parent, 'a', 'b') });
    expect(statSync(ensureHome(config)).mode & 0o777).toBe(0o700);
  } finally {
    rmSync(parent, { recursive: true });
  }
});

it('ensureHome says so when the data directory cannot be made', () => {
  const config = loadConfig({ DECKHAND_HOME: '/dev/null/deckhand' });
  expect(() => ensureHome(config)).toThrowError(expect.objectContaining({ code: 'usage' }));
});

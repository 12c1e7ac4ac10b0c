/** Configuration of processes: what is read, what each process is told, and what a log never holds. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { serverAt } from '../../../domain/models/server-kind.ts';
import { ensureHome, loadConfig, normaliseOllamaUrl } from '../../../platform/config.ts';
import { createLogger } from '../../../platform/log.ts';
import { serviceEnvironment, SERVICES } from '../../../runtime/services.ts';
import { folderPerTest } from '../../../testing/per-file.ts';

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

  it.each([
    [undefined, false],
    ['', false],
    ['false', false],
    ['true', true],
  ])('lets slides leave for the servers in use only where that is said: %j', (text, expected) =>
    expect(loadConfig({ HOME: '/h', DECKHAND_DATA_LEAVES_HOST: text }).dataLeavesHost).toBe(expected),
  );

  it('puts caches into a directory of the user also without HOME', () => {
    for (const environment of [{ HOME: '' }, { XDG_CACHE_HOME: '/var/cache/me' }, {}])
      expect(loadConfig(environment).cacheDir).toMatch(/^\/.+\/deckhand$/);
  });

  it.each([
    ['DECKHAND_API_PORT', '99999'],
    ['DECKHAND_API_PORT', 'http'],
    ['DECKHAND_MODELS', 'GPT 4'],
    ['DECKHAND_RENDERER', 'word'],
    ['DATABASE_URL', 'mysql://localhost/x'],
    ['TEMPORAL_ADDRESS', 'localhost'],
    ['DECKHAND_MODEL_CONCURRENCY', '0'],
    ['DECKHAND_MAX_UPLOAD_BYTES', '1.5'],
    ['OLLAMA_HOST', 'http://'],
    ['DECKHAND_STATIC_HOSTS', 'http://a:1,http://'],
    ['DECKHAND_DATA_LEAVES_HOST', 'perhaps'],
    ['DECKHAND_STATIC_HOSTS', 'openai+gpu-1:8000'],
    ['DECKHAND_STATIC_HOSTS', 'openai+http://user:secret@gpu-1:8000/v1'],
    ['DECKHAND_AUTH', 'off'],
    ['DECKHAND_API_URL', 'ftp://deckhand.example'],
    // These are URLs without an origin: taken for one, they would be that of every sandboxed page.
    ['DECKHAND_PUBLIC_URL', 'deckhand.example:443'],
    ['DECKHAND_TEMPORAL_UI_URL', 'localhost:8233'],
  ])('refuses %s=%s by name', (name, value) =>
    expect(() => loadConfig({ HOME: '/h', [name]: value })).toThrowError(
      expect.objectContaining({ code: 'usage', message: expect.stringContaining(name) as unknown }),
    ),
  );

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
    const { staticHosts } = loadConfig({
      HOME: '/h',
      DECKHAND_STATIC_HOSTS: 'gpu-1:11434, http://gpu-2:8080/, openai+http://GPU-3:8000/v1/',
    });
    expect(staticHosts).toEqual(['http://gpu-1:11434', 'http://gpu-2:8080', 'openai+http://gpu-3:8000']);
    expect(staticHosts?.map(serverAt).at(-1)).toEqual({ kind: 'openai', url: 'http://gpu-3:8000' });
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
  const parent = folderPerTest();
  const config = loadConfig({ DECKHAND_HOME: join(parent, 'a', 'b') });
  expect(statSync(ensureHome(config)).mode & 0o777).toBe(0o700);
});

it('ensureHome says so when the data directory cannot be made', () => {
  const config = loadConfig({ DECKHAND_HOME: '/dev/null/deckhand' });
  expect(() => ensureHome(config)).toThrowError(expect.objectContaining({ code: 'usage' }));
});

const config = loadConfig({
  DECKHAND_HOME: '/somewhere',
  DATACRUNCH_CLIENT_ID: 'my-client',
  DATACRUNCH_CLIENT_SECRET: 'my-secret',
});

/** Processes that are told this value. */
const toldOf = (value: string, settings: typeof config): string[] =>
  SERVICES.filter((service) => Object.values(serviceEnvironment(settings, 'reader', {}, service)).includes(value)).map(
    ({ name }) => name,
  );

it('the credentials of the provider reach the processes that speak to it, and no other', () =>
  expect(toldOf('my-secret', config)).toEqual(['api', 'control']));

it('the keys of endpoints reach the process that speaks to them, and no other; a bad one is not shown', () => {
  const keyed = loadConfig({ DECKHAND_HOME: '/somewhere', DECKHAND_ENDPOINT_KEYS: 'visual=my=secret,text=b' });
  expect(keyed.endpointKeys).toEqual({ visual: 'my=secret', text: 'b' });
  const told = SERVICES.filter(
    (service) => serviceEnvironment(keyed, 'reader', {}, service)['DECKHAND_ENDPOINT_KEYS'] !== undefined,
  );
  expect(told.map((service) => service.name)).toEqual(['gateway']);
  expect(() => loadConfig({ DECKHAND_ENDPOINT_KEYS: 'my-secret' })).toThrow(
    expect.objectContaining({ message: expect.not.stringContaining('my-secret') }),
  );
});

it('the credentials of the provider are told whole or not at all', () => {
  for (const service of SERVICES) {
    const told = serviceEnvironment(config, 'reader', {}, service);
    expect(told['DATACRUNCH_CLIENT_ID'] === undefined).toBe(told['DATACRUNCH_CLIENT_SECRET'] === undefined);
  }
});

describe('the key of the user who starts the runtime', () => {
  const told = (environment: Record<string, string>): string[] =>
    toldOf('dh_o_mine', loadConfig({ DECKHAND_HOME: '/somewhere', DECKHAND_API_KEY: 'dh_o_mine', ...environment }));

  it('reaches the one process that is a client of the API', () => expect(told({})).toEqual(['watch']));

  it('reaches none when it is meant for another machine, whose address no process of this runtime is told', () => {
    const DECKHAND_API_URL = 'https://deckhand.example';
    expect(told({ DECKHAND_API_URL })).toEqual([]);
    const config = loadConfig({ DECKHAND_HOME: '/somewhere', DECKHAND_API_URL });
    for (const service of SERVICES)
      expect(serviceEnvironment(config, 'reader', {}, service)['DECKHAND_API_URL']).toBeUndefined();
  });
});

it('payload keys reach the processes that speak to Temporal, and no other', () => {
  const config = loadConfig({ DECKHAND_HOME: '/somewhere', DECKHAND_PAYLOAD_KEYS: 'k1:secret' });
  expect(toldOf('k1:secret', config)).toEqual(['api', 'control', 'convert', 'gateway']);
});

const SECRET = 'hunter2-hunter2';

/** What a logger writes. */
function written(speak: (log: ReturnType<typeof createLogger>) => void): string {
  let text = '';
  speak(createLogger('test', { logLevel: 'info' }, { write: (line) => (text += line) }));
  return text;
}

const NAMES = ['password', 'databaseUrl', 'apiKey', 'token', 'clientSecret', 'authorization', 'Authorization'];
it.each([...NAMES, 'client_secret', 'access_token', 'refresh_token'])(
  'a log never holds a secret under %s, at the top and one level down',
  (name) => {
    const line = written((log) => log.info({ [name]: SECRET, request: { [name]: SECRET, path: '/v1' } }, 'a call'));
    expect(line).toContain('"path":"/v1"');
    expect(line).toContain(`"${name}":"[secret]"`);
    expect(line).not.toContain(SECRET);
  },
);

it('a log never holds a secret also from a child that carries the secret with it', () => {
  const line = written((log) => log.child({ credentials: { clientSecret: SECRET } }).info('opened'));
  expect(line).toContain('opened');
  expect(line).not.toContain(SECRET);
});

/** Nothing is sent outside the network unless somebody allowed it: real sockets, and a server that records what reaches it. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it, vi } from 'vitest';
import { Egress, type Network } from '../../../activities/models/client/egress.ts';
import type { ModelServer } from '../../../activities/models/client/model-server.ts';
import { kindOfServer, openModelServer } from '../../../activities/models/client/open.ts';
import { runTrial } from '../../../activities/models/client/trial.ts';
import { DeckhandError } from '../../../domain/errors.ts';
import type { Reach } from '../../../domain/models/inside-address.ts';
import { SERVER_KINDS } from '../../../domain/models/server-kind.ts';
import { networkOf, OUTSIDE, outsideServer, resolving } from '../../../testing/outside-server.ts';
import { serveForTest } from '../../../testing/server.ts';

const { signal } = new AbortController();
const SLIDE = 'the words of a slide';

const OPERATIONS: Readonly<Record<string, (server: ModelServer) => Promise<unknown>>> = {
  version: (server) => server.version({ signal }),
  inspect: (server) => server.inspect('m', { signal }),
  capabilities: (server) => server.capabilities('m', { signal }),
  file: (server) => server.file('m', { signal }),
  bytesOnDisk: (server) => server.bytesOnDisk('m', { signal }),
  running: (server) => server.running({ signal }),
  findLoaded: (server) => server.findLoaded('m', 4096, { signal }),
  load: (server) => server.load('m', { numCtx: 4096, loadTimeoutMs: 10_000 }, { signal }),
  pull: (server) => server.pull('m', { signal }),
  metrics: async (server) => server.metrics?.({ signal }),
  chat: (server) => {
    const request = { model: 'm', windowTokens: 4096, system: '', user: SLIDE, schema: null, mostTokens: 10 };
    return runTrial(server, { ...request, thinking: 'leave' }, signal);
  },
};
/** A server of OpenAI's protocol loads and pulls nothing, and says so without asking. */
const UNASKED: ReadonlySet<string> = new Set(['openai load', 'openai pull', 'ollama metrics']);
const CALLS = SERVER_KINDS.flatMap((kind) =>
  Object.entries(OPERATIONS)
    .filter(([name]) => !UNASKED.has(`${kind} ${name}`))
    .map(([name, call]) => [kind, name, call] as const),
);

const codeOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => 'answered',
    (error: unknown) => (error instanceof DeckhandError ? error.code : error),
  );

const place = (kind: (typeof SERVER_KINDS)[number], url: string, reach: Reach, network: Network = networkOf()) =>
  openModelServer({ kind, url, key: 'sesame', egress: new Egress(reach, undefined, network) });

it.each(CALLS)(
  '%s: %s sends nothing to a server outside, by its address, by its name, or by TLS',
  async (kind, _, call) => {
    const outside = await outsideServer();
    for (const url of [
      `http://${OUTSIDE}:${outside.port}`,
      `http://models.example:${outside.port}`,
      `https://models.example:${outside.port}`,
      `https://${OUTSIDE}:${outside.port}/v1`,
    ])
      expect(await codeOf(call(place(kind, url, 'inside'))), url).toBe('data_would_leave');
    expect([outside.connections(), outside.received()]).toEqual([0, '']);
  },
);

it.each(SERVER_KINDS)('%s: a server outside is asked where that is allowed, or where it is ours', async (kind) => {
  for (const [reach, left] of [
    ['allowed', 'models.example'],
    ['ours', null],
  ] as const) {
    const outside = await outsideServer();
    const onOutside = vi.fn();
    const egress = new Egress(reach, onOutside, networkOf());
    const server = openModelServer({ kind, url: `http://models.example:${outside.port}`, egress });
    expect(server.outsideHost()).toBeNull();
    // It answers nothing that can be read; what counts is that it is reached.
    for (let call = 0; call < 2; call += 1) await expect(OPERATIONS['chat']?.(server)).rejects.toThrow();
    expect(outside.received()).toContain(SLIDE);
    expect(server.outsideHost()).toBe(left);
    expect(onOutside.mock.calls).toEqual(left === null ? [] : [['models.example', OUTSIDE]]);
  }
});

const answersOllama = () =>
  serveForTest((_, answer) => answer.writeHead(200, { 'content-type': 'application/json' }).end('{"version":"1"}'));
const portOf = (url: string): string => new URL(url).port;

it('a name that resolves elsewhere at the next connection is refused then', async () => {
  const port = portOf(await answersOllama());
  const network = networkOf(resolving(['127.0.0.1'], [OUTSIDE]));
  const server = place('ollama', `http://models.example:${port}`, 'inside', network);
  expect(await server.version({ signal })).toBe('1');
  expect(server.outsideHost()).toBeNull();
  expect(await codeOf(server.version({ signal }))).toBe('data_would_leave');
});

it('only the addresses inside are tried of a name that has others outside', async () => {
  const outside = await outsideServer();
  const network = networkOf(resolving([OUTSIDE, '127.0.0.1', OUTSIDE]));
  // It listens inside as well, and there it is asked.
  const url = `http://models.example:${outside.port}`;
  const server = place('ollama', url, 'inside', network);
  expect(await codeOf(server.version({ signal }))).not.toBe('data_would_leave');
  expect(outside.connections()).toBe(1);
  expect(server.outsideHost()).toBeNull();
});

it.each(SERVER_KINDS)('%s: a redirect from a server inside to one outside is not followed', async (kind) => {
  const outside = await outsideServer();
  const url = await serveForTest((_, answer) =>
    answer.writeHead(307, { location: `http://${OUTSIDE}:${outside.port}/` }).end(),
  );
  for (const reach of ['inside', 'allowed'] as const)
    expect(await codeOf(OPERATIONS['chat']?.(place(kind, url, reach)) ?? Promise.resolve())).toBe('model_unreachable');
  expect([outside.connections(), outside.received()]).toEqual([0, '']);
});

it('a proxy of the environment is not asked, not even where Node is told to use it', async () => {
  const proxy = await outsideServer();
  const url = await answersOllama();
  const open = new URL('../../../activities/models/client/open.ts', import.meta.url).href;
  const script = `
    const { openModelServer } = await import(${JSON.stringify(open)});
    const server = openModelServer({ kind: 'ollama', url: ${JSON.stringify(url)} });
    console.log(await server.version({ signal: new AbortController().signal }));`;
  const proxyUrl = `http://127.0.0.1:${proxy.port}`;
  const environment = Object.fromEntries(
    ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy', 'all_proxy'].map((name) => [
      name,
      proxyUrl,
    ]),
  );
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], {
    env: { ...environment, NODE_USE_ENV_PROXY: '1' },
  });
  expect(stdout.trim()).toBe('1');
  expect(proxy.connections()).toBe(0);
});

it('the refusal names host and address, and how a server outside is allowed', async () => {
  const named = place('ollama', 'http://models.example:11434', 'inside', networkOf(resolving(['203.0.113.7'])));
  await expect(named.version({ signal })).rejects.toMatchObject({
    code: 'data_would_leave',
    userMessage: 'models.example is outside your network (203.0.113.7): slides would leave it.',
    hint: expect.stringContaining('--data-leaves') as unknown,
  });
});

it.each(['203.0.113.7', '[2001:db8::7]', '0.0.0.0', '[64:ff9b::a00:1]'])(
  'without settings, and with the network as it is, %s is refused',
  async (host) => {
    const { hostname } = new URL(`http://${host}`);
    const server = openModelServer({ kind: 'ollama', url: `http://${host}:11434` });
    await expect(server.version({ signal })).rejects.toMatchObject({
      code: 'data_would_leave',
      userMessage: `${hostname.replace(/^\[|\]$/gu, '')} is outside your network: slides would leave it.`,
    });
  },
);

it('the kind of a server outside is not asked for', async () => {
  const wish = { url: 'http://203.0.113.7:8000', keyFile: null, dataLeavesHost: false };
  await expect(kindOfServer(wish, signal)).rejects.toMatchObject({ code: 'data_would_leave' });
});

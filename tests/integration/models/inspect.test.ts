/**
 * Inspecting, loading, unloading and pulling over real sockets, with answers as servers give them.
 */
import { expect, it } from 'vitest';
import { openModelServer } from '../../../activities/models/client/open.ts';
import { codeOf } from '../../../testing/refusal.ts';
import { json, lines, silence, stallsAfter, withServer } from './scripted-server.ts';

const context = { signal: new AbortController().signal };
const load = { numCtx: 4096, loadTimeoutMs: 20_000 };

it('a model is described with its digest, its abilities and its server', () =>
  withServer({ capabilities: ['completion', 'vision'] }, async (server) => {
    expect(await openModelServer({ kind: 'ollama', url: server.host }).inspect('scripted', context)).toEqual({
      name: 'scripted:latest',
      digest: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
      capabilities: ['completion', 'vision'],
      family: 'llama',
      serverVersion: '0.24.0',
      trainedWindowTokens: null,
    });
  }));

it.each([
  ['that the server refuses to show', { '/api/show': json(404, { error: "model 'scripted' not found" }) }],
  ['that stands in no list', { '/api/tags': json(200, { models: [] }) }],
] as const)('a model %s is not ready', (_name, paths) =>
  withServer({ paths }, async (server) => {
    expect(await codeOf(openModelServer({ kind: 'ollama', url: server.host }).inspect('scripted', context))).toBe(
      'model_not_ready',
    );
  }),
);

it('a model in memory is listed with window and sizes', () =>
  withServer({ loadedWith: 8192 }, async (server) => {
    const [model] = await openModelServer({ kind: 'ollama', url: server.host }).running(context);
    expect(model).toMatchObject({
      name: 'scripted:latest',
      sizeBytes: 1000,
      vramBytes: 900,
      windowTokens: 8192,
    });
  }));

it('a server that does not answer is left when the caller gives up', () =>
  withServer({ paths: { '/api/version': silence } }, async (server) => {
    const controller = new AbortController();
    const reason = new Error('enough');
    const ended = expect(
      openModelServer({ kind: 'ollama', url: server.host }).version({ signal: controller.signal }),
    ).rejects.toBe(reason);
    await server.arrived('/api/version');
    controller.abort(reason);
    await ended;
    await server.abandoned();
  }));

it.each([
  [502, 'model_unreachable'],
  [503, 'model_busy'],
  [500, 'model_crashed'],
])('a server that answers %i is %s', (status, code) =>
  withServer({ paths: { '/api/version': json(status, { error: 'hm' }) } }, async (server) => {
    expect(await codeOf(openModelServer({ kind: 'ollama', url: server.host }).version(context))).toBe(code);
  }),
);

it('loading asks for the fixed window and keeps the model', () =>
  withServer({}, async (server) => {
    expect(
      await openModelServer({ kind: 'ollama', url: server.host }).load('scripted', load, context),
    ).toBeGreaterThanOrEqual(0);
    expect(server.requests[0]?.body).toMatchObject({ messages: [], keep_alive: -1, options: { num_ctx: 4096 } });
  }));

it('loading that fails for want of memory leaves the model not ready', () =>
  withServer(
    { load: json(500, { error: 'model requires more system memory (11.0 GiB) than is available (7.2 GiB)' }) },
    async (server) =>
      expect(await codeOf(openModelServer({ kind: 'ollama', url: server.host }).load('scripted', load, context))).toBe(
        'model_not_ready',
      ),
  ));

it('pulling reports its progress and ends with success', () =>
  withServer(
    {
      paths: {
        '/api/pull': lines([
          { status: 'pulling manifest' },
          { status: 'pulling 4fa551d4f938', digest: 'sha256:4fa5', total: 100, completed: 40 },
          { status: 'success' },
        ]),
      },
    },
    async (server) => {
      const progress: unknown[] = [];
      await openModelServer({ kind: 'ollama', url: server.host }).pull('scripted', {
        ...context,
        onProgress: (step) => progress.push(step),
      });
      expect(progress).toEqual([
        { status: 'pulling manifest', completedBytes: null, totalBytes: null },
        { status: 'pulling 4fa551d4f938', completedBytes: 40, totalBytes: 100 },
        { status: 'success', completedBytes: null, totalBytes: null },
      ]);
    },
  ));

it('pulling that fails inside its stream leaves the model not ready, with the reason', () =>
  withServer(
    {
      paths: {
        '/api/pull': lines([{ status: 'pulling manifest' }, { error: 'pull model manifest: file does not exist' }]),
      },
    },
    async (server) => {
      const call = openModelServer({ kind: 'ollama', url: server.host }).pull('scripted', context);
      await expect(call).rejects.toThrow(/file does not exist/);
      expect(await codeOf(call)).toBe('model_not_ready');
    },
  ));

it('pulling is dropped when it is cancelled', () =>
  withServer({ paths: { '/api/pull': stallsAfter('') } }, async (server) => {
    const controller = new AbortController();
    const ended = expect(
      openModelServer({ kind: 'ollama', url: server.host }).pull('scripted', { signal: controller.signal }),
    ).rejects.toThrow('stop');
    await server.arrived('/api/pull');
    controller.abort(new Error('stop'));
    await ended;
    await server.abandoned();
  }));

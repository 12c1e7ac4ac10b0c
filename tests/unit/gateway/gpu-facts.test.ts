/**
 * What a diagnosis learns of a machine of which parts do not answer: each part that fails is a fact, and the others are still asked.
 */
import { expect, it } from 'vitest';
import { openModelServer } from '../../../activities/models/client/open.ts';
import { collectGpuFacts, type GpuFactsOptions } from '../../../activities/gateway/gpu-facts.ts';
import { DeckhandError } from '../../../domain/errors.ts';
import { serveForTest } from '../../../testing/server.ts';
import type { DiagnosisFacts } from '../../../domain/health/gpu/diagnosis/facts.ts';

const MODEL = 'gemma3:12b';
const LISTED = { name: MODEL, model: MODEL, size: 8_000_000_000, digest: 'd', details: {} };

const TIMES = { loadTimeoutMs: 1000, attemptTimeoutMs: 1000 };

/** A model server that answers these paths and fails at all others. */
const modelServer = (answers: Readonly<Record<string, unknown>>): Promise<string> =>
  serveForTest((request, response) => {
    const answer = answers[request.url ?? ''];
    response.writeHead(answer === undefined ? 500 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer ?? { error: 'broken' }));
  });

const factsOf = (url: string, more: Partial<GpuFactsOptions> = {}): Promise<DiagnosisFacts> =>
  collectGpuFacts({
    target: 'visual-0',
    server: openModelServer({ kind: 'ollama', url: url }),
    shell: null,
    models: [{ name: MODEL, numCtx: 4096, weightsGib: 7.6, kvCacheGibPerSlot: 2.5, ...TIMES }],
    parallel: 4,
    generate: null,
    signal: new AbortController().signal,
    ...more,
  });

it('a machine that runs no command: its model server is asked all the same', async () => {
  const url = await modelServer({
    '/api/version': { version: '0.32.7' },
    '/api/tags': { models: [LISTED] },
    '/api/ps': { models: [{ ...LISTED, size_vram: 4_000_000_000 }] },
  });
  const run = (): Promise<never> =>
    Promise.reject(new DeckhandError('host_not_ready', 'the connection to visual-0 was closed'));
  const facts = await factsOf(url, { shell: { run } });
  expect(facts).toMatchObject({
    machine: null,
    machineMessage: 'the connection to visual-0 was closed',
    server: { version: '0.32.7', message: null, isReader: false },
    loaded: [{ name: MODEL, sizeBytes: 8_000_000_000, vramBytes: 4_000_000_000 }],
    models: [{ name: MODEL, installed: true, weightsBytes: 8_000_000_000, cacheFrom: 'configuration' }],
  });
});

it('a model server that does not list its models: whether they are installed is not known, and sizes are those configured', async () => {
  const facts = await factsOf(await modelServer({ '/api/version': { version: '0.32.7' } }));
  expect(facts.models).toMatchObject([{ installed: null, weightsBytes: 7.6 * 1024 ** 3 }]);
  expect(facts).toMatchObject({ machineMessage: null, loaded: [] });
});

it('a model that is not in the list is not installed', async () => {
  const url = await modelServer({ '/api/version': { version: '0.32.7' }, '/api/tags': { models: [] } });
  const facts = await factsOf(url);
  expect(facts.models).toMatchObject([{ installed: false }]);
});

it('a model of vLLM is installed where it is listed, though its size is not said; one that is not listed is missing', async () => {
  const url = await modelServer({
    '/v1/models': { data: [{ id: MODEL, owned_by: 'vllm', root: `/m/a/b@${'0'.repeat(40)}`, max_model_len: 4096 }] },
    '/version': { version: '0.32.0' },
    '/health': {},
  });
  const server = openModelServer({ kind: 'openai', url: `${url}/v1` });
  const facts = await factsOf(url, { server });
  expect(facts.server).toMatchObject({ kind: 'openai', version: 'vLLM 0.32.0', message: null });
  expect(facts.models).toMatchObject([{ installed: true, weightsBytes: 7.6 * 1024 ** 3 }]);
  const models = [{ name: 'phi4', numCtx: 4096, weightsGib: 8, kvCacheGibPerSlot: 1, ...TIMES }];
  expect((await factsOf(url, { server, models })).models).toMatchObject([{ installed: false }]);
});

it('a model is neither installed nor missing on a server that stops answering while it is asked', async () => {
  let lists = 0;
  const url = await serveForTest((request, response) => {
    // Two lists are for its version, one for the models in memory, one for the size; the last one is for the names.
    const isBroken = request.url === '/v1/models' && ++lists === 5;
    response.writeHead(isBroken ? 500 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ data: [{ id: MODEL, owned_by: 'someone' }] }));
  });
  const facts = await factsOf(url, { server: openModelServer({ kind: 'openai', url }) });
  expect(facts.server).toMatchObject({ version: 'OpenAI protocol (someone)', message: null });
  expect(facts.models).toMatchObject([{ installed: null, weightsBytes: 7.6 * 1024 ** 3 }]);
  expect(lists).toBe(5);
});

it('the built-in reader is known by its version, whatever models are asked for', async () => {
  const facts = await factsOf(await modelServer({ '/api/version': { version: '0.24.0-deckhand-reader' } }));
  expect(facts.server.isReader).toBe(true);
});

it('a cancelled diagnosis does not wait for the rest', async () => {
  const cancelled = new AbortController();
  const run = (_command: string, signal: AbortSignal): Promise<never> => {
    cancelled.abort(new Error('enough'));
    return Promise.reject(signal.reason as Error);
  };
  await expect(factsOf('http://127.0.0.1:1', { shell: { run }, signal: cancelled.signal })).rejects.toThrow('enough');
});

/** Servers of OpenAI's protocol tell of themselves, also by odd lists; and the identity of their models. */
import { describe, expect, it } from 'vitest';
import { shownDigest } from '../../../domain/models/identity.ts';
import { failureOf } from '../../../testing/refusal.ts';
import type { ScriptedOpenAiOptions } from '../../../testing/scripted-openai/server.ts';
import { adapterOf, ask, never, started } from './openai-server.ts';

const context = { signal: never };
const REVISION = 'a'.repeat(40);

const digestOn = async (options: ScriptedOpenAiOptions): Promise<string> => {
  const server = await started(options);
  const id = server.settings.models[0]?.id ?? '';
  const { digest } = await adapterOf(server).inspect(id, context);
  expect((await adapterOf(server).inspect(id, context)).digest).toBe(digest);
  expect((await adapterOf(server).findLoaded(id, 2048, context))?.digest).toBe(digest);
  return digest;
};
const tiny = (more: object = {}) => ({ id: 'tiny', ...more });
const meta = (size: number) => ({ meta: { size, n_params: 4, n_vocab: 5, n_ctx_train: 4096 } });

describe('the identity of a model', () => {
  const IDENTITIES: readonly (readonly [what: string, ScriptedOpenAiOptions])[] = [
    ['its name', { models: ['other'] }],
    ['its files', { models: [tiny({ root: '/models/other' })] }],
    ['its revision', { models: [tiny({ root: `Qwen/Qwen3@${REVISION}` })] }],
    ['another revision', { models: [tiny({ root: `Qwen/Qwen3@${'b'.repeat(40)}` })] }],
    ['the engine', { dialect: 'llama-server', models: [tiny(meta(100))] }],
    ['its size', { dialect: 'llama-server', models: [tiny(meta(101))] }],
    ['the fingerprint', { dialect: 'lm-studio', models: ['tiny'] }],
    ['another fingerprint', { dialect: 'hosted', models: ['tiny'] }],
  ];

  it('the identity of a model is the same on two servers that say the same', async () => {
    for (const [, options] of IDENTITIES) expect(await digestOn(options)).toBe(await digestOn(options));
  });

  it('the identity of a model differs with each thing that a server says of it', async () => {
    const digests = await Promise.all(IDENTITIES.map(([, options]) => digestOn(options)));
    expect(new Set(digests).size).toBe(digests.length);
  });

  it('the identity of a model rests on its name unless a revision is named', async () => {
    for (const [what, options] of IDENTITIES)
      expect(shownDigest(await digestOn(options)).includes('by name only'), what).toBe(!what.includes('revision'));
    for (const root of ['Qwen/Qwen3@main', `Qwen/${REVISION}`, `Qwen/Qwen3@${REVISION}/x`])
      expect(shownDigest(await digestOn({ models: [tiny({ root })] }))).toMatch(/by name only/u);
  });
});

describe('a list of models', () => {
  const listing = (data: unknown): ScriptedOpenAiOptions => ({
    script: ({ path }) =>
      path === '/v1/models' ? { kind: 'document', status: 200, body: { object: 'list', data } } : undefined,
  });

  it('a list of models may hold entries that are none', async () => {
    const odd = [
      null,
      7,
      'tiny',
      {},
      { id: 7 },
      { id: '' },
      [],
      { id: 'a', max_model_len: 'long', root: 5, meta: 'none', aliases: 3 },
    ];
    const server = await started(listing([...odd, { id: 'scripted', owned_by: 'vllm', max_model_len: 4096 }]));
    expect(await adapterOf(server).running(context)).toEqual([
      { name: 'a', vramBytes: null, sizeBytes: 0, windowTokens: null },
      { name: 'scripted', vramBytes: null, sizeBytes: 0, windowTokens: 4096 },
    ]);
    expect((await ask(server)).attempts).toBe(1);
  });

  it('the first entry counts where a list names a model twice', async () => {
    const server = await started(listing([tiny({ max_model_len: 100 }), tiny({ max_model_len: 200 })]));
    expect(await adapterOf(server).running(context)).toMatchObject([{ name: 'tiny', windowTokens: 100 }]);
  });

  it.each([[[]], [null]])('a list of models may be empty: %j', async (data) => {
    const server = await started(listing(data));
    expect(await adapterOf(server).running(context)).toEqual([]);
    expect((await failureOf(ask(server))).hint).toBe('The server has no model. Start it with one.');
  });

  it.each([['text'], [7], [{}], [undefined]])(
    'a list that is none is no answer of a model server: %j',
    async (data) => {
      const failure = await failureOf(adapterOf(await started(listing(data))).running(context));
      expect(failure.code).toBe('model_unreachable');
    },
  );

  it('a list of ten thousand models is read without a request to any of them', async () => {
    const models = Array.from({ length: 10_000 }, (_, at) => `model-${at}`);
    const server = await started({ dialect: 'hosted', models });
    expect(await adapterOf(server).running(context)).toHaveLength(10_000);
    expect(server.chats).toHaveLength(0);
    await adapterOf(server).inspect('model-7', context);
    expect(new Set(server.chats.map(({ body }) => (body as { model: string }).model))).toEqual(new Set(['model-7']));
  });
});

it('a page that a server does not have says nothing, also where it comes with status 200', async () => {
  for (const options of [{ dialect: 'hosted' }, { dialect: 'lm-studio' }, { dialect: 'llama-server' }] as const) {
    const server = await started({ ...options, hasMetrics: options.dialect === 'llama-server' });
    const figures = await adapterOf(server).metrics?.(context);
    expect(figures === null, options.dialect).toBe(options.dialect !== 'llama-server');
  }
});

it('a caller that gives up what it asks together with another leaves the other its answer', async () => {
  let isSilent = true;
  const server = await started({ script: () => (isSilent ? { kind: 'silence' } : undefined) });
  const own = new AbortController();
  const [given, kept] = [{ signal: own.signal }, context].map((each) => adapterOf(server).version(each));
  await server.waitFor(({ requests }) => requests.length > 0);
  isSilent = false;
  own.abort(new Error('given up'));
  await expect(given).rejects.toThrow('given up');
  expect(await kept).toContain('vLLM');
});

it('a server that loads, or whose engine is dead, has no version', async () => {
  const codes = await Promise.all(
    [
      { dialect: 'llama-server', state: 'loading' },
      { dialect: 'vllm', state: 'dead' },
    ].map(
      async (options) =>
        (await failureOf(adapterOf(await started(options as ScriptedOpenAiOptions)).version(context))).code,
    ),
  );
  expect(codes).toEqual(['model_not_ready', 'model_busy']);
});

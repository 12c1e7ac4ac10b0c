/** Faults of servers of OpenAI's protocol: each has its class and its words, and nothing is sent but the one request. */
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { openModelServer } from '../../../activities/models/client/open.ts';
import { roomLeft } from '../../../activities/models/client/openai/chat.ts';
import { DeckhandError, type ErrorCode } from '../../../domain/errors.ts';
import { failureOf } from '../../../testing/refusal.ts';
import type { Act } from '../../../testing/scripted-openai/script.ts';
import type { ScriptedOpenAiOptions } from '../../../testing/scripted-openai/server.ts';
import { adapterOf, ask, chatOnce, never, PLAIN_REQUEST, started } from './openai-server.ts';

const document = (status: number, error: unknown): Act => ({ kind: 'document', status, body: { error } });
const plain = (message: string, status = 400): Act => document(status, { message, code: status });
const streamed = (...data: string[]): Act => ({
  kind: 'raw',
  bytes: `HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n${data.map((each) => `data: ${each}\n\n`).join('')}`,
});
const breaking = (how: 'silence' | 'close' | 'reset' | 'error' | 'end', afterTokens = 1): Act => ({
  kind: 'answer',
  breaks: { how, afterTokens },
});
const HALF = '{"choices":[{"index":0,"delta":{"content":"{"}}]}';

const FAULTS: readonly (readonly [what: string, act: Act, code: ErrorCode, words?: RegExp])[] = [
  ['500', { kind: 'refuse', refusal: 'internal' }, 'model_crashed'],
  ['503 while it loads', plain('Loading model', 503), 'model_not_ready'],
  ['503 of a full queue', { kind: 'refuse', refusal: 'overloaded' }, 'model_busy'],
  ['429', { kind: 'refuse', refusal: 'rate_limit' }, 'model_busy'],
  [
    'no quota, by its code',
    document(429, { message: 'Slow down.', code: 'insufficient_quota' }),
    'model_unreachable',
    /no credit left/u,
  ],
  [
    'no quota, by its words',
    plain('You exceeded your current quota, please check your plan.', 429),
    'model_unreachable',
    /no credit left/u,
  ],
  ['402', plain('Insufficient Balance', 402), 'model_unreachable', /no credit left/u],
  ['404 of a model', plain('The model `x` does not exist. Valid aliases: tiny.', 404), 'model_not_ready'],
  ['404 of a path', { kind: 'document', status: 404, body: { detail: 'Not Found' } }, 'model_not_ready'],
  ['a page of a proxy with 200', { kind: 'html', status: 200 }, 'model_unreachable'],
  ['a page of a proxy with 502', { kind: 'html', status: 502 }, 'model_unreachable'],
  [
    'an error hidden behind 200',
    { kind: 'document', status: 200, body: { error: 'Unexpected endpoint' } },
    'model_unreachable',
  ],
  [
    'bytes that are not HTTP',
    { kind: 'raw', bytes: 'SSH-2.0-OpenSSH_9.6\r\n' },
    'model_unreachable',
    /not speak HTTP/u,
  ],
  ['events that are not JSON', streamed('{"choices":['), 'model_crashed'],
  ['a reset before the answer', { kind: 'reset' }, 'model_unreachable'],
  ['a reset within it', breaking('reset'), 'model_unreachable'],
  ['an error event within it', breaking('error'), 'model_crashed'],
  [
    'an error event without words',
    streamed(HALF, '{"error":{"message":"","type":"BadRequestError","code":400}}'),
    'model_input_rejected',
  ],
  ['an error event that is a text', streamed(HALF, '{"error":"upstream is gone"}'), 'model_crashed'],
  ['an end in order without a reason', breaking('end'), 'model_crashed'],
  ['a connection that ends within it', breaking('close'), 'model_unreachable'],
  ['no reason of the end but [DONE]', streamed(HALF, '[DONE]'), 'model_crashed'],
  ['an answer that the server gave up', { kind: 'answer', finish: 'abort' }, 'model_crashed'],
  [
    'an answer that is withheld',
    { kind: 'answer', finish: 'content_filter' },
    'model_input_rejected',
    /content filter/u,
  ],
  ['413', { kind: 'html', status: 413 }, 'model_input_rejected'],
];

describe('a fault of the server', () => {
  it.for(FAULTS)('is told apart and not tried again: %s', async ([, act, code, words = /^The model/u]) => {
    const server = await started({ script: act });
    const failure = await failureOf(chatOnce(server));
    expect(failure.code, failure.message).toBe(code);
    expect(failure.userMessage).toMatch(words);
    expect(server.chats).toHaveLength(1);
    await server.waitFor(({ requests }) => requests.every(({ end }) => end !== null));
  });

  it.each([401, 403])('status %i says whether a key is wanted or refused', async (status) => {
    const server = await started({ script: document(status, 'Unauthorized') });
    const [without, refused] = [
      await failureOf(chatOnce(server)),
      await failureOf(chatOnce(server, { key: 'sk-secret' })),
    ];
    expect(without).toMatchObject({
      code: 'model_unreachable',
      userMessage: `The model server wants a key (${status}).`,
    });
    expect(without.hint).toContain('--key-file');
    expect(refused).toMatchObject({ userMessage: `The model server refuses the key (${status}).` });
    expect(refused.hint).toBe('Correct the key in its file.');
  });

  it('a model that the server does not have is refused with the names of some that it has', async () => {
    const models = Array.from({ length: 10_000 }, (_, at) => `model-${at}`);
    const failure = await failureOf(ask(await started({ models })));
    expect(failure.code).toBe('model_not_ready');
    expect(failure.hint).toContain('model-0, model-1');
    expect(failure.hint?.length).toBeLessThan(1000);
  });

  it('a server of another protocol is named as such', async () => {
    const server = await started({ script: () => ({ kind: 'document', status: 404, body: 'not here' }) });
    const failure = await failureOf(ask(server));
    expect(failure.code).toBe('model_unreachable');
    expect(failure.userMessage).toContain('does not speak OpenAI');
    expect(server.chats).toHaveLength(0);
  });

  it.each([301, 302, 307, 308] as const)(
    'a redirect (%i) to another address is refused, and nothing is sent there',
    async (status) => {
      const elsewhere = await started();
      const server = await started({
        script: () => ({ kind: 'redirect', status, to: `${elsewhere.url}/v1/chat/completions` }),
      });
      const calls = [
        () => chatOnce(server, { key: 'sk-secret' }),
        () => ask(server),
        () => adapterOf(server).version({ signal: never }),
      ];
      for (const call of calls) {
        const failure = await failureOf(call());
        expect(failure.code).toBe('model_unreachable');
        expect(failure.userMessage).toContain('is not followed');
      }
      expect(server.requests).toHaveLength(3);
      expect([elsewhere.connections, elsewhere.bytesReceived]).toEqual([0, 0]);
    },
  );

  it.each([
    ['17', 17_000, 17_000],
    [new Date(Date.now() + 60_000).toUTCString(), 50_000, 60_000],
    ['86400', 900_000, 900_000],
    ['soon', undefined, undefined],
  ])(
    'a refusal by 429 with Retry-After %s asks for a pause, believed up to a limit',
    async (retryAfter, least, most) => {
      const server = await started({ script: { kind: 'refuse', refusal: 'rate_limit', retryAfter } });
      const { code, retryAfterMs } = await failureOf(chatOnce(server));
      expect(code).toBe('model_busy');
      if (least === undefined) expect(retryAfterMs).toBeUndefined();
      else {
        expect(retryAfterMs).toBeGreaterThanOrEqual(least);
        expect(retryAfterMs).toBeLessThanOrEqual(most);
      }
    },
  );

  it.each([
    ['no headers', { kind: 'silence' }, { firstTokenMs: 100 }],
    ['headers that come too late', { kind: 'answer', headersAfterMs: 60_000 }, { firstTokenMs: 100 }],
    [
      'comments alone',
      { kind: 'answer', breaks: { afterTokens: 0, how: 'silence', pingEveryMs: 10 } },
      { firstTokenMs: 100 },
    ],
    ['nothing more within the answer', breaking('silence'), { betweenTokensMs: 100 }],
    [
      'comments alone within it',
      { kind: 'answer', breaks: { afterTokens: 1, how: 'silence', pingEveryMs: 10 } },
      { betweenTokensMs: 100 },
    ],
    ['one token now and then', { kind: 'answer', msPerToken: 40, text: 'prose' }, { totalMs: 200 }],
  ] as const)('that is silence is ended by the limits of the attempt: %s', async (_, act, limits) => {
    const server = await started({
      script: ({ path, body }) =>
        path.endsWith('completions') && !JSON.stringify(body).includes('one word') ? act : undefined,
    });
    const failure = await failureOf(ask(server, { limits, attempts: 1 }));
    expect(['model_stalled', 'model_too_slow']).toContain(failure.code);
    await server.waitFor(({ chats }) => chats.at(-1)?.end === 'hung_up');
  });
});

describe('prompts that do not fit', () => {
  const SERVERS: readonly ScriptedOpenAiOptions[] = [
    { dialect: 'vllm', vllm: '0.11' },
    { dialect: 'vllm', vllm: '0.27' },
    { dialect: 'vllm', vllm: '0.32' },
    { dialect: 'llama-server' },
    { dialect: 'hosted' },
    { dialect: 'lm-studio' },
  ];
  it.each(SERVERS)('a prompt that is too long is told apart in the words of %o', async (options) => {
    const server = await started({ ...options, contextTokens: 100 });
    const failure = await failureOf(chatOnce(server, { messages: [{ role: 'user', content: 'word '.repeat(400) }] }));
    expect(failure.code).toBe('prompt_too_long');
    expect(server.chats.length).toBeLessThanOrEqual(2);
  });

  it.each([
    "The input (5000 tokens) is longer than the model's context length (4096 tokens).",
    "Requested token count exceeds the model's maximum context length of 4096 tokens. You requested a total of 9000 tokens.",
    'Prompt contains 5000 tokens and 0 draft tokens, too large for model with 4096 maximum context length',
    'Input validation error: `inputs` must have less than 4096 tokens. Given: 5000',
    'Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 5000 `inputs` tokens and 500 `max_new_tokens`',
    'The input token count (5000) exceeds the maximum number of tokens allowed (4096).',
    'Your input exceeds the context window of this model. Please adjust your input and try again.',
    "litellm.ContextWindowExceededError: This model's maximum context length is 4096 tokens.",
  ])('a prompt that is too long is told apart in the words of other servers: %s', async (words) => {
    const server = await started({ script: plain(words) });
    expect((await failureOf(chatOnce(server))).code).toBe('prompt_too_long');
  });

  it('a prompt that is too long is told apart by the code of the error alone', async () => {
    const server = await started({ script: document(400, { message: 'Too much.', code: 'context_length_exceeded' }) });
    expect((await failureOf(chatOnce(server))).code).toBe('prompt_too_long');
  });

  it.each(['0.11', '0.27', '0.32'] as const)(
    'a prompt that is too long together with its answer is sent once more with the room that is left, as vLLM %s',
    async (vllm) => {
      const server = await started({ vllm, contextTokens: 300 });
      await chatOnce(server, { mostTokens: 5000 });
      expect(server.chats).toHaveLength(2);
      const asked = Number(Reflect.get(server.chats[1]?.body ?? {}, 'max_tokens'));
      expect(asked).toBeLessThanOrEqual(300);
      expect(asked).toBeGreaterThan(200);
    },
  );

  it.each([
    [
      'max_tokens=5000 cannot be greater than max_model_len=2048. Please request fewer output tokens.',
      'model_input_rejected',
      2048,
    ],
    [
      'max_tokens is too large: 5000. This model supports at most 4096 completion tokens, whereas you provided 5000.',
      'model_input_rejected',
      4096,
    ],
    [
      'maximum context length is 2048 tokens. However, you requested 5000 output tokens and your prompt contains at least 1500 input tokens',
      'prompt_too_long',
      548,
    ],
    [
      'maximum context length is 4096 tokens. However, you requested 6000 tokens (1000 in the messages, 5000 in the completion).',
      'prompt_too_long',
      3096,
    ],
    [
      'maximum context length of 4096 tokens. You requested 9000 tokens: 4000 tokens from the input messages and 5000 tokens for the completion.',
      'prompt_too_long',
      96,
    ],
    [
      'maximum context length is 2048 tokens. However, your prompt contains at least 2049 input tokens',
      'prompt_too_long',
      null,
    ],
    [
      'maximum context length is 2048 tokens. However, your prompt contains at least 2040 input tokens',
      'prompt_too_long',
      null,
    ],
    ['maximum context length is 99999 tokens and 1 input tokens', 'prompt_too_long', null],
    ['no numbers', 'prompt_too_long', null],
  ] as const)('leaves the room that its refusal says: %s', (words, code, room) => {
    expect(roomLeft(new DeckhandError(code, words), 5000)).toBe(room);
  });
});

describe('a request', () => {
  it('a request bears the key to its server alone, says nothing of this machine, and takes nothing from the environment', async () => {
    const other = await started();
    for (const [name, value] of Object.entries({
      OPENAI_API_KEY: 'sk-environment',
      OPENAI_ADMIN_KEY: 'sk-environment',
      OPENAI_BASE_URL: `${other.url}/v1`,
      OPENAI_ORG_ID: 'org-environment',
      OPENAI_PROJECT_ID: 'project-environment',
      OPENAI_LOG: 'debug',
      OPENAI_CUSTOM_HEADERS: 'x-from: environment\nauthorization: environment\naccept: environment',
    }))
      vi.stubEnv(name, value);
    onTestFinished(() => void vi.unstubAllEnvs());
    const written = [vi.spyOn(console, 'debug'), vi.spyOn(console, 'log'), vi.spyOn(console, 'info')];
    const server = await started({ apiKey: 'sk-right' });
    await ask(server, { key: 'sk-right' });
    await chatOnce(server, { key: 'sk-right' });
    const keyless = await started();
    await ask(keyless);
    for (const { headers } of [...server.requests, ...keyless.requests]) {
      expect(Object.keys(headers).filter((name) => /stainless|openai|x-from|cookie|referer/u.test(name))).toEqual([]);
      expect(JSON.stringify(headers)).not.toMatch(/environment|linux|node\/|v2\d/iu);
    }
    expect(new Set(server.chats.map(({ headers }) => headers.authorization))).toEqual(new Set(['Bearer sk-right']));
    expect(new Set(keyless.requests.map(({ headers }) => headers.authorization))).toEqual(new Set([undefined]));
    expect(other.connections).toBe(0);
    for (const spy of written) expect(spy).not.toHaveBeenCalled();
  });

  it.each([
    [
      'in the middle of the answer',
      { script: { kind: 'answer', text: 'loop', msPerToken: 5, ignoresLimits: true } },
      3,
    ],
    ['while the prompt is read', { script: { kind: 'answer', readMs: 60_000 } }, 0],
    ['before the headers', { dialect: 'hosted', script: { kind: 'answer', readMs: 60_000 } }, 0],
    ['in the queue of vLLM', { slots: 0 }, 0],
    ['in the queue of llama-server', { dialect: 'llama-server', slots: 0 }, 0],
  ] as const)('that is cancelled %s is hung up, and leaves no connection', async (_, options, chunks) => {
    const server = await started(options);
    const own = new AbortController();
    const place = openModelServer({ kind: 'openai', url: server.url });
    const ended = (async () => {
      for await (const part of place.chat(PLAIN_REQUEST, own.signal)) expect(part.end).toBeNull();
    })();
    await server.waitFor(({ chats }) => (chats[0]?.body ?? null) !== null && (chats[0]?.chunks ?? 0) >= chunks);
    own.abort(new Error('taken back'));
    await expect(ended).rejects.toThrow('taken back');
    await server.waitFor(({ chats }) => chats[0]?.end === 'hung_up');
    expect(server.chats).toHaveLength(1);
    await server.waitFor(({ openConnections }) => openConnections === 0);
  });

  it('a request that its reader leaves is hung up', async () => {
    const server = await started({ script: { kind: 'answer', text: 'prose', msPerToken: 5 } });
    for await (const part of adapterOf(server).chat(PLAIN_REQUEST, never)) if (part.text !== '') break;
    await server.waitFor(({ chats }) => chats[0]?.end === 'hung_up');
    await server.waitFor(({ openConnections }) => openConnections === 0);
  });

  it('a request is not sent where its signal has fired', async () => {
    const server = await started();
    const signal = AbortSignal.abort(new Error('taken back'));
    await expect(ask(server, { signal })).rejects.toThrow('taken back');
    expect(server.connections).toBe(0);
  });
});

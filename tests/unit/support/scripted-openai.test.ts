/** Tests of the scripted server with OpenAI's own client, which shares no code with it. */
import { connect } from 'node:net';
import OpenAI from 'openai';
import { Agent, fetch as undiciFetch } from 'undici';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  type ScriptedOpenAi,
  type ScriptedOpenAiOptions,
  startScriptedOpenAi,
} from '../../../testing/scripted-openai/server.ts';

async function started(options: ScriptedOpenAiOptions = {}): Promise<{ server: ScriptedOpenAi; client: OpenAI }> {
  const server = await startScriptedOpenAi(options);
  onTestFinished(() => server.stop());
  const client = new OpenAI({ baseURL: `${server.url}/v1`, apiKey: options.apiKey ?? 'none', maxRetries: 0 });
  return { server, client };
}

const SCHEMA = {
  type: 'object',
  properties: {
    name: { type: 'string', maxLength: 20 },
    rounds: { type: 'array', minItems: 2, items: { type: 'integer' } },
  },
  required: ['name', 'rounds'],
};
const QUESTION = {
  model: 'scripted',
  messages: [{ role: 'user' as const, content: 'Who founded the company?' }],
  response_format: { type: 'json_schema' as const, json_schema: { name: 'answer', schema: SCHEMA } },
};
const STREAMED = { ...QUESTION, stream: true as const, stream_options: { include_usage: true } };
const PICTURE = `data:image/png;base64,${Buffer.from('89504e470d0a1a0a0000', 'hex').toString('base64')}`;
const withPicture = (url: string) => ({
  ...QUESTION,
  messages: [{ role: 'user' as const, content: [{ type: 'image_url' as const, image_url: { url } }] }],
});

/** A stream as text, with what else its chunks say. */
async function read(client: OpenAI, extra: object = {}) {
  const seen = { content: '', thought: '', finish: null as string | null, usage: null as unknown, chunks: 0 };
  for await (const chunk of await client.chat.completions.create({ ...STREAMED, ...extra } as typeof STREAMED)) {
    const [choice] = chunk.choices;
    const delta = (choice?.delta ?? {}) as { content?: string; reasoning?: string; reasoning_content?: string };
    seen.chunks += 1;
    seen.content += delta.content ?? '';
    seen.thought += delta.reasoning ?? delta.reasoning_content ?? '';
    seen.finish = choice?.finish_reason ?? seen.finish;
    seen.usage = chunk.usage ?? seen.usage;
  }
  return seen;
}

/** Events of a stream as they are sent. */
async function rawEvents(server: ScriptedOpenAi): Promise<string[]> {
  const answer = await fetch(`${server.url}/v1/chat/completions`, { method: 'POST', body: JSON.stringify(STREAMED) });
  return (await answer.text()).trimEnd().split('\n\n');
}

const errorOf = (asked: Promise<unknown>): Promise<InstanceType<typeof OpenAI.APIError>> =>
  asked.then(
    () => Promise.reject(new Error('it was answered')),
    (error: InstanceType<typeof OpenAI.APIError>) => error,
  );

const DIALECTS = ['vllm', 'llama-server', 'ollama-v1', 'hosted', 'lm-studio'] as const;

describe('a scripted server', () => {
  it.each(DIALECTS)(
    'a scripted server streams an answer that fits the schema, with its usage, as %s',
    async (dialect) => {
      const { server, client } = await started({ dialect });
      const { content, finish, usage } = await read(client);
      expect(JSON.parse(content)).toEqual({ name: expect.any(String), rounds: [0, 0] });
      expect(finish).toBe('stop');
      expect(usage).toMatchObject({ prompt_tokens: 6, completion_tokens: Math.ceil(content.length / 4) });
      const [request] = server.chats;
      expect(request).toMatchObject({ method: 'POST', body: STREAMED, end: 'answered', remoteAddress: '127.0.0.1' });
      const whole = await client.chat.completions.create(QUESTION);
      expect(whole.choices[0]).toMatchObject({ message: { role: 'assistant', content }, finish_reason: 'stop' });
    },
  );

  it('a scripted server differs in its lists of models, its health and its other paths by dialect', async () => {
    const seen = await Promise.all(
      DIALECTS.map(async (dialect) => {
        const { server, client } = await started({ dialect, contextTokens: 8192 });
        const statuses = ['/health', '/version', '/props', '/slots', '/metrics'].map(
          async (path) => (await fetch(server.url + path)).status,
        );
        const [model] = (await client.models.list()).data;
        return [dialect, { ...model }, await Promise.all(statuses)];
      }),
    );
    const plain = { id: 'scripted', object: 'model', created: expect.any(Number) };
    expect(seen).toEqual([
      [
        'vllm',
        expect.objectContaining({ ...plain, owned_by: 'vllm', root: 'scripted', max_model_len: 8192 }),
        [200, 200, 404, 404, 200],
      ],
      [
        'llama-server',
        expect.objectContaining({
          ...plain,
          owned_by: 'llamacpp',
          meta: expect.objectContaining({ n_ctx: 8192, n_ctx_train: 131_072 }),
        }),
        [200, 404, 200, 200, 200],
      ],
      ['ollama-v1', { ...plain, owned_by: 'library' }, [404, 404, 404, 404, 404]],
      ['hosted', plain, [404, 404, 404, 404, 404]],
      ['lm-studio', { id: 'scripted', object: 'model', owned_by: 'organization_owner' }, [200, 200, 200, 200, 200]],
    ]);
  });

  it('a scripted server names thoughts, roles and fingerprints in its stream as its dialect does', async () => {
    const facts = await Promise.all(
      DIALECTS.map(async (dialect) => {
        const { server } = await started({ dialect, thinks: 'field' });
        const events = await rawEvents(server);
        expect(events.pop()).toBe('data: [DONE]');
        const chunks = events.map((event) => JSON.parse(event.replace('data: ', '')) as Record<string, unknown>);
        const deltas = chunks
          .flatMap((chunk) => chunk['choices'] as { delta: object }[])
          .map(({ delta }) => Object.keys(delta));
        const keys = [...new Set(deltas.flat())].filter((key) => key.startsWith('reasoning'));
        const isNamedOnce = deltas.filter((names) => names.includes('role')).length === 1;
        return [
          dialect,
          keys,
          isNamedOnce,
          typeof chunks[0]?.['system_fingerprint'],
          chunks.at(-1)?.['timings'] !== undefined,
        ];
      }),
    );
    expect(facts).toEqual([
      ['vllm', ['reasoning'], true, 'undefined', false],
      ['llama-server', ['reasoning_content'], true, 'string', true],
      ['ollama-v1', ['reasoning'], false, 'string', false],
      ['hosted', [], true, 'string', false],
      ['lm-studio', ['reasoning_content'], true, 'string', false],
    ]);
  });

  it('a scripted server thinks unless that is switched off, and in the text where the server knows no tags', async () => {
    const { server, client } = await started({ thinks: 'field', vllm: '0.11' });
    expect(await read(client)).toMatchObject({ thought: expect.stringContaining('Let me look') });
    expect(await read(client, { chat_template_kwargs: { enable_thinking: false } })).toMatchObject({ thought: '' });
    server.settings.thinks = 'content';
    expect((await read(client)).content).toMatch(/^<think>\n.*<\/think>\n\n\{/su);
  });

  it('a scripted server refuses a prompt that is too long in the words of its dialect', async () => {
    const words = await Promise.all(
      DIALECTS.filter((dialect) => dialect !== 'ollama-v1').map(async (dialect) => {
        const { client } = await started({ dialect, contextTokens: 5 });
        const { status, code, error } = await errorOf(client.chat.completions.create(QUESTION));
        return [status, code, error];
      }),
    );
    expect(words).toEqual([
      [
        400,
        400,
        expect.objectContaining({ message: expect.stringMatching(/maximum context length is 5 tokens.*at least 6/u) }),
      ],
      [400, 400, expect.objectContaining({ type: 'exceed_context_size_error', n_prompt_tokens: 6, n_ctx: 5 })],
      [400, 'context_length_exceeded', expect.objectContaining({ param: 'messages' })],
      [400, undefined, expect.stringContaining('n_keep: 6>= n_ctx: 5')],
    ]);
    const ollama = await started({ dialect: 'ollama-v1', contextTokens: 5 });
    expect((await ollama.client.chat.completions.create(QUESTION)).usage).toMatchObject({ prompt_tokens: 4 });
  });

  it('a scripted server refuses fields, keys, models and pictures as the hosted API and the others do', async () => {
    const { server, client } = await started({ dialect: 'hosted', isReasoningModel: true, apiKey: 'right' });
    const ask = (extra: object) => errorOf(client.chat.completions.create({ ...QUESTION, ...extra }));
    expect(await ask({ top_k: 5, chat_template_kwargs: {} })).toMatchObject({
      status: 400,
      message: expect.stringContaining('Unrecognized request arguments supplied: top_k, chat_template_kwargs'),
    });
    expect(await ask({ max_tokens: 5 })).toMatchObject({ code: 'unsupported_parameter', param: 'max_tokens' });
    expect(await ask({ temperature: 0 })).toMatchObject({ code: 'unsupported_value', param: 'temperature' });
    expect(await ask({ model: 'other' })).toBeInstanceOf(OpenAI.NotFoundError);
    expect(await ask(withPicture('data:image/png;base64,AAAA'))).toMatchObject({ code: 'invalid_image_format' });
    server.settings.seesImages = false;
    expect(await ask(withPicture(PICTURE))).toBeInstanceOf(OpenAI.BadRequestError);
    server.settings.apiKey = 'another';
    expect(await ask({})).toBeInstanceOf(OpenAI.AuthenticationError);
    const vllm = await started();
    const extra = { top_k: 5, max_tokens: 500 };
    await vllm.client.chat.completions.create({ ...withPicture(PICTURE), ...extra });
    const missing = await errorOf(vllm.client.chat.completions.create({ ...QUESTION, model: 'other' }));
    expect(missing).toMatchObject({ status: 404, error: { type: 'NotFoundError' } });
  });

  it('a scripted server gives each status as its script says, and a page, a document or a redirect', async () => {
    const { server, client } = await started();
    const ask = () => errorOf(client.chat.completions.create(QUESTION));
    const classes = {
      forbidden: OpenAI.PermissionDeniedError,
      rate_limit: OpenAI.RateLimitError,
      internal: OpenAI.InternalServerError,
      overloaded: OpenAI.InternalServerError,
    };
    for (const [refusal, kind] of Object.entries(classes)) {
      server.script = () => ({ kind: 'refuse', refusal: refusal as keyof typeof classes, retryAfter: '7' });
      const error = await ask();
      expect(error).toBeInstanceOf(kind);
      expect(error.headers?.get('retry-after')).toBe('7');
    }
    server.script = () => ({ kind: 'html', status: 502 });
    expect(await ask()).toMatchObject({ status: 502 });
    server.script = ({ ordinal }) =>
      ordinal % 2 === 1 ? { kind: 'redirect', status: 307, to: server.chats[0]?.path ?? '' } : undefined;
    server.requests.length = 0;
    expect((await client.chat.completions.create(QUESTION)).choices).toHaveLength(1);
    expect(server.chats.map(({ end }) => end)).toEqual(['answered', 'answered']);
    server.script = () => ({ kind: 'raw', bytes: 'SSH-2.0-OpenSSH_9.6\r\n' });
    expect(await ask()).toBeInstanceOf(OpenAI.APIConnectionError);
  });

  it.each(['close', 'reset', 'error', 'end', 'silence'] as const)(
    'breaks an answer off by %s after some tokens',
    async (how) => {
      const { server, client } = await started({ script: { kind: 'answer', breaks: { afterTokens: 3, how } } });
      if (how === 'end') {
        expect(await read(client)).toMatchObject({
          finish: null,
          usage: null,
          content: expect.stringMatching(/^.{12}$/su),
        });
      } else if (how === 'silence') {
        const stop = new AbortController();
        const stream = await client.chat.completions.create(STREAMED, { signal: stop.signal });
        await server.waitFor(({ chats }) => chats[0]?.chunks === 4);
        stop.abort();
        for await (const chunk of stream) expect(chunk.object).toBe('chat.completion.chunk');
      } else await expect(read(client)).rejects.toThrow();
      await server.waitFor(({ chats }) => chats[0]?.endedAtMs !== null);
      const ends = { close: 'broken', reset: 'broken', error: 'answered', end: 'answered', silence: 'hung_up' };
      expect(server.chats[0]).toMatchObject({ end: ends[how], chunks: 4 });
      if (how === 'silence') return;
      const whole = await errorOf(client.chat.completions.create(QUESTION));
      expect(whole).toMatchObject(
        how === 'error' ? { status: 500 } : { message: expect.stringMatching(/terminated|Connection error/u) },
      );
    },
  );

  it('a scripted server writes in a loop, white space and floods until the client hangs up, and records that', async () => {
    const { server, client } = await started();
    server.script = ({ ordinal }) =>
      ordinal === 3
        ? { kind: 'flood', bytes: 3e9, as: 'deltas' }
        : { kind: 'answer', text: ordinal === 1 ? 'loop' : 'white_space', ignoresLimits: true };
    for (const seen of ['and so on', '\n', 'xxxx']) {
      let text = '';
      for await (const chunk of await client.chat.completions.create(STREAMED)) {
        text += chunk.choices[0]?.delta.content ?? '';
        if (text.length > 500) break;
      }
      expect(text).toContain(seen);
    }
    await server.waitFor(({ chats }) => chats.every(({ end }) => end !== null));
    expect(server.chats.map(({ end, chunks }) => [end, chunks > 1])).toEqual(Array(3).fill(['hung_up', true]));
    server.script = () => ({ kind: 'answer', text: 'loop' });
    expect(await read(client, { max_tokens: 9 })).toMatchObject({ finish: 'length', usage: { completion_tokens: 9 } });
  });

  it('a scripted server sends comments in a silence', async () => {
    const { server } = await started({
      script: { kind: 'answer', breaks: { afterTokens: 0, how: 'silence', pingEveryMs: 1 } },
    });
    const stop = new AbortController();
    const body = JSON.stringify(STREAMED);
    const answer = await fetch(`${server.url}/v1/chat/completions`, { method: 'POST', body, signal: stop.signal });
    const pieces = answer.body?.getReader();
    const seen = await pieces?.read();
    expect(new TextDecoder().decode(seen?.value)).toMatch(/^(?::\n\n)+$/u);
    stop.abort();
    await server.waitFor(({ chats }) => chats[0]?.end === 'hung_up');
  });

  it('a scripted server tells lies and ignores the schema when its script says so', async () => {
    const { server, client } = await started({
      dialect: 'llama-server',
      models: [{ id: 'scripted', meta: { n_ctx: -1 } }],
    });
    const usage = { prompt_tokens: -5, completion_tokens: '12', total_tokens: 1e308 };
    server.script = () => ({ kind: 'answer', text: 'fence', finish: 'content_filter', usage });
    expect(await read(client)).toMatchObject({
      content: expect.stringContaining('```json'),
      finish: 'content_filter',
      usage,
    });
    server.script = () => ({ kind: 'answer', text: 'prose', usage: null, sendsDone: false });
    expect(await read(client)).toMatchObject({ finish: 'stop', usage: null });
    expect((await rawEvents(server)).at(-1)).toContain('"finish_reason":"stop"');
    expect((await client.models.list()).data[0]).toMatchObject({ meta: { n_ctx: -1 } });
    server.settings.state = 'loading';
    const health = await fetch(`${server.url}/health`);
    expect([health.status, await health.json()]).toEqual([
      503,
      { error: { code: 503, message: 'Loading model', type: 'unavailable_error' } },
    ]);
  });

  it('a scripted server counts connections, bytes and what is in it at a time, and lets requests wait for a slot', async () => {
    const { server, client } = await started({ slots: 1 });
    const silent = connect(server.port, '127.0.0.1');
    await server.waitFor(({ connections }) => connections === 1);
    expect([server.bytesReceived, server.requests]).toEqual([0, []]);
    silent.destroy();
    server.script = ({ ordinal }) =>
      ordinal === 1 ? { kind: 'answer', breaks: { afterTokens: 1, how: 'silence' } } : undefined;
    const stop = new AbortController();
    const held = client.chat.completions.create(STREAMED, { signal: stop.signal });
    await server.waitFor(({ chats }) => chats[0]?.chunks === 2);
    // vLLM sends the head of a stream to those that wait.
    const waiting = await client.chat.completions.create(STREAMED);
    expect(server.chats.map(({ chunks }) => chunks)).toEqual([2, 0]);
    expect(await (await fetch(`${server.url}/metrics`)).text()).toMatch(
      /running\{.*\} 1\.0\n[^]*waiting\{.*\} 1\.0\n/u,
    );
    expect(server).toMatchObject({ connections: 4, atOnce: 3 });
    expect(server.bytesReceived).toBeGreaterThan(2 * JSON.stringify(STREAMED).length);
    stop.abort();
    await held;
    for await (const chunk of waiting) expect(chunk.object).toBe('chat.completion.chunk');
    expect(server.chats[1]).toMatchObject({ end: 'answered' });
  });

  it('a scripted server speaks TLS with a certificate for the name that it is given', async () => {
    const { server } = await started({ tls: { name: '127.0.0.1' } });
    const wrong = await started({ tls: { name: 'other.example' } });
    const old = await started({ tls: { name: '127.0.0.1', isExpired: true } });
    const codeOf = async ({ url, certificate }: ScriptedOpenAi, ca = certificate): Promise<unknown> => {
      const dispatcher = new Agent({ connect: { ca: ca ?? '' } });
      try {
        return (await undiciFetch(`${url}/v1/models`, { dispatcher })).status;
      } catch (error) {
        return ((error as Error).cause as { code?: string }).code;
      } finally {
        await dispatcher.close();
      }
    };
    expect(await codeOf(server)).toBe(200);
    expect(await codeOf(server, wrong.server.certificate)).toBe('DEPTH_ZERO_SELF_SIGNED_CERT');
    expect(await codeOf(wrong.server)).toBe('ERR_TLS_CERT_ALTNAME_INVALID');
    expect(await codeOf(old.server)).toBe('CERT_HAS_EXPIRED');
    expect([server.requests.length, wrong.server.requests.length]).toEqual([1, 0]);
    expect(wrong.server.bytesReceived).toBeGreaterThan(0);
  });
});

/** The reader behind OpenAI's protocol, as the adapter for vLLM sees it and as vLLM answers on the wire. */
import { afterEach, describe, expect, it } from 'vitest';
import { openModelServer } from '../../../activities/models/client/open.ts';
import { revisionDigest } from '../../../activities/models/client/revision-digest.ts';
import type { ChatPart, ChatRequest } from '../../../activities/models/client/model-server.ts';
import { startReader, type ReaderOptions, type RunningReader } from '../../../simulators/ollama/server.ts';
import { codeOf } from '../../../testing/refusal.ts';

const context = { signal: new AbortController().signal };
let reader: RunningReader | null = null;
afterEach(() => reader?.stop());

async function start(options: ReaderOptions = {}): Promise<ReturnType<typeof openModelServer>> {
  reader = await startReader(options);
  return openModelServer({ kind: 'openai', url: `${reader.host}/v1` });
}
const post = (body: object): Promise<Response> =>
  fetch(`${reader?.host ?? ''}/v1/chat/completions`, { method: 'POST', body: JSON.stringify(body) });
const REQUEST: ChatRequest = {
  model: 'reader-vision:1',
  messages: [{ role: 'user', content: 'Say something.' }],
  schema: null,
  windowTokens: 0,
  mostTokens: 100,
  temperature: 0,
  seed: 1,
  thinking: 'off',
};
async function answer(server: ReturnType<typeof openModelServer>, request: ChatRequest): Promise<readonly ChatPart[]> {
  const parts: ChatPart[] = [];
  for await (const part of server.chat(request, context.signal)) parts.push(part);
  return parts;
}

describe('the models', () => {
  it('the models are those of the reader, with the window and an identity that their rules decide', async () => {
    const server = await start({ windowTokens: 8192 });
    expect(await server.version(context)).toMatch(/-deckhand-reader$/u);
    expect(await server.inspect('reader-vision:1', context)).toMatchObject({
      family: 'deckhand-rules',
      digest: expect.stringMatching(/^[0-9a-f]{64}$/u),
      capabilities: expect.arrayContaining(['vision']),
    });
    expect((await server.inspect('reader-text:1', context)).capabilities).not.toContain('vision');
    expect((await server.running(context)).map(({ windowTokens }) => windowTokens)).toEqual([8192, 8192]);
    expect(await codeOf(server.inspect('phi4', context))).toBe('model_not_ready');
  });

  it('the models that are served from the files of a commit have its identity', async () => {
    const revision = `House/Pitch-8B@${'0'.repeat(40)}`;
    const server = await start({ roots: { 'reader-text:1': `/var/lib/vllm/models/${revision}` } });
    expect((await server.inspect('reader-text:1', context)).digest).toBe(revisionDigest('reader-text:1', revision));
  });

  it('the models do not answer before the server has started', async () => {
    const server = await start({ startMs: 600_000 });
    expect(await codeOf(server.version(context))).toBe('model_unreachable');
  });
});

describe('an answer', () => {
  it('an answer comes in parts, fits its schema and counts its tokens, those of a picture included', async () => {
    const server = await start();
    const schema = { type: 'object', title: 'trial', properties: { ready: { type: 'boolean' } }, required: ['ready'] };
    const plain = await answer(server, { ...REQUEST, schema });
    expect(JSON.parse(plain.map(({ text }) => text).join(''))).toEqual({ ready: expect.any(Boolean) });
    const images = [new Uint8Array([0xff, 0xd8, 0xff, 0xe0, 0, 0])];
    const seen = await answer(server, { ...REQUEST, schema, messages: [{ role: 'user', content: 'Look.', images }] });
    const tokens = (parts: readonly ChatPart[]): number => parts.at(-1)?.end?.promptTokens ?? 0;
    expect(tokens(seen) - tokens(plain)).toBeGreaterThan(200);
    const { outputTokens = 0 } = plain.at(-1)?.end ?? {};
    expect(await server.metrics?.(context)).toMatchObject({ runningCalls: 0, waitingCalls: 0 });
    expect((await server.metrics?.(context))?.outputTokens).toBeGreaterThanOrEqual(outputTokens ?? 0);
  });

  it('an answer that is not streamed is one body with its usage', async () => {
    await start();
    const messages = [{ role: 'user', content: [{ type: 'text', text: 'Say something.' }] }];
    expect(await (await post({ model: 'reader-text:1', messages })).json()).toMatchObject({
      object: 'chat.completion',
      choices: [{ message: { role: 'assistant', content: expect.stringContaining('reader') }, finish_reason: 'stop' }],
      usage: { prompt_tokens: expect.any(Number), completion_tokens: expect.any(Number) },
    });
  });

  it('an answer is cut at the most tokens, and says so', async () => {
    const parts = await answer(await start(), { ...REQUEST, mostTokens: 5 });
    expect(parts.at(-1)?.end).toMatchObject({ isCut: true });
  });
});

describe('a refusal', () => {
  it.each([
    ['a prompt beyond the window', { content: 'word '.repeat(60_000) }, 'prompt_too_long'],
    ['a picture that is none', { images: [Buffer.from('no picture')] }, 'model_input_rejected'],
  ])('a refusal of %s has the code that it has of vLLM', async (_what, message, code) => {
    const messages = [{ role: 'user' as const, content: 'Look.', ...message }];
    expect(await codeOf(answer(await start(), { ...REQUEST, messages }))).toBe(code);
  });

  it('a refusal by a script is classified as that of vLLM', async () => {
    const server = await start({ script: { rules: [{ match: {}, fault: { status: 503 } }] } });
    expect(await codeOf(answer(server, REQUEST))).toBe('model_busy');
  });

  it.each([
    [{ model: 'phi4', messages: [{ role: 'user', content: 'x' }] }, 404, 'The model `phi4` does not exist.'],
    [{ model: 'reader-text:1', messages: [] }, 400, 'Cannot apply chat template to an empty conversation.'],
    [{ model: 'reader-text:1', messages: [{}], max_tokens: 50_000 }, 400, 'max_tokens=50000 cannot be greater'],
    [
      {
        model: 'reader-text:1',
        messages: [
          { role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }] },
        ],
      },
      400,
      'reader-text:1 is not a multimodal model',
    ],
  ])('a refusal is said in words of vLLM: %j', async (body, status, words) => {
    await start();
    const response = await post(body);
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ error: { message: expect.stringContaining(words), code: status } });
  });

  it('a refusal of a page that is not there is that of vLLM', async () => {
    await start();
    const response = await fetch(`${reader?.host ?? ''}/v1/embeddings`);
    expect([response.status, await response.json()]).toEqual([404, { detail: 'Not Found' }]);
  });
});

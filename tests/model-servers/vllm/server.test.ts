/** A real vLLM with a tiny model that sees: it says what it serves, answers under a schema and about a picture, and frees a slot. */
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { perFile } from '../../../testing/per-file.ts';
import { until } from '../../../testing/until.ts';
import { startVllm, TINY_MODELS } from './server.ts';

/** The largest: an answer that fills it takes minutes. */
const WINDOW = 131_072;
const answerSchema = z.strictObject({ name: z.string().max(20), score: z.int().min(0).max(7) });
const replySchema = z.object({
  choices: z.tuple([z.object({ message: z.object({ content: z.string() }), finish_reason: z.string() })]),
  usage: z.object({ prompt_tokens: z.int(), completion_tokens: z.int() }),
});

const server = perFile(() => startVllm({ model: 'vision', windowTokens: WINDOW, slots: 1 }));

/** @param content of the one message @param more of the request */
const post = async (content: unknown, more: object = {}, signal?: AbortSignal): Promise<Response> =>
  fetch(`${server.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ messages: [{ role: 'user', content }], max_tokens: 400, seed: 1, ...more }),
    ...(signal === undefined ? {} : { signal }),
  });

async function ask(content: unknown) {
  const schema = z.toJSONSchema(answerSchema);
  const format = { type: 'json_schema', json_schema: { name: 'answer', schema, strict: true } };
  const response = await post(content, { response_format: format });
  const { choices, usage } = replySchema.parse(await response.json());
  expect(choices[0].finish_reason).toBe('stop');
  return { answer: answerSchema.parse(JSON.parse(choices[0].message.content)), usage };
}

/** A sample of its metrics. @param name without the prefix of vLLM */
async function metric(name: string): Promise<number> {
  const text = await (await fetch(`${server.url}/metrics`)).text();
  return Number(new RegExp(`^vllm:${name}\\{.*\\} (?<value>\\S+)$`, 'mu').exec(text)?.groups?.value);
}

it('says what it serves', async () => {
  expect(await (await fetch(`${server.url}/v1/models`)).json()).toMatchObject({
    data: [{ id: TINY_MODELS.vision, owned_by: 'vllm', max_model_len: WINDOW }],
  });
  expect(await server.log()).toContain('version 0.32.0');
});

it('answers under a schema, about a picture', async () => {
  const look = async (background: string) => {
    const image = sharp({ create: { width: 64, height: 64, channels: 3, background } });
    const url = `data:image/png;base64,${(await image.png().toBuffer()).toString('base64')}`;
    return ask([
      { type: 'text', text: 'look' },
      { type: 'image_url', image_url: { url } },
    ]);
  };
  const red = await look('#7b1f1f');
  expect(red.usage.prompt_tokens).toBeGreaterThan((await ask('look')).usage.prompt_tokens);
  expect((await look('#ffffff')).answer).not.toEqual(red.answer);
});

it('refuses a prompt that is longer than the window', async () => {
  const response = await post('the company '.repeat(WINDOW));
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ error: { code: 400, param: 'input_tokens' } });
});

it('ends an answer that nobody reads', async () => {
  const max_tokens = 120_000;
  const before = await metric('generation_tokens_total');
  const nobody = new AbortController();
  const { status } = await post('look', { stream: true, ignore_eos: true, max_tokens }, nobody.signal);
  expect(status).toBe(200);
  await until(() => metric('num_requests_running')).is(1);
  nobody.abort();
  await until(() => metric('num_requests_running')).is(0);
  expect((await metric('generation_tokens_total')) - before).toBeLessThan(max_tokens);
});

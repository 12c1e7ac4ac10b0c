/** The reader over real sockets: npm client, loading, queueing, aborts, limits. */
import { Ollama } from 'ollama';
import { afterEach, expect, it } from 'vitest';
import { describeSlideSchema } from '../../../domain/models/result-schemas.ts';
import { startReader, type ReaderOptions, type RunningReader } from '../../../simulators/ollama/server.ts';
import { chat, contentOf, get, lines, loaded, post, slideCall } from './calls.ts';

let reader: RunningReader;
const start = async (options: ReaderOptions = {}): Promise<RunningReader> => {
  reader = await startReader(options);
  return reader;
};
afterEach(() => reader.stop());

it('the reader lists, shows, pulls and answers', async () => {
  const client = new Ollama({ host: (await start()).host });
  const { models } = await client.list();
  expect(models.map((model) => [model.name, model.details.family])).toEqual([
    ['reader-vision:1', 'deckhand-rules'],
    ['reader-text:1', 'deckhand-rules'],
  ]);
  expect(new Set(models.map((model) => model.digest)).size).toBe(2);
  const shown = await client.show({ model: 'reader-text:1' });
  expect(shown.capabilities).toEqual(['completion']);
  expect(shown.model_info).toMatchObject({ 'general.description': 'rules, not a language model' });
  const progress = [];
  for await (const step of await client.pull({ model: 'reader-text:1', stream: true })) progress.push(step.status);
  expect(progress.at(-1)).toBe('success');
  const call = slideCall();
  const stream = await client.chat({ ...(call as never as Parameters<Ollama['chat']>[0]), stream: true });
  let content = '';
  for await (const part of stream) content += part.message.content;
  expect(describeSlideSchema.parse(JSON.parse(content))).toMatchObject({ legible: true, title: 'Traction' });
});

it('the reader takes pictures and answers a slide without text with legible false', async () => {
  const client = new Ollama({ host: (await start()).host });
  const image = new Uint8Array([0xff, 0xd8, 0xff, 0xe0, 0, 0]);
  const answer = await client.chat({
    model: 'reader-vision:1',
    messages: [{ role: 'user', content: '<slide number="4">\n</slide>', images: [image] }],
    format: slideCall()['format'] as object,
  });
  expect(JSON.parse(answer.message.content)).toEqual({
    legible: false,
    title: '',
    visibleText: '',
    figures: [],
    summary: '',
  });
  expect(answer.prompt_eval_count).toBeGreaterThan(256);
});

it('the reader answers in plain text without a format, and says what it is', async () => {
  await start();
  const { parts } = await lines(
    post(reader, '/api/generate', { model: 'reader-text:1', prompt: 'Say OK', stream: false }),
  );
  expect(parts[0]?.['response']).toContain('rules, not a language model');
});

it('the reader answers a schema without a rule with valid JSON', async () => {
  await start();
  const format = {
    title: 'unheard_of',
    type: 'object',
    properties: { n: { type: 'integer', minimum: 4 }, s: { type: 'string' } },
  };
  const { parts } = await lines(post(reader, '/api/chat', { ...slideCall(), format }));
  expect(JSON.parse(contentOf(parts))).toEqual({ n: 4, s: '' });
});

it('the reader answers HEAD and GET on its root', async () => {
  await start();
  expect(await (await fetch(reader.host)).text()).toBe('Ollama is running');
  expect((await fetch(reader.host, { method: 'HEAD' })).status).toBe(200);
  expect((await fetch(`${reader.host}/nowhere`)).status).toBe(404);
  expect(await get(reader, '/api/version')).toEqual({ version: '0.24.0-deckhand-reader' });
});

it('models in memory go at once with keep_alive 0 and stay for ever with -1', async () => {
  await start();
  await chat(reader, { keep_alive: 0 });
  expect(await loaded(reader)).toEqual([]);
  await chat(reader, { keep_alive: -1 });
  const [entry] = await loaded(reader);
  expect(new Date(String(entry?.['expires_at'])).getUTCFullYear()).toBeGreaterThan(2200);
  expect(reader.control.stats()).toMatchObject({ loads: 2, unloads: 1 });
});

it('models in memory go when their time is over', async () => {
  await start();
  await chat(reader, { keep_alive: '20ms' });
  await expect.poll(() => loaded(reader)).toEqual([]);
});

it('models in memory are loaded once for many calls, and again for another window', async () => {
  await start();
  await Promise.all(Array.from({ length: 6 }, () => chat(reader, { options: { num_ctx: 4096 } })));
  expect(reader.control.stats().loads).toBe(1);
  await chat(reader, { options: { num_ctx: 8192 } });
  expect(reader.control.stats().loads).toBe(2);
  expect((await loaded(reader)).map((entry) => entry['context_length'])).toEqual([8192]);
});

it('models in memory push each other out when only one fits', async () => {
  await start({ maxLoadedModels: 1 });
  for (const model of ['reader-text:1', 'reader-vision:1', 'reader-text:1']) await chat(reader, { model });
  expect(reader.control.stats()).toMatchObject({ loads: 3, unloads: 2 });
  expect((await loaded(reader)).map((entry) => entry['name'])).toEqual(['reader-text:1']);
});

it('models in memory are loaded by a preload, which is not a call', async () => {
  await start();
  const { parts } = await lines(post(reader, '/api/chat', { model: 'reader-text:1', messages: [] }));
  expect(parts).toEqual([expect.objectContaining({ done: true, done_reason: 'load' })]);
  expect(reader.control.stats()).toMatchObject({ loads: 1, calls: 0 });
});

it('models in memory can be pulled, used and deleted', async () => {
  await start({
    models: [{ name: 'gemma3:12b', capabilities: ['completion', 'vision'], sizeBytes: 8_000, installed: false }],
  });
  expect((await chat(reader, { model: 'gemma3:12b' })).status).toBe(404);
  const pulled = await lines(post(reader, '/api/pull', { model: 'gemma3:12b' }));
  expect(pulled.parts.map((part) => part['completed']).filter((n) => n !== undefined)).toEqual([
    2000, 4000, 6000, 8000,
  ]);
  expect((await chat(reader, { model: 'gemma3:12b' })).status).toBe(200);
  await fetch(`${reader.host}/api/delete`, { method: 'DELETE', body: JSON.stringify({ model: 'gemma3:12b' }) });
  expect((await get(reader, '/api/tags'))['models']).toEqual([]);
});

it('many calls hold at most as many slots as there are, the others wait', async () => {
  await start({ parallel: 3, script: { callSeconds: 0.03 } });
  const answers = await Promise.all(Array.from({ length: 12 }, (_, i) => chat(reader, {}, i + 1)));
  expect(answers.every((answer) => answer.status === 200)).toBe(true);
  expect(reader.control.stats()).toMatchObject({
    calls: 12,
    completed: 12,
    maxInFlight: 3,
    inFlight: 0,
    open: 0,
    distinctInputs: 12,
  });
});

it('many calls are never refused while the model is loaded, however many wait', async () => {
  await start({ parallel: 1, maxQueue: 2, script: { callSeconds: 0.002 } });
  await chat(reader);
  const answers = await Promise.all(Array.from({ length: 20 }, () => chat(reader)));
  expect(answers.filter((answer) => answer.status !== 200)).toEqual([]);
});

it('many calls are refused with 503 beyond the queue while the model loads', async () => {
  await start({ maxQueue: 2, loadMs: 600 });
  const answers = await Promise.all(Array.from({ length: 10 }, () => chat(reader)));
  const refused = answers.filter((answer) => answer.status === 503);
  expect(refused.length).toBe(7);
  expect(refused[0]?.parts).toEqual([{ error: 'server busy, please try again.  maximum pending requests exceeded' }]);
  expect(reader.control.stats()).toMatchObject({ busy: 7, completed: 3, loads: 1 });
});

const abortSoon = async (body: ReturnType<typeof slideCall>, until: () => boolean): Promise<void> => {
  const controller = new AbortController();
  const broken = expect(post(reader, '/api/chat', body, controller.signal)).rejects.toThrow(/abort/iu);
  await expect.poll(until).toBe(true);
  controller.abort();
  await broken;
};

it('a client that goes away frees its slot at once', async () => {
  await start({ parallel: 1, script: { rules: [{ match: { nth: 1 }, fault: { wedge: true } }] } });
  await abortSoon(slideCall(), () => reader.control.stats().inFlight === 1);
  expect((await chat(reader)).status).toBe(200);
  expect(reader.control.stats()).toMatchObject({ cancelled: 1, completed: 1, inFlight: 0 });
});

it('a client that goes away leaves the queue for a slot', async () => {
  await start({ parallel: 1, script: { rules: [{ match: { nth: 1 }, fault: { latencyMs: 1000 } }] } });
  const first = chat(reader);
  await expect.poll(() => reader.control.stats().inFlight).toBe(1);
  await abortSoon(slideCall(), () => reader.control.stats().open === 2);
  await expect.poll(() => reader.control.stats().cancelled).toBe(1);
  expect((await first).status).toBe(200);
});

it('a client that goes away ends a load that no other request waits for', async () => {
  await start({ loadMs: 60_000 });
  await abortSoon(slideCall(), () => reader.control.stats().open === 1);
  await expect.poll(() => loaded(reader)).toEqual([]);
  expect(reader.control.stats()).toMatchObject({ loads: 0, cancelled: 1 });
});

it('a client that goes away stops a stream in the middle', async () => {
  await start({ script: { rules: [{ match: {}, fault: { tokensPerSecond: 20 } }] } });
  const controller = new AbortController();
  const response = await post(reader, '/api/chat', slideCall(), controller.signal);
  await response.body?.getReader().read();
  controller.abort();
  await expect.poll(() => reader.control.stats()).toMatchObject({ cancelled: 1, inFlight: 0 });
});

const long = {
  model: 'reader-text:1',
  messages: [{ role: 'user', content: 'words and more words '.repeat(3000) }],
  stream: false,
  options: { num_ctx: 2048 },
};

it('a prompt beyond the window is an error with truncate false', async () => {
  await start();
  const answer = await lines(post(reader, '/api/chat', { ...long, truncate: false }));
  expect(answer).toEqual({ status: 400, parts: [{ error: 'the input length exceeds the context length' }] });
});

it('a prompt beyond the window is cut silently otherwise, as on a real server', async () => {
  await start();
  const { parts } = await lines(post(reader, '/api/chat', long));
  expect(parts[0]).toMatchObject({ done: true, prompt_eval_count: 2048 });
});

it('a picture that cannot be decoded is refused by a model with vision', async () => {
  await start();
  const messages = [{ role: 'user', content: 'x', images: [Buffer.from('not a picture').toString('base64')] }];
  expect(await lines(post(reader, '/api/chat', { model: 'reader-vision:1', messages }))).toMatchObject({
    status: 500,
    parts: [{ error: expect.stringContaining('image: unknown format') as string }],
  });
  expect((await lines(post(reader, '/api/chat', { model: 'reader-text:1', messages }))).status).toBe(200);
});

/** Odd answers of a server of OpenAI's protocol, up to answers without end: what is made of them, and that the server is left at once. */
import { expect, it } from 'vitest';
import { DeckhandError } from '../../../domain/errors.ts';
import { failureOf } from '../../../testing/refusal.ts';
import type { Act, Answer } from '../../../testing/scripted-openai/script.ts';
import type { Script, ScriptedOpenAi } from '../../../testing/scripted-openai/server.ts';
import { ask, asked, chatOnce, started } from './openai-server.ts';

const GOOD = '{"name":"Aurora","score":5}';
const exactly = (text: string, more: Partial<Answer> = {}): Answer => ({
  kind: 'answer',
  text: { exactly: text },
  ...more,
});
const FIRST_LOOK = 'Answer with one word.';

/** The acts in order for the chats about the question; then an answer that fits. First looks are answered. */
const inOrder = (...acts: Act[]): Script => {
  const left = [...acts];
  return ({ path, body }) => {
    if (!path.endsWith('/chat/completions')) return undefined;
    return JSON.stringify(body).includes(FIRST_LOOK) ? { kind: 'answer' } : (left.shift() ?? exactly(GOOD));
  };
};
const isLeft = (server: ScriptedOpenAi): Promise<void> =>
  server.waitFor(({ requests }) => requests.every(({ end }) => end !== null));
const last = (server: ScriptedOpenAi) => server.chats.at(-1);

const DIALECTS = ['vllm', 'llama-server', 'ollama-v1', 'hosted', 'lm-studio'] as const;

it.each(DIALECTS)('an answer of %s that fits its schema is taken', async (dialect) => {
  const server = await started({ dialect });
  const reply = await ask(server);
  expect(reply.value.score).toBe(0);
  expect(reply.promptTokens).toBeGreaterThan(0);
  expect(reply.attempts).toBe(1);
});

it.each([
  ['a Markdown fence', exactly(`Sure:\n\`\`\`json\n${GOOD}\n\`\`\`\nI hope this helps.`)],
  ['prose around it', exactly(`The answer is ${GOOD}, as the slide says.`)],
  ['thoughts in the text', exactly(`<think>\nIs it {"name":"Ikarus","score":1}? No.\n</think>\n\n${GOOD}`)],
  ['thoughts that were begun by the template', exactly(`I look at the page.\n</think>\n${GOOD}`)],
  ['thoughts that are never closed', exactly(`<think>\nI look at the page. It is ${GOOD}`)],
  ['one without counts', exactly(GOOD, { usage: null })],
  ['no [DONE]', exactly(GOOD, { sendsDone: false })],
] as const)('the answer is found: %s', async (_, act) => {
  const server = await started({ script: inOrder(act) });
  expect(await ask(server)).toMatchObject({ attempts: 1, value: { name: 'Aurora', score: 5 } });
});

it.each([
  ['reasoning', '0.32'],
  ['reasoning_content', '0.11'],
] as const)('thoughts in the field %s are no part of the answer', async (_, vllm) => {
  const server = await started({ vllm, thinks: 'field' });
  const parts = await chatOnce(server, { thinking: 'leave' });
  expect(parts.map(({ thinking }) => thinking).join('')).toContain('look at the page');
  expect(parts.map(({ text }) => text).join('')).toBe('Ready.');
  const reply = await ask(server, { thinking: 'leave' });
  expect(JSON.parse(reply.raw)).toEqual(reply.value);
});

it('a model that only thinks, up to its limit, is asked another way about thinking', async () => {
  const server = await started({ thinks: 'field', script: inOrder(exactly('', { finish: 'length' })) });
  const reply = await ask(server, { thinking: 'leave' });
  expect(reply.attemptLog[0]?.outcome).toBe('only_thinking');
  expect(asked(server)[1]).toMatchObject({ chat_template_kwargs: { enable_thinking: false } });
});

it('a server that refuses how it is asked to think is asked another way, and remembered', async () => {
  const thoughts = { exactly: 'Let me look at the page. '.repeat(10) };
  const server = await started({
    dialect: 'hosted',
    thinks: 'field',
    models: ['remembered'],
    script: ({ path }) => (path.endsWith('/chat/completions') ? { kind: 'answer', thoughts } : undefined),
  });
  expect((await ask(server, { model: 'remembered' })).attemptLog.map(({ outcome }) => outcome)).toEqual([
    'thinking_refused',
    'ok',
  ]);
  expect((await ask(server, { model: 'remembered' })).attempts).toBe(1);
});

it('an answer that does not fit is asked for again with what was wrong', async () => {
  const server = await started({ script: inOrder(exactly('{"name":3}'), exactly('no')) });
  const reply = await ask(server);
  expect(reply.attemptLog.map(({ outcome }) => outcome)).toEqual(['schema_mismatch', 'invalid_json', 'ok']);
  const questions = asked(server).map(({ messages }) => JSON.stringify(messages));
  expect(new Set(questions).size).toBe(3);
});

it.each(['length', 'max_tokens', 'model_length'])(
  'an answer that was cut by %s is asked for with more room',
  async (reason) => {
    const cut = exactly('{"name":"Aur', { finish: reason as 'length' });
    const server = await started({ script: inOrder(cut) });
    expect((await ask(server)).attemptLog[0]?.outcome).toBe('truncated');
    expect(asked(server).map((body) => body['max_tokens'])).toEqual([200, 400]);
  },
);

it.each([
  ['white space', { kind: 'answer', text: 'white_space', ignoresLimits: true }, 'whitespace'],
  ['a loop', { kind: 'answer', text: 'loop', ignoresLimits: true }, 'repetition'],
  ['a flood of the same', { kind: 'flood', bytes: 2 ** 40, as: 'deltas' }, 'repetition'],
] as const)('an answer of %s without end is left at once', async (_, act, outcome) => {
  const server = await started({ script: inOrder(act) });
  expect((await ask(server)).attemptLog[0]?.outcome).toBe(outcome);
  await isLeft(server);
  expect(asked(server)).toHaveLength(2);
  expect(server.chats.find(({ end }) => end === 'hung_up')).toBeDefined();
});

it('thoughts without end are left at once', async () => {
  const server = await started({
    thinks: 'field',
    script: inOrder({ kind: 'answer', thoughts: 'loop', ignoresLimits: true }),
  });
  expect((await ask(server, { thinking: 'leave' })).attemptLog[0]?.outcome).toBe('only_thinking');
  await isLeft(server);
});

it.each([
  ['one line of a stream', { kind: 'flood', bytes: 2 ** 40, as: 'line' }],
  ['one JSON text', { kind: 'flood', bytes: 2 ** 40, as: 'json' }],
] as const)('an answer without end as %s takes bounded memory', async (_, act) => {
  const server = await started({ script: act });
  const before = process.memoryUsage().rss;
  const failure = await failureOf(chatOnce(server));
  expect(['model_crashed', 'model_unreachable']).toContain(failure.code);
  await isLeft(server);
  expect(last(server)?.end).toBe('hung_up');
  expect(last(server)?.chunks).toBeLessThan(1000);
  expect(process.memoryUsage().rss - before).toBeLessThan(400 * 2 ** 20);
});

it('a list of models without end takes bounded memory', async () => {
  const server = await started({ script: () => ({ kind: 'flood', bytes: 2 ** 40, as: 'json' }) });
  const failure = await failureOf(ask(server));
  expect(failure.message).toContain('longer than');
  await isLeft(server);
  expect(server.requests).toHaveLength(1);
});

it.each([
  ['missing', null],
  ['negative', { prompt_tokens: -5, completion_tokens: -1 }],
  ['texts', { prompt_tokens: '12', completion_tokens: 'many' }],
  ['larger than any column', { prompt_tokens: 1e308, completion_tokens: 3e9 }],
  ['no whole numbers', { prompt_tokens: 11.5, completion_tokens: 0.1 }],
  [
    'smaller than what was cached',
    { prompt_tokens: 2, completion_tokens: 1, prompt_tokens_details: { cached_tokens: 900 } },
  ],
  ['a list', { prompt_tokens: [1], prompt_tokens_details: 'none' }],
] as const)('counts that are %s do not spoil the answer, and are stored as whole numbers', async (_, usage) => {
  const timings = { prompt_ms: 1e308, predicted_ms: -4, cache_n: '7', prompt_n: null };
  const act = exactly(GOOD, { usage: usage === null ? null : { ...usage }, timings });
  const server = await started({ dialect: 'llama-server', script: inOrder(act) });
  const { value, promptTokens, outputTokens, readMs, writeMs } = await ask(server);
  expect(value.score).toBe(5);
  for (const count of [promptTokens, outputTokens, readMs ?? 0, writeMs ?? 0]) {
    expect(Number.isInteger(count)).toBe(true);
    expect(count).toBeGreaterThanOrEqual(0);
    expect(count).toBeLessThan(2 ** 31);
  }
});

it.each([
  'null',
  '5',
  '"text"',
  '[]',
  '{}',
  '{"choices":null}',
  '{"choices":{}}',
  '{"choices":[null]}',
  '{"choices":[{"delta":null}]}',
  '{"choices":[{"delta":{"content":{"a":1}}}]}',
  '{"choices":[{"delta":{"content":""},"finish_reason":7}]}',
  '{"error":null,"usage":"none","timings":3}',
])('a chunk that is %s is a fault of the server or nothing', async (chunk) => {
  const bytes = `HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\ndata: ${chunk}\n\n`;
  const server = await started({ script: { kind: 'raw', bytes } });
  const said = await chatOnce(server).then(
    () => 'answered',
    (error: unknown) => (error instanceof DeckhandError ? error.code : error),
  );
  expect(said).toBe(chunk.includes('finish_reason') ? 'answered' : 'model_crashed');
});

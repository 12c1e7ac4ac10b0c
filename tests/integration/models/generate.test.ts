/**
 * The client's ladder of attempts against a server that misbehaves, over real sockets.
 */
import { expect, it } from 'vitest';
import { z } from 'zod';
import { openModelServer } from '../../../activities/models/client/open.ts';
import {
  type CallPhase,
  generateStructured,
  type ModelReply,
  type ModelRequest,
} from '../../../activities/models/client/generate.ts';
import { type AttemptLimits, fixedLimits } from '../../../domain/models/call-limits.ts';
import { toModelSchema } from '../../../domain/models/json-schema.ts';
import { DeckhandError } from '../../../domain/errors.ts';
import { failureOf } from '../../../testing/refusal.ts';
import type { Thinking } from '../../../domain/models/attempt-plan.ts';
import {
  answers,
  type Behaviour,
  breaksWith,
  disconnectsAfter,
  endless,
  endsEarlyAfter,
  json,
  repeatsUntilEnded,
  plainText,
  ScriptedOllama,
  type Script,
  silence,
  stallsAfter,
  withServer,
} from './scripted-server.ts';

const schema = z.object({ name: z.string().max(300), score: z.int().min(0).max(7) });
type Answer = z.infer<typeof schema>;
const GOOD = '{"name":"Aurora","score":5}';
const never = new AbortController().signal;

interface Changes {
  thinking?: Thinking;
  images?: Uint8Array[];
  options?: Partial<ModelRequest['options']>;
  limits?: Partial<ModelRequest['limits']>;
}

const requestFor = (host: string, changes: Changes = {}): ModelRequest => ({
  server: openModelServer({ kind: 'ollama', url: host }),
  model: 'scripted',
  system: 'You read slides.',
  user: 'What is the name?',
  images: changes.images ?? [],
  schema: toModelSchema(schema, 'name_and_score'),
  schemaName: 'name_and_score',
  ...(changes.thinking === undefined ? {} : { thinking: changes.thinking }),
  options: { numCtx: 2048, numPredict: 200, temperature: 0.1, seed: 40, ...changes.options },
  limits: {
    ofAttempt: () => fixedLimits(20_000),
    loadTimeoutMs: 20_000,
    maxAttempts: 3,
    ...changes.limits,
  },
});

/** Limits of each attempt in turn; the last ones hold for all further ones. */
function limitsWith(...changes: readonly Partial<AttemptLimits>[]): Pick<ModelRequest['limits'], 'ofAttempt'> {
  let attempt = 0;
  return { ofAttempt: () => ({ ...fixedLimits(20_000), ...changes[Math.min(attempt++, changes.length - 1)] }) };
}

const ask = (host: string, changes: Changes = {}, signal = never): Promise<ModelReply<Answer>> =>
  generateStructured(requestFor(host, changes), (value) => schema.parse(value), { signal });

it('a structured answer is parsed and comes with what it cost', () =>
  withServer({ chats: [answers(GOOD)] }, async (server) => {
    const reply = await ask(server.host);
    expect(reply).toMatchObject({
      value: { name: 'Aurora', score: 5 },
      raw: GOOD,
      attempts: 1,
      temperatureUsed: 0.1,
      seedUsed: 40,
      promptTokens: 11,
      outputTokens: 7,
      loadMs: 3,
      attemptLog: [{ attempt: 1, outcome: 'ok', detail: '' }],
    });
  }));

it('a structured answer is asked for with fixed window, no silent cuts, schema and instructions apart', () =>
  withServer({ chats: [answers(GOOD)], capabilities: ['completion', 'vision'] }, async (server) => {
    await ask(server.host, { images: [new Uint8Array([1, 2, 3])] });
    expect(server.chats[0]).toMatchObject({
      model: 'scripted',
      stream: true,
      truncate: false,
      shift: false,
      keep_alive: -1,
      options: { num_ctx: 2048, num_predict: 200, temperature: 0.1, seed: 40 },
      format: { title: 'name_and_score', type: 'object', additionalProperties: false },
      messages: [
        { role: 'system', content: 'You read slides.' },
        { role: 'user', content: 'What is the name?', images: ['AQID'] },
      ],
    });
    expect(server.chats[0]).not.toHaveProperty('think');
  }));

it('a structured answer turns thinking off only where the model can think, and leaves thinking text out', () =>
  withServer(
    {
      chats: [answers(`<think>Aurora? {"name":</think>\n${GOOD}`, { thinking: 'hm' })],
      capabilities: ['completion', 'thinking'],
    },
    async (server) => {
      const reply = await ask(server.host);
      expect(reply.value.name).toBe('Aurora');
      expect(server.chats[0]).toMatchObject({ think: false });
    },
  ));

/** Answers as asked only where `think` is so; else its thoughts alone. */
const thinksUnless =
  (think: unknown): Behaviour =>
  (response, request, body) =>
    (body['think'] === think
      ? answers(GOOD, { thinking: 'hm' })
      : answers('', { thinking: 'First the text is read.' }))(response, request, body);
const thinkingModel = { capabilities: ['completion', 'thinking'] };

it.each([
  ['"low"', 'low', [false, 'low'], ['low']],
  ['nothing', undefined, [false, 'low', undefined], [undefined]],
])(
  'a model that answers only when asked to think with %s is asked so, and at once the next time',
  (_name, think, first, second) =>
    withServer({ ...thinkingModel, chats: Array.from({ length: 4 }, () => thinksUnless(think)) }, async (server) => {
      const reply = await ask(server.host);
      expect(reply.attemptLog.map((entry) => entry.outcome)).toEqual([
        ...first.slice(1).map(() => 'only_thinking'),
        'ok',
      ]);
      expect(server.chats.map((chat) => chat['think'])).toEqual(first);
      await ask(server.host);
      expect(server.chats.slice(first.length).map((chat) => chat['think'])).toEqual(second);
    }),
);

it('a model that thinks is known by its digest after a call that loaded it', () =>
  withServer(
    { ...thinkingModel, loadedWith: null, chats: Array.from({ length: 3 }, () => thinksUnless('low')) },
    async (server) => {
      await ask(server.host);
      await ask(server.host);
      expect(server.chats.map((chat) => chat['think'])).toEqual([false, 'low', 'low']);
    },
  ));

it('a model that thinks is asked as the caller says', () =>
  withServer({ ...thinkingModel, chats: [answers(GOOD), answers(GOOD)] }, async (server) => {
    await ask(server.host, { thinking: 'leave' });
    await ask(server.host, { thinking: 'low' });
    expect(server.chats.map((chat) => chat['think'])).toEqual([undefined, 'low']);
  }));

it('a server that refuses a way of thinking is asked another way', () =>
  withServer(
    {
      ...thinkingModel,
      chats: [json(400, { error: 'think value "low" is not supported for this model' }), answers(GOOD)],
    },
    async (server) => {
      const reply = await ask(server.host, { thinking: 'low' });
      expect(reply.attemptLog.map((entry) => entry.outcome)).toEqual(['thinking_refused', 'ok']);
      expect(server.chats.map((chat) => chat['think'])).toEqual(['low', false]);
    },
  ));

it('a model without thinking never gets the field, whatever it answers and the caller says', () =>
  withServer({ chats: [answers('', { thinking: 'hm' }), answers('prose'), answers(GOOD)] }, async (server) => {
    const reply = await ask(server.host, { thinking: 'low' });
    expect(reply.attemptLog.map((entry) => entry.outcome)).toEqual(['only_thinking', 'invalid_json', 'ok']);
    for (const chat of server.chats) expect(chat).not.toHaveProperty('think');
  }));

it('white space twice in a row loosens the grammar and puts the schema in words', () =>
  withServer(
    { chats: [endless('{', ' \n'), endless('{"name":', '\n'), answers(`Here it is: ${GOOD}`)] },
    async (server) => {
      const reply = await ask(server.host);
      expect(reply.value.name).toBe('Aurora');
      const properties = server.chats.map((chat) => 'properties' in (chat['format'] as object));
      expect(properties).toEqual([true, true, false]);
      expect(JSON.stringify(server.chats[2]?.['messages'])).toContain('name_and_score');
    },
  ));

it('an answer that was cut off is asked for with more room', () =>
  withServer({ chats: [answers(GOOD, { reason: 'length' }), answers(GOOD)] }, async (server) => {
    await ask(server.host);
    expect(server.chats.map((chat) => (chat['options'] as { num_predict: number }).num_predict)).toEqual([200, 400]);
  }));

it('a character that is no text costs one more attempt, and a broken escape none', () =>
  withServer(
    {
      chats: [
        answers(String.raw`{"name":"Velhain \u0000 4","score":5}`),
        answers(String.raw`{"name":"M\u0000fcnchen","score":5}`),
      ],
    },
    async (server) => {
      const reply = await ask(server.host);
      expect(reply.attemptLog.map((entry) => entry.outcome)).toEqual(['bad_character', 'ok']);
      expect(reply.value.name).toBe('München');
    },
  ));

it('a structured answer reports its phases in order, with tokens while it generates', () =>
  withServer({ chats: [answers(GOOD)], loadedWith: null }, async (server) => {
    const phases: CallPhase[] = [];
    await generateStructured(requestFor(server.host), (value) => schema.parse(value), {
      signal: never,
      onPhase: (phase) => phases.push(phase),
    });
    expect([...new Set(phases.map((phase) => phase.phase))]).toEqual(['waiting', 'loading', 'prompting', 'generating']);
    expect(phases.at(-1)?.tokens).toBe(Math.ceil(GOOD.length / 5));
  }));

const long = 'x'.repeat(4);
const faults: readonly (readonly [string, Script, string, RegExp])[] = [
  ['invalid JSON', { chats: [answers('the name is Aurora'), answers(GOOD)] }, 'invalid_json', /not valid JSON/],
  ['an empty answer', { chats: [answers(''), answers(GOOD)] }, 'invalid_json', /not valid JSON/],
  ['thinking that never ends', { chats: [answers('<think>well'), answers(GOOD)] }, 'invalid_json', /not valid JSON/],
  ['the wrong shape', { chats: [answers('{"name":"A","score":9}'), answers(GOOD)] }, 'schema_mismatch', /score/],
  ['truncation', { chats: [answers(GOOD, { reason: 'length' }), answers(GOOD)] }, 'truncated', /cut off/],
  ['a whitespace loop', { chats: [endless('{"name":', '\n  '), answers(GOOD)] }, 'whitespace', /blank space/],
  [
    'white space that its server ended',
    { chats: [repeatsUntilEnded('{', '\n'), answers(GOOD)] },
    'whitespace',
    /blank space/,
  ],
  [
    'a word that its server ended',
    { chats: [repeatsUntilEnded('{"name":"', ' so'), answers(GOOD)] },
    'repetition',
    /repeated/,
  ],
  [
    'endless repetition',
    { chats: [endless('{"name":"', `and ${long} so on, `), answers(GOOD)] },
    'repetition',
    /repeated/,
  ],
];
it.each(faults)(
  'an answer that cannot be used is asked for again after %s, saying what was wrong, hotter and from another seed',
  (_name, script, outcome, correction) =>
    withServer(script, async (server) => {
      const reply = await ask(server.host);
      expect(reply.attempts).toBe(2);
      expect(reply.value).toEqual({ name: 'Aurora', score: 5 });
      expect(reply.attemptLog.map((entry) => entry.outcome)).toEqual([outcome, 'ok']);
      expect(reply.temperatureUsed).toBe(0.4);
      expect(reply.seedUsed).toBe(41);
      const [first, second] = server.chats;
      expect(second).toMatchObject({ options: { temperature: 0.4, seed: 41, num_ctx: 2048 } });
      const [firstMessages, secondMessages] = [first, second].map(
        (body) => body?.['messages'] as { content: string }[],
      );
      expect(secondMessages?.slice(0, 2)).toEqual(firstMessages);
      expect(secondMessages?.[2]?.content).toMatch(correction);
    }),
);

it('an answer that cannot be used is asked for again, hanging up on a loop at once', () =>
  withServer({ chats: [endless('{"name":"', 'ha '), answers(GOOD)] }, async (server) => {
    await ask(server.host);
    await server.abandoned();
  }));

it('an answer that cannot be used is asked for again until the attempts are used up, and then says what each came to', () =>
  withServer({ chats: [answers('no'), answers('{"name":3}'), answers(GOOD, { reason: 'length' })] }, async (server) => {
    const error = await failureOf(ask(server.host));
    expect(error.code).toBe('model_output_unparseable');
    expect(error.message).toMatch(/1: invalid_json.*2: schema_mismatch.*3: truncated/);
    expect(server.chats.map((chat) => (chat['options'] as { temperature: number }).temperature)).toEqual([
      0.1, 0.4, 0.7,
    ]);
  }));

it.each([
  ['503', json(503, { error: 'server busy, please try again.  maximum pending requests exceeded' }), 'model_busy'],
  ['a dead runner', json(500, { error: 'model runner has unexpectedly stopped' }), 'model_crashed'],
  ['an error inside the stream', breaksWith('{"na', 'an error was encountered: unexpected EOF'), 'model_crashed'],
  ['a stream that ends without its last message', endsEarlyAfter('{"na'), 'model_crashed'],
  ['a socket that closes inside the answer', disconnectsAfter('{"na'), 'model_unreachable'],
  ['a proxy without a server behind it', plainText(502, '<h1>Bad gateway</h1>'), 'model_unreachable'],
  ['a refused image', json(400, { error: 'Failed to load image or audio file' }), 'model_input_rejected'],
  [
    'a prompt that does not fit',
    json(400, { error: 'the input length exceeds the context length' }),
    'prompt_too_long',
  ],
] as const)('a fault of the server is thrown at once: %s', (_name, behaviour, code) =>
  withServer({ chats: [behaviour, answers(GOOD)] }, async (server) => {
    const error = await failureOf(ask(server.host));
    expect(error.code).toBe(code);
    expect(server.chats).toHaveLength(1);
  }),
);

it('a server that is not there is unreachable', async () => {
  const server = await ScriptedOllama.start();
  const host = server.host;
  await server[Symbol.asyncDispose]();
  expect((await failureOf(ask(host))).code).toBe('model_unreachable');
});

it('a stall between two tokens drops the request and the next attempt answers', () =>
  withServer({ chats: [stallsAfter('{"na'), answers(GOOD)] }, async (server) => {
    const reply = await ask(server.host, { limits: limitsWith({ betweenTokensMs: 150 }) });
    await server.abandoned();
    expect(reply.attemptLog.map((entry) => entry.outcome)).toEqual(['stalled', 'ok']);
  }));

it('a prompt that was not read in time is sent again with at least twice the time', () =>
  withServer({ chats: [silence, answers(GOOD)] }, async (server) => {
    const reply = await ask(server.host, { limits: limitsWith({ firstTokenMs: 300 }, { firstTokenMs: 600 }) });
    await server.abandoned();
    expect(reply.attemptLog[0]).toMatchObject({
      outcome: 'stalled',
      detail: expect.stringContaining('within 300 ms') as string,
    });
  }));

it('a prompt that was not read in time is not sent again with the same time', () =>
  withServer({ chats: [silence, answers(GOOD)] }, async (server) => {
    const limits = limitsWith({ firstTokenMs: 300, speed: { readTokensPerSec: 18.4, writeTokensPerSec: 9 } });
    const error = await failureOf(ask(server.host, { limits }));
    expect(error.code).toBe('model_too_slow');
    expect(error.userMessage).toContain('did not read a prompt of about 74 tokens');
    expect(error.userMessage).toContain('18 tokens a second');
    expect(server.chats).toHaveLength(1);
  }));

it('an answer that is not over in time is too slow', () =>
  withServer({ chats: [stallsAfter('{"na'), answers(GOOD)] }, async (server) => {
    const error = await failureOf(ask(server.host, { limits: limitsWith({ totalMs: 200 }) }));
    expect(error.code).toBe('model_too_slow');
    expect(error.userMessage).toContain('did not finish an answer of at most 200 tokens');
    expect(server.chats).toHaveLength(1);
  }));

it('a caller learns of every request with the prompt, before it and after', () =>
  withServer({ chats: [silence, answers('{'), answers(GOOD)] }, async (server) => {
    const seen: string[] = [];
    const request = requestFor(server.host, {
      limits: limitsWith({ firstTokenMs: 200 }, { firstTokenMs: 20_000 }, { firstTokenMs: 20_000 }),
    });
    await generateStructured(request, (value) => schema.parse(value), {
      signal: never,
      onSend: async () => void seen.push(`sends ${server.chats.length + 1}`),
      onSent: async (work, end) => void seen.push(`${end.kind} ${work.writeTokens}`),
      onFault: (fault) => void seen.push(fault),
    });
    const wanted = 'sends 1, failed 200, stalled, sends 2, answered 200, invalid_json, sends 3, answered 200';
    expect(seen.join(', ')).toBe(wanted);
  }));

it('a request that its caller forbids is not made', () =>
  withServer({ chats: [answers(GOOD)] }, async (server) => {
    const forbid = (): Promise<void> => Promise.reject(new DeckhandError('model_sends_exhausted', 'enough'));
    const context = { signal: never, onSend: forbid };
    const error = await failureOf(generateStructured(requestFor(server.host), (value) => schema.parse(value), context));
    expect(error.code).toBe('model_sends_exhausted');
    expect(server.chats).toHaveLength(0);
  }));

it('a stall that comes again is thrown', () =>
  withServer({ chats: [stallsAfter('{'), stallsAfter('{'), answers(GOOD)] }, async (server) => {
    const error = await failureOf(ask(server.host, { limits: limitsWith({ betweenTokensMs: 100 }) }));
    expect(error.code).toBe('model_stalled');
    expect(server.chats).toHaveLength(2);
  }));

it('the model is loaded as a step of its own with its fixed window when it is not in memory', () =>
  withServer({ chats: [answers(GOOD)], loadedWith: null }, async (server) => {
    await ask(server.host);
    expect(server.paths()).toEqual(['/api/ps', '/api/show', '/api/chat', '/api/ps', '/api/chat']);
    expect(server.requests[2]?.body).toMatchObject({ messages: [], keep_alive: -1, options: { num_ctx: 2048 } });
  }));

it('the model is loaded anew when it stands there with another window', () =>
  withServer({ chats: [answers(GOOD)], loadedWith: 4096 }, async (server) => {
    await ask(server.host);
    expect(server.paths().filter((path) => path === '/api/chat')).toHaveLength(2);
  }));

it('the model that does not load in time is not ready, and the load is dropped', () =>
  withServer({ loadedWith: null, load: silence }, async (server) => {
    const error = await failureOf(ask(server.host, { limits: { loadTimeoutMs: 200 } }));
    expect(error.code).toBe('model_not_ready');
    await server.abandoned();
  }));

it('the model that is not there is not ready', () =>
  withServer(
    { loadedWith: null, paths: { '/api/show': json(404, { error: "model 'scripted' not found" }) } },
    async (server) => expect((await failureOf(ask(server.host))).code).toBe('model_not_ready'),
  ));

it('the model that cannot see gets no image, and is not even loaded for one', () =>
  withServer({ loadedWith: null }, async (server) => {
    const error = await failureOf(ask(server.host, { images: [new Uint8Array([1])] }));
    expect(error.code).toBe('model_lacks_vision');
    expect(server.paths()).not.toContain('/api/chat');
  }));

it('the model is asked about its abilities once per digest', () =>
  withServer({ chats: [answers(GOOD), answers(GOOD)] }, async (server) => {
    await ask(server.host);
    await ask(server.host);
    expect(server.paths().filter((path) => path === '/api/show')).toHaveLength(1);
  }));

it.each([
  ['while no header has arrived', { chats: [silence] } satisfies Script],
  ['inside the answer', { chats: [stallsAfter('{"na')] } satisfies Script],
  ['while the model loads', { loadedWith: null, load: silence } satisfies Script],
])('cancelling %s closes the socket and throws the reason of the signal', (_name, script) =>
  withServer(script, async (server) => {
    const controller = new AbortController();
    const reason = new Error('cancelled by a person');
    const call = ask(server.host, {}, controller.signal);
    const ended = expect(call).rejects.toBe(reason);
    await server.arrived('/api/chat');
    controller.abort(reason);
    await ended;
    await server.abandoned();
  }),
);

it('cancelling before anything was sent', () =>
  withServer({}, async (server) => {
    const reason = new Error('too late');
    await expect(ask(server.host, {}, AbortSignal.abort(reason))).rejects.toBe(reason);
    expect(server.requests).toEqual([]);
  }));

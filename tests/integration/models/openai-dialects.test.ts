/** Fields that a server of OpenAI's protocol does not take are learned from its refusals, once. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { failureOf } from '../../../testing/refusal.ts';
import { assertProperty } from '../../../testing/property.ts';
import type { Act } from '../../../testing/scripted-openai/script.ts';
import type { RecordedRequest, ScriptedOpenAi } from '../../../testing/scripted-openai/server.ts';
import { ask, asked, chatOnce, started } from './openai-server.ts';

type Body = Readonly<Record<string, unknown>>;

/** Refuses a chat with these words while something stands in it. */
const refusing =
  (isRefused: (body: Body) => boolean, message: string, status = 400) =>
  ({ path, body }: RecordedRequest): Act | undefined => {
    if (!path.endsWith('/chat/completions') || !isRefused(body as Body)) return undefined;
    return { kind: 'document', status, body: { error: { message, type: 'invalid_request_error', code: status } } };
  };
const has = (field: string) => (body: Body) => field in body;
const formatOf = (body: Body): string => {
  const format = body['response_format'] as { type: string; json_schema?: { strict?: boolean } } | undefined;
  return format === undefined ? 'none' : `${format.type}${format.json_schema?.strict === true ? ', strict' : ''}`;
};
const rolesOf = (body: Body): string => (body['messages'] as { role: string }[]).map(({ role }) => role).join(' ');

/** A model that knows no format reads the schema where it stands in the question. */
const byTheQuestion = ({ body }: RecordedRequest): Act | undefined => {
  if (!JSON.stringify(body).includes('Its JSON schema')) return undefined;
  return { kind: 'answer', text: { exactly: '{"name":"Aurora","score":5}' } };
};

const jinja = (said: string): string =>
  `\n------------\nWhile executing CallExpression at line 85, column 32 in source:\n${'…{%- endif %}↵'.repeat(60)}\n^\nError: Jinja Exception: ${said}`;
const ALTERNATE = 'Conversation roles must alternate user/assistant/user/assistant/...';

type Row = readonly [what: string, isRefused: (body: Body) => boolean, words: string, status?: number];
const FIELDS: readonly Row[] = [
  [
    'max_tokens',
    has('max_tokens'),
    "'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
  ],
  ['max_tokens without another name for it', has('max_tokens'), 'Unrecognized request argument supplied: max_tokens'],
  ['seed', has('seed'), 'Unrecognized request argument supplied: seed'],
  ['temperature', has('temperature'), "Unsupported value: 'temperature' does not support 0.1 with this model."],
  ['top_p', has('top_p'), "Unsupported parameter: 'top_p' is not supported with this model."],
  ['stream_options', has('stream_options'), "[{'type': 'extra_forbidden', 'loc': ('body', 'stream_options')}]", 422],
  ['system', (body) => rolesOf(body).includes('system'), 'System role not supported'],
  ['roles that do not alternate, as vLLM', (body) => rolesOf(body) !== 'user', ALTERNATE],
  ['roles that do not alternate, as llama-server', (body) => rolesOf(body) !== 'user', jinja(ALTERNATE), 500],
  ['a system role, as llama-server', (body) => rolesOf(body) !== 'user', jinja('System role not supported'), 500],
  ['strict', (body) => formatOf(body).endsWith('strict'), "Invalid schema for response_format 'name_and_score'"],
  ['json_schema', (body) => formatOf(body).startsWith('json_schema'), 'response_format: json_schema is not supported'],
  ['response_format', has('response_format'), 'Unrecognized request argument supplied: response_format'],
];

describe('dialects', () => {
  it.for(FIELDS)('a field that is refused once is left out from then on: %s', async ([, isRefused, words, status]) => {
    const server = await started({
      script: (request) => refusing(isRefused, words, status)(request) ?? byTheQuestion(request),
    });
    expect((await ask(server)).value).toEqual({ name: expect.any(String), score: expect.any(Number) });
    const before = asked(server).length;
    expect(before).toBeLessThanOrEqual(4);
    expect(asked(server).findIndex((body) => !isRefused(body))).toBe(before - 1);
    await ask(server);
    expect(asked(server)).toHaveLength(before + 1);
  });

  it('a schema that the server does not take is told in the question', async () => {
    const server = await started({
      script: (request) =>
        refusing((body) => formatOf(body) !== 'none', 'response_format is not supported')(request) ??
        byTheQuestion(request),
    });
    await ask(server);
    expect(asked(server).map(formatOf)).toEqual(['json_schema, strict', 'json_schema', 'json_object', 'none']);
    const isTold = asked(server).map((body) => JSON.stringify(body['messages']).includes('name_and_score'));
    expect(isTold).toEqual([false, false, true, true]);
  });

  it('a refused format is learned for its schema alone, and any other field for the model', async () => {
    const server = await started({
      script: (request) =>
        refusing(
          (body) => formatOf(body).endsWith('strict') && JSON.stringify(body).includes('"odd"'),
          'Bad schema',
        )(request) ?? refusing(has('seed'), 'seed is not supported')(request),
    });
    await ask(server, { schemaName: 'odd' });
    await ask(server, { schemaName: 'usual' });
    await ask(server, { schemaName: 'odd' });
    // The seed was refused when the model was looked at first.
    expect(server.chats.filter(({ body }) => has('seed')(body as Body))).toHaveLength(1);
    expect(asked(server).map(formatOf)).toEqual([
      'json_schema, strict',
      'json_schema',
      'json_schema, strict',
      'json_schema',
    ]);
  });

  it('a field that one model does not take is sent to other models as before', async () => {
    const models = ['scripted', 'other', 'scripted name_and_score'];
    const server = await started({
      models,
      script: refusing((body) => body['model'] === 'scripted' && 'seed' in body, 'seed is not supported'),
    });
    for (const model of models) await ask(server, { model });
    expect(asked(server).map((body) => [body['model'], 'seed' in body])).toEqual([
      ['scripted', false],
      ['other', true],
      ['scripted name_and_score', true],
    ]);
  });

  it('calls at the same time learn refused fields for each other', async () => {
    const server = await started({
      models: ['one'],
      script: (request) =>
        refusing(has('seed'), 'seed is not supported')(request) ??
        refusing((body) => 'temperature' in body && JSON.stringify(body).includes('second'), 'no temperature')(request),
    });
    await Promise.all(['first', 'second'].map((user) => ask(server, { model: 'one', user })));
    const before = asked(server).length;
    await ask(server, { model: 'one', user: 'second' });
    expect(asked(server)).toHaveLength(before + 1);
  });
});

describe('refusals', () => {
  it('a refusal that nothing helps is shown with the words of the server', async () => {
    const server = await started({
      script: refusing(() => true, 'The moon is in the wrong house.'),
    });
    const failure = await failureOf(chatOnce(server));
    expect(failure.code).toBe('model_input_rejected');
    expect(failure.message).toContain('The moon is in the wrong house.');
    expect(server.chats).toHaveLength(1);
  });

  it('a refusal is learned from only where the model then answers', async () => {
    let isIll = true;
    const server = await started({
      script: refusing(() => isIll, 'the temperature of the machine is too high for seed and schema'),
    });
    await failureOf(chatOnce(server, { schema: { type: 'object' } }));
    isIll = false;
    const before = server.chats.length;
    await chatOnce(server, { schema: { type: 'object' } });
    const last = server.chats.at(-1)?.body as Body;
    expect(server.chats).toHaveLength(before + 1);
    expect([has('temperature')(last), has('seed')(last), formatOf(last)]).toEqual([true, true, 'json_schema, strict']);
  });

  it('a refusal in the middle of an answer leads to no second request, whose text would follow the first', async () => {
    const error = { error: { message: 'Unexpected empty grammar stack after accepting piece', code: 400 } };
    const chunk = { choices: [{ index: 0, delta: { content: '{"name":' } }] };
    const events = [chunk, error].map((data) => `data: ${JSON.stringify(data)}\n\n`).join('');
    const server = await started({
      script: { kind: 'raw', bytes: `HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n${events}` },
    });
    const failure = await failureOf(chatOnce(server, { schema: { type: 'object' } }));
    expect(failure.code).toBe('model_input_rejected');
    expect(server.chats).toHaveLength(1);
  });

  it('a refusal as the first event of a stream counts with its status', async () => {
    const server = await started({
      script: ({ path, body }) =>
        path.endsWith('/chat/completions') && formatOf(body as Body).endsWith('strict')
          ? {
              kind: 'raw',
              bytes: `HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\ndata: {"error": {"message": "Grammar error: Invalid type", "code": 400}}\n\ndata: [DONE]\n\n`,
            }
          : undefined,
    });
    await chatOnce(server, { schema: { type: 'object' } });
    expect(asked(server).map(formatOf)).toEqual(['json_schema, strict', 'json_schema']);
  });

  it('a refusal of any words leads to a bounded number of requests, and no field is left out twice', async () => {
    const words = fc
      .array(
        fc.constantFrom(
          'temperature',
          'schema',
          'grammar',
          'seed',
          'top_p',
          'max_tokens',
          'max_completion_tokens',
          'system',
          'role',
          'stream_options',
          'response_format',
          'maximum context length is 2048 tokens',
          '1900 input tokens',
          'not',
          'max_tokens=200 cannot be greater than max_model_len=100',
          'roles must alternate',
          'chat_template_kwargs',
          '\n',
        ),
        { maxLength: 20 },
      )
      .map((list) => list.join(' '));
    const status = fc.constantFrom(400, 404, 413, 422, 500, 503);
    let refusal: Act = { kind: 'silence' };
    let server: ScriptedOpenAi | null = null;
    const property = fc.asyncProperty(words, words, status, async (first, second, code) => {
      server ??= await started({ script: ({ path }) => (path.endsWith('/chat/completions') ? refusal : undefined) });
      const before = server.chats.length;
      refusal = { kind: 'document', status: code, body: { error: { message: first, detail: second, code } } };
      await failureOf(chatOnce(server, { schema: { type: 'object' }, topP: 0.5 }));
      const bodies = server.chats.slice(before).map(({ body }) => JSON.stringify(body));
      expect(bodies.length).toBeLessThanOrEqual(MOST_REQUESTS);
      expect(new Set(bodies).size).toBe(bodies.length);
    });
    await assertProperty(property, { runs: 60, deepRuns: 400 });
  });
});

/** One, one for each deviation, and one with the room that is left. */
const MOST_REQUESTS = 11;

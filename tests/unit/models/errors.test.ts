/**
 * Errors of the model server are told apart the same way on both ends of the supported range.
 */
import { describe, expect, it } from 'vitest';
import { classifyServerFault, errorText, toModelError } from '../../../activities/models/client/faults.ts';
import { versionSupport } from '../../../activities/models/client/ollama/versions.ts';
import { DeckhandError, type ErrorCode } from '../../../domain/errors.ts';

/** The error class of the npm client, which it does not export. */
class ResponseError extends Error {
  readonly status_code: number;
  constructor(message: string, status: number) {
    super(message);
    this.status_code = status;
  }
}

/** Newer servers put JSON inside the error string. */
const inJson = (message: string, type = 'invalid_request_error', more: object = {}): string =>
  JSON.stringify({ error: { code: 400, message, type, ...more } });
const RUNNER_STOPPED =
  'model runner has unexpectedly stopped, this may be due to resource limitations or an internal error, check ollama server logs for details';
const BUSY = 'server busy, please try again.  maximum pending requests exceeded';
const NO_VISION = 'image input is not supported - hint: if this is unexpected, you may need to provide the mmproj';
const CONTEXT = 'request (4042 tokens) exceeds the available context size (256 tokens), try increasing it';
const NO_MEMORY = 'model requires more system memory (11.0 GiB) than is available (7.2 GiB)';

/** Errors as the two ends of the supported range of Ollama word them. A status of null is a line inside a stream that began with 200. */
const [OLD, NEW] = ['0.24.0', '0.34.4'];
type Row = readonly [server: string, what: string, status: number | null, message: string];
const ERRORS: Partial<Record<ErrorCode, readonly Row[]>> = {
  model_not_ready: [
    [OLD, 'no such model', 404, "model 'gemma9' not found"],
    [NEW, 'no such model', 404, "model 'gemma9' not found"],
    [OLD, 'not enough memory', 500, NO_MEMORY],
    [OLD, 'load stalled', 500, 'timed out waiting for llama runner to start - progress 0.00 - '],
  ],
  model_input_rejected: [
    [OLD, 'bad base64', 400, 'illegal base64 data at input byte 4'],
    [NEW, 'bad base64', 400, 'illegal base64 data at input byte 4'],
    [OLD, 'bad image', 500, 'failed to process inputs: image: unknown format'],
    [OLD, 'a picture that is not there', 500, 'invalid image index: 1'],
    [NEW, 'bad image', 400, inJson('Failed to load image or audio file')],
    [NEW, 'image for a model without vision', 400, inJson(NO_VISION)],
    [OLD, 'bad schema', 500, 'invalid JSON schema in format'],
    [NEW, 'bad schema', 400, inJson('Failed to initialize samplers: failed to parse grammar')],
    [OLD, 'bad option', 500, 'option "num_ctx" must be of type integer'],
    [OLD, 'cannot think', 400, '"phi4" does not support thinking'],
  ],
  model_crashed: [
    [OLD, 'undecodable image on a llava model', 500, RUNNER_STOPPED],
    [OLD, 'runner killed', null, 'an error was encountered while running the model: unexpected EOF'],
    [OLD, 'runner killed', 500, 'an error was encountered while running the model: unexpected EOF'],
    [NEW, 'runner killed', null, 'Post "http://127.0.0.1:41851/v1/chat/completions": unexpected EOF'],
    [OLD, 'neighbour crashed', 500, 'SIGSEGV: segmentation violation signal arrived during cgo execution'],
    [NEW, 'runner killed', 500, 'llama-server process has terminated: exit status 2'],
  ],
  prompt_too_long: [
    [OLD, 'prompt too long', 400, 'the input length exceeds the context length'],
    [NEW, 'prompt too long', 400, inJson(CONTEXT, 'exceed_context_size_error', { n_prompt_tokens: 4042, n_ctx: 256 })],
  ],
  model_busy: [
    [OLD, 'busy', 503, BUSY],
    [NEW, 'busy', 503, BUSY],
  ],
  model_unreachable: [[OLD, 'cancelled', 499, 'request canceled']],
};

describe('an error of Ollama', () => {
  const rows = Object.entries(ERRORS).flatMap(([code, list]) => list.map((row) => [code, ...row] as const));
  it.each(rows)('is %s: %s %s (%s)', (code, _server, _what, status, message) => {
    expect(classifyServerFault({ status, message })).toBe(code);
    const error = status === null ? new Error(message) : new ResponseError(message, status);
    expect(toModelError(error, 'chat').code).toBe(code);
  });

  it('without words we know is judged by its status', () => {
    const expected = {
      model_input_rejected: [400],
      model_not_ready: [404],
      model_unreachable: [401, 403, 408, 499, 502, 504],
      model_busy: [429, 503],
      model_crashed: [500, null],
    };
    for (const [code, statuses] of Object.entries(expected))
      for (const status of statuses) expect(classifyServerFault({ status, message: 'hm' }), `${status}`).toBe(code);
  });

  it('of the connection is found behind its causes', () => {
    const refused = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:1'), { code: 'ECONNREFUSED' });
    const both = new AggregateError([refused]);
    for (const cause of [refused, both])
      expect(toModelError(new TypeError('fetch failed', { cause }), 'chat').code).toBe('model_unreachable');
    expect(toModelError(new TypeError('terminated'), 'chat').code).toBe('model_unreachable');
  });

  it('an error of authorisation says whether a key is wanted or refused', () => {
    const refusal = new ResponseError('unauthorized', 401);
    expect(toModelError(refusal, 'show')).toMatchObject({
      userMessage: 'The model server wants a key (401).',
      hint: expect.stringContaining('--key-file') as unknown,
    });
    expect(toModelError(refusal, 'show', 'sesame').userMessage).toBe('The model server refuses the key (401).');
  });

  it('a fault is judged by the begin of what is said', () => {
    const message = `${'model '.repeat(2000)} server busy`;
    expect(classifyServerFault({ status: 400, message })).toBe('model_input_rejected');
    expect(classifyServerFault({ status: 400, message: message.slice(-8000) })).toBe('model_busy');
  });

  it.each([
    ['the endpoint http://h/v1 wants a key (401); name one for it', 'The model server wants a key (401).'],
    ['the endpoint http://h/v1 refuses the key (403); correct it in k', 'The model server refuses the key (403).'],
    ['the endpoint http://h/v1 does not answer: Error', 'The model server cannot be reached.'],
  ])('an error of the way to an endpoint keeps what it says of the key: %s', (message, userMessage) => {
    expect(toModelError(new ResponseError(message, 502), 'chat')).toMatchObject({
      code: 'model_unreachable',
      userMessage,
    });
  });

  it('that is ours already stays as it is', () => {
    const ours = new DeckhandError('model_stalled', 'no token');
    expect(toModelError(ours, 'chat')).toBe(ours);
  });

  it('keeps what was asked and what was said in its message', () => {
    const error = toModelError(new ResponseError("model 'x' not found", 404), 'show x at http://h');
    expect(error.message).toBe("show x at http://h: 404 model 'x' not found");
  });
});

it.each([
  ['{"error":"plain"}', 'plain'],
  ['{"error":"{\\"error\\":{\\"code\\":400,\\"message\\":\\"inner\\"}}"}', 'inner'],
  ['{"error":{"message":"object"}}', 'object'],
  ['{"error":{"message":"Slow down.","code":"rate_limit_exceeded"}}', 'Slow down. (rate_limit_exceeded)'],
  ['{"error":{"message":"","code":"insufficient_quota"}}', '(insufficient_quota)'],
  ['{"error":{"message":"in source: x\\nError: Jinja Exception: no system"}}', 'Jinja Exception: no system'],
  ['<h1>Bad gateway</h1>', '<h1>Bad gateway</h1>'],
  ['{"error":', '{"error":'],
  ['', ''],
])('the text of an error body: %s is %s', (body, text) => expect(errorText(body)).toBe(text));

it.each([
  ['0.23.9', 'older'],
  ['0.24.0', 'supported'],
  ['v0.30.1-rc2', 'supported'],
  ['0.34.4', 'supported'],
  ['0.35.0', 'newer'],
  ['1.0.0', 'newer'],
  ['0.0.0', 'unknown'],
  ['main', 'unknown'],
] as const)('a server version: %s is %s', (version, support) => expect(versionSupport(version)).toBe(support));

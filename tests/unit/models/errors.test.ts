/**
 * Errors of the model server are told apart the same way on both ends of the supported range.
 */
import { describe, expect, it } from 'vitest';
import { errorText } from '../../../activities/models/client/connection.ts';
import { classifyServerFault, toModelError } from '../../../activities/models/client/errors.ts';
import { assertSupportedVersion, versionSupport } from '../../../activities/models/client/versions.ts';
import { DeckhandError } from '../../../domain/errors.ts';
import { ERROR_FIXTURES } from './error-fixtures.ts';
import { ResponseError } from './response-error.ts';

describe('an error of Ollama', () => {
  it.each(ERROR_FIXTURES)('$server $what ($status) is $code', ({ status, message, code }) => {
    expect(classifyServerFault({ status, message })).toBe(code);
    const error = status === null ? new Error(message) : new ResponseError(message, status);
    expect(toModelError(error, 'chat').code).toBe(code);
  });

  it('without words we know is judged by its status', () => {
    const codes = [400, 404, 408, 429, 499, 500, 502, 503, 504, null].map((status) =>
      classifyServerFault({ status, message: 'hm' }),
    );
    expect(codes).toEqual([
      'model_input_rejected',
      'model_not_ready',
      'model_unreachable',
      'model_busy',
      'model_unreachable',
      'model_crashed',
      'model_unreachable',
      'model_busy',
      'model_unreachable',
      'model_crashed',
    ]);
  });

  it('of the connection is found behind its causes', () => {
    const refused = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:1'), { code: 'ECONNREFUSED' });
    const both = new AggregateError([refused]);
    for (const cause of [refused, both])
      expect(toModelError(new TypeError('fetch failed', { cause }), 'chat').code).toBe('model_unreachable');
    expect(toModelError(new TypeError('terminated'), 'chat').code).toBe('model_unreachable');
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

describe('the text of an error body', () => {
  it.each([
    ['{"error":"plain"}', 'plain'],
    ['{"error":"{\\"error\\":{\\"code\\":400,\\"message\\":\\"inner\\"}}"}', 'inner'],
    ['{"error":{"message":"object"}}', 'object'],
    ['<h1>Bad gateway</h1>', '<h1>Bad gateway</h1>'],
    ['{"error":', '{"error":'],
    ['', ''],
  ])('%s is %s', (body, text) => expect(errorText(body)).toBe(text));
});

describe('a server version', () => {
  it.each([
    ['0.23.9', 'older'],
    ['0.24.0', 'supported'],
    ['v0.30.1-rc2', 'supported'],
    ['0.34.4', 'supported'],
    ['0.35.0', 'newer'],
    ['1.0.0', 'newer'],
    ['0.0.0', 'unknown'],
    ['main', 'unknown'],
  ] as const)('%s is %s', (version, support) => expect(versionSupport(version)).toBe(support));

  it('is refused when it is too old or unknown, and only then', () => {
    expect(() => assertSupportedVersion('0.9.1')).toThrow(/older/);
    expect(() => assertSupportedVersion('')).toThrow(DeckhandError);
    expect(() => assertSupportedVersion('0.24.0')).not.toThrow();
    expect(() => assertSupportedVersion('0.99.0')).not.toThrow();
  });
});

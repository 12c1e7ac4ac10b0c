/**
 * What every server behind Deckhand's model client must do on the wire: the protocol as a real Ollama 0.24 speaks it.
 *
 * The same facts are checked on the real server and on the built-in reader, so that what works on one works on the other. Requests are
 * raw HTTP, without the npm client, because its types say what should arrive and this says what does.
 */
import { describe, expect, it } from 'vitest';
import sharp from 'sharp';

export interface ContractModels {
  /** A model without vision. */
  readonly text: string;
  readonly vision: string;
}

type Body = Record<string, unknown>;
interface Answer {
  readonly status: number;
  readonly contentType: string;
  /** One per line for a stream, one for a plain answer. */
  readonly parts: Body[];
}

/** A schema within the keywords that toModelSchema lets through; its task is unknown. */
const SCHEMA = {
  title: 'contract_example',
  type: 'object',
  properties: {
    evidence: { type: 'array', maxItems: 3, items: { type: 'string', maxLength: 30 } },
    kind: { type: 'string', enum: ['chart', 'table'] },
    legible: { type: 'boolean' },
    score: { type: 'integer', minimum: 0, maximum: 7 },
    day: { type: 'string', format: 'date' },
    code: { type: 'string', pattern: '^[A-Z]{3}-[0-9]+$', maxLength: 40 },
    note: { anyOf: [{ type: 'string', maxLength: 20 }, { type: 'null' }] },
  },
  required: ['evidence', 'kind', 'legible', 'score', 'day', 'code', 'note'],
  additionalProperties: false,
} as const;

const OPTIONS = { num_ctx: 2048, num_predict: 400, temperature: 0.2, seed: 1 } as const;
const UNKNOWN = 'missing-model';

/** Declares the suite for one server. `getHost` is called inside the tests, after the entry file's own set-up. */
export function ollamaProtocolContract(getHost: () => string, models: ContractModels): void {
  const send = (path: string, body?: Body, signal?: AbortSignal): Promise<Response> =>
    fetch(getHost() + path, {
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    });

  const ask = async (path: string, body?: Body): Promise<Answer> => {
    const response = await send(path, body);
    const text = await response.text();
    return {
      status: response.status,
      contentType: response.headers.get('content-type') ?? '',
      parts: text
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as Body),
    };
  };

  const chat = (changes: Body = {}): Promise<Answer> =>
    ask('/api/chat', {
      model: models.text,
      messages: [
        { role: 'system', content: 'Answer with one JSON object.' },
        { role: 'user', content: 'What does the slide say?' },
      ],
      format: SCHEMA,
      options: OPTIONS,
      ...changes,
    });

  const textOf = (part: Body): string => {
    const text = (part['message'] as Body | undefined)?.['content'] ?? part['response'];
    return typeof text === 'string' ? text : '';
  };
  const contentOf = (answer: Answer): string => answer.parts.map(textOf).join('');
  const lastOf = (answer: Answer): Body => answer.parts.at(-1) ?? {};

  const expectError = (answer: Answer, status: number, message: RegExp): void => {
    expect(answer.status).toBe(status);
    expect(answer.contentType).toMatch(/^application\/json/);
    expect(answer.parts).toEqual([{ error: expect.stringMatching(message) as string }]);
  };

  const entriesOf = async (path: '/api/ps' | '/api/tags'): Promise<Body[]> => {
    const { parts } = await ask(path);
    const entries = parts[0]?.['models'];
    expect(entries).toBeInstanceOf(Array);
    return entries as Body[];
  };

  const loaded = async (model: string): Promise<Body | undefined> => {
    return (await entriesOf('/api/ps')).find((entry) => entry['name'] === `${model}:latest`);
  };

  const picture = async (): Promise<string> => {
    const image = sharp({ create: { width: 160, height: 90, channels: 3, background: '#1f4e79' } });
    return (await image.jpeg().toBuffer()).toString('base64');
  };

  const COST = {
    total_duration: expect.any(Number) as number,
    load_duration: expect.any(Number) as number,
    prompt_eval_count: expect.any(Number) as number,
    prompt_eval_duration: expect.any(Number) as number,
    eval_count: expect.any(Number) as number,
    eval_duration: expect.any(Number) as number,
  };

  describe('says what it is and has', () => {
    it('its version', async () => {
      const answer = await ask('/api/version');
      expect(answer.status).toBe(200);
      expect(answer.parts[0]?.['version']).toMatch(/^0\.\d+\.\d+/);
    });

    it('its models with digest, size and details', async () => {
      const entries = await entriesOf('/api/tags');
      for (const model of [models.text, models.vision]) {
        expect(entries).toContainEqual(
          expect.objectContaining({
            name: `${model}:latest`,
            model: `${model}:latest`,
            digest: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
            size: expect.any(Number) as number,
            modified_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as string,
            details: expect.objectContaining({
              format: expect.any(String) as string,
              family: expect.any(String) as string,
              parameter_size: expect.any(String) as string,
              quantization_level: expect.any(String) as string,
            }) as Body,
          }),
        );
      }
    });

    it('what each model can do', async () => {
      const text = (await ask('/api/show', { model: models.text })).parts[0];
      expect(text).toMatchObject({ details: { family: expect.any(String) as string } });
      expect(text?.['capabilities']).toContain('completion');
      expect(text?.['capabilities']).not.toContain('vision');
      const vision = (await ask('/api/show', { model: models.vision })).parts[0];
      expect(vision?.['capabilities']).toEqual(expect.arrayContaining(['completion', 'vision']));
    });
  });

  describe('loads and unloads', () => {
    it('a model by an empty chat, and lists it with its digest and window', async () => {
      const answer = await ask('/api/chat', {
        model: models.text,
        messages: [],
        stream: false,
        keep_alive: -1,
        options: { num_ctx: 1024 },
      });
      expect(answer.parts[0]).toMatchObject({
        done: true,
        done_reason: 'load',
        message: { role: 'assistant', content: '' },
      });
      const entry = (await entriesOf('/api/tags')).find((model) => model['name'] === `${models.text}:latest`);
      expect(await loaded(models.text)).toMatchObject({
        model: `${models.text}:latest`,
        digest: entry?.['digest'],
        size: expect.any(Number) as number,
        size_vram: expect.any(Number) as number,
        context_length: 1024,
        expires_at: expect.stringMatching(/^2[1-9]\d\d-/) as string,
      });
    });

    it('a model by an empty generate, as a stream too', async () => {
      const plain = await ask('/api/generate', { model: models.text, options: { num_ctx: 1024 } });
      expect(lastOf(plain)).toMatchObject({ done: true, done_reason: 'load', response: '' });
      const stream = await ask('/api/chat', {
        model: models.text,
        messages: [],
        stream: true,
        options: { num_ctx: 1024 },
      });
      expect(lastOf(stream)).toMatchObject({ done: true, done_reason: 'load' });
    });

    it('a model again when its window changes', async () => {
      await ask('/api/chat', { model: models.text, messages: [], stream: false, options: { num_ctx: 1024 } });
      await ask('/api/chat', { model: models.text, messages: [], stream: false, options: { num_ctx: 2048 } });
      expect(await loaded(models.text)).toMatchObject({ context_length: 2048 });
    });

    it('nothing more after keep_alive 0', async () => {
      await chat({ stream: false });
      expect(await loaded(models.text)).toBeDefined();
      const answer = await ask('/api/chat', { model: models.text, messages: [], stream: false, keep_alive: 0 });
      expect(answer.parts[0]).toMatchObject({ done: true, done_reason: 'unload' });
      await expect.poll(() => loaded(models.text), { timeout: 5000 }).toBeUndefined();
    });
  });

  describe('answers a chat', () => {
    it('in pieces, the last one with reason and cost', async () => {
      const answer = await chat({ stream: true });
      expect(answer.status).toBe(200);
      expect(answer.contentType).toMatch(/^application\/x-ndjson/);
      expect(answer.parts.length).toBeGreaterThan(2);
      for (const part of answer.parts.slice(0, -1)) {
        expect(part).toMatchObject({
          model: models.text,
          created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/) as string,
          message: { role: 'assistant', content: expect.any(String) as string },
          done: false,
        });
      }
      expect(lastOf(answer)).toMatchObject({ done: true, done_reason: 'stop', ...COST });
    });

    it('in pieces when nothing is said about streaming', async () => {
      expect((await chat()).contentType).toMatch(/^application\/x-ndjson/);
    });

    it('as a whole without streaming', async () => {
      const answer = await chat({ stream: false });
      expect(answer.contentType).toMatch(/^application\/json/);
      expect(answer.parts).toHaveLength(1);
      expect(answer.parts[0]).toMatchObject({
        done: true,
        done_reason: 'stop',
        message: { role: 'assistant' },
        ...COST,
      });
      expect(contentOf(answer)).not.toBe('');
    });

    it('the same each time for the same seed', async () => {
      const [first, second] = [await chat({ stream: false }), await chat({ stream: false })];
      expect(contentOf(second)).toBe(contentOf(first));
    });

    it('about an image', async () => {
      const answer = await chat({
        model: models.vision,
        messages: [
          { role: 'system', content: 'Answer with one JSON object.' },
          { role: 'user', content: 'What does the slide say?', images: [await picture()] },
        ],
      });
      expect(answer.status).toBe(200);
      expect(lastOf(answer)).toMatchObject({ done: true, done_reason: 'stop' });
      expect(JSON.parse(contentOf(answer))).toHaveProperty('score');
    });

    it('to eight callers at once', async () => {
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, seed) => chat({ stream: true, options: { ...OPTIONS, seed } })),
      );
      for (const answer of answers) expect(lastOf(answer)).toMatchObject({ done: true, done_reason: 'stop' });
    });
  });

  describe('answers a generate', () => {
    const request = {
      model: models.text,
      system: 'Answer in JSON.',
      prompt: 'Say it.',
      format: SCHEMA,
      options: OPTIONS,
    };

    it('in pieces', async () => {
      const answer = await ask('/api/generate', request);
      expect(answer.contentType).toMatch(/^application\/x-ndjson/);
      expect(answer.parts[0]).toMatchObject({
        model: models.text,
        response: expect.any(String) as string,
        done: false,
      });
      expect(lastOf(answer)).toMatchObject({ done: true, done_reason: 'stop', ...COST });
      expect(JSON.parse(contentOf(answer))).toHaveProperty('score');
    });

    it('as a whole', async () => {
      const answer = await ask('/api/generate', { ...request, stream: false });
      expect(answer.parts).toHaveLength(1);
      expect(JSON.parse(contentOf(answer))).toHaveProperty('score');
    });
  });

  describe('obeys the schema', () => {
    it.each([0, 1, 2, 3, 4, 5, 6, 7])('in every keyword and in the order of its properties, seed %i', async (seed) => {
      const answer = await chat({ stream: false, options: { ...OPTIONS, temperature: 1, seed } });
      const value = JSON.parse(contentOf(answer)) as Body;
      expect(Object.keys(value)).toEqual(Object.keys(SCHEMA.properties));
      const evidence = value['evidence'] as string[];
      expect(evidence.length).toBeLessThanOrEqual(3);
      for (const item of evidence) expect(Array.from(item).length).toBeLessThanOrEqual(30);
      expect(['chart', 'table']).toContain(value['kind']);
      expect([true, false]).toContain(value['legible']);
      expect([0, 1, 2, 3, 4, 5, 6, 7]).toContain(value['score']);
      expect(value['day']).toMatch(/^\d{4}-\d\d-\d\d$/);
      expect(value['code']).toMatch(/^[A-Z]{3}-[0-9]+$/);
      expect(value['note'] === null || typeof value['note'] === 'string').toBe(true);
    });
  });

  describe('cuts', () => {
    it('an answer at num_predict, and says so', async () => {
      const answer = await chat({ stream: false, options: { ...OPTIONS, num_predict: 3 } });
      expect(answer.status).toBe(200);
      expect(lastOf(answer)).toMatchObject({ done: true, done_reason: 'length', eval_count: 3 });
      expect(() => JSON.parse(contentOf(answer)) as unknown).toThrow(SyntaxError);
    });

    it('no prompt in silence when truncate is false', async () => {
      const long = 'The market for remote care grows every year. '.repeat(1500);
      const answer = await chat({ truncate: false, messages: [{ role: 'user', content: long }] });
      expectError(answer, 400, /exceed.*context/i);
    });
  });

  describe('refuses', () => {
    it('a model it does not have', async () => {
      const messages = [{ role: 'user', content: 'hello' }];
      expectError(await ask('/api/chat', { model: UNKNOWN, messages }), 404, /model .*not found/);
      expectError(await ask('/api/generate', { model: UNKNOWN, prompt: 'hello' }), 404, /model .*not found/);
      expectError(await ask('/api/show', { model: UNKNOWN }), 404, /model .*not found/);
      expectError(await ask('/api/chat', { model: UNKNOWN, messages: [] }), 404, /model .*not found/);
    });

    it('a request without a model', async () => {
      expectError(await ask('/api/chat', { messages: [] }), 400, /model is required/);
    });

    it('a body that is not JSON', async () => {
      const response = await fetch(`${getHost()}/api/chat`, { method: 'POST', body: '{"model":' });
      expect(response.status).toBe(400);
      expect(await response.json()).toEqual({ error: expect.any(String) as string });
    });

    it.each(['@@ not base64', 'data:image/jpeg;base64,/9j/4AAQ'])('the image %s', async (image) => {
      const messages = [{ role: 'user', content: 'What is this?', images: [image] }];
      expectError(await chat({ model: models.vision, messages }), 400, /illegal base64/);
    });

    it('to think with a model that cannot, and takes think: false from it', async () => {
      expectError(await chat({ think: true }), 400, /does not support thinking/);
      expect((await chat({ think: false })).status).toBe(200);
    });

    it('a schema it cannot turn into a grammar', async () => {
      expectError(await chat({ format: { type: 'nonsense' } }), 500, /invalid JSON schema/);
    });

    it('to pull what no registry has, inside a stream that began well', async () => {
      // A registry on a closed local port: the same failure with and without a network.
      const answer = await ask('/api/pull', { model: '127.0.0.1:9/none/none' });
      expect(answer.status).toBe(200);
      expect(answer.contentType).toMatch(/^application\/x-ndjson/);
      expect(answer.parts[0]).toEqual({ status: 'pulling manifest' });
      expect(lastOf(answer)).toEqual({ error: expect.any(String) as string });
      const plain = await ask('/api/pull', { model: '127.0.0.1:9/none/none', stream: false });
      expectError(plain, 500, /./);
    });
  });

  describe('is free again', () => {
    it(
      'after its callers hung up in the middle',
      async () => {
        const body = {
          model: models.text,
          messages: [{ role: 'user', content: 'hello' }],
          format: LONG_SCHEMA,
          options: LONG_OPTIONS,
        };
        // More than fit at once: those that wait must leave the queue as well.
        await Promise.all(
          Array.from({ length: 12 }, async (_, index) => {
            const controller = new AbortController();
            const request = send('/api/chat', body, controller.signal);
            if (index < 3) {
              const response = await request;
              await response.body?.getReader().read();
            }
            controller.abort();
            // Those that have their answer's head lost the rest of it; the others fail as aborted.
            if (index >= 3) await expect(request).rejects.toThrow(/abort/iu);
          }),
        );
        const answer = await chat({ stream: true });
        expect(lastOf(answer)).toMatchObject({ done: true, done_reason: 'stop' });
      },
      HUNG_UP_TIMEOUT_MS,
    );
  });
}

/** Far less than the answers below would take if hanging up did not end them (a real server writes one of them in a minute and a half). */
const HUNG_UP_TIMEOUT_MS = 30_000;

/** An answer that takes any server long: only its abort ends it soon. */
const LONG_SCHEMA = {
  title: 'contract_long',
  type: 'object',
  properties: {
    items: { type: 'array', minItems: 1500, maxItems: 1500, items: { type: 'string', minLength: 20, maxLength: 40 } },
  },
  required: ['items'],
  additionalProperties: false,
} as const;
const LONG_OPTIONS = { ...OPTIONS, num_predict: 100_000 } as const;

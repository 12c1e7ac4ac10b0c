/**
 * The contract of every model server behind Deckhand's port, whatever its kind: each real server runs it with tiny models of random weights,
 * whose answers keep to a schema and mean nothing.
 */
import sharp from 'sharp';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { generateStructured, type ModelReply, type ModelRequest } from '../../activities/models/client/generate.ts';
import { ensureLoaded, type ChatPart, type ModelServer } from '../../activities/models/client/model-server.ts';
import { openModelServer } from '../../activities/models/client/open.ts';
import { probeModel } from '../../activities/models/probes/probe-model.ts';
import { DeckhandError } from '../../domain/errors.ts';
import { attemptLimits, type AttemptWork, fixedLimits } from '../../domain/models/call-limits.ts';
import { toModelSchema } from '../../domain/models/json-schema.ts';
import { MODEL_TASKS } from '../../domain/models/model-tasks.ts';
import type { ServerKind } from '../../domain/models/server-kind.ts';
import { until } from '../../testing/until.ts';
import { cutWay, misnamedWay, redirectWay, slowWay, type Way } from './ways.ts';

/** A server that the contract is checked on. */
export interface ContractServer {
  readonly kind: ServerKind;
  readonly url: string;
  /** A model that sees pictures. */
  readonly model: string;
  /** One that sees none; null = the server has no other model. */
  readonly blindModel: string | null;
  /** Window that calls ask for, or that the server was started with, tokens; long enough for the longest answer here. */
  readonly windowTokens: number;
  /** Calls that it works on at a time. */
  readonly slots: number;
  /** Whether it refuses a prompt that is longer than its window. */
  readonly refusesLongPrompts: boolean;
  /** Requests that it does not work on any more, by its own log. */
  endedRequests(): Promise<number>;
  /** Kills all of its processes with -9. */
  kill(): void;
}

/** Far less than the answers below take if hanging up does not end them. */
const HANG_UP_TIMEOUT_MS = 120_000;
const LIMIT_MS = 60_000;
const signal = new AbortController().signal;
const context = { signal };

/** An answer of many thousand tokens: long enough to be caught in the middle. */
const longSchema = z.object({ items: z.array(z.string().min(20).max(40)).min(1500).max(1500) });
const shortSchema = z.object({ name: z.string().max(60), score: z.int().min(0).max(7) });

interface Changes {
  readonly url?: string;
  readonly model?: string;
  readonly user?: string;
  readonly images?: Uint8Array[];
  readonly options?: Partial<ModelRequest['options']>;
  readonly limits?: Partial<ModelRequest['limits']>;
}

const slide = (colour: string): Promise<Uint8Array> =>
  sharp({ create: { width: 896, height: 504, channels: 3, background: colour } })
    .jpeg()
    .toBuffer();

const codeOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'no error',
    (error: unknown) => (error instanceof DeckhandError ? error.code : String(error)),
  );

/** Declares the suite. `server` is looked at in the tests alone, after the file's own set-up. The last test kills it. */
export function modelServerContract(server: ContractServer): void {
  const open = (url = server.url): ModelServer => openModelServer({ kind: server.kind, url });

  function ask<T>(
    schema: z.ZodType<T>,
    name: string,
    changes: Changes = {},
    cancel = signal,
    onToken?: () => void,
  ): Promise<ModelReply<T>> {
    const request: ModelRequest = {
      server: open(changes.url),
      model: changes.model ?? server.model,
      system: 'Answer with one JSON object.',
      user: changes.user ?? 'Aurora builds a platform for hospitals and raises EUR 2.5 million.',
      images: changes.images ?? [],
      schema: toModelSchema(schema, name),
      schemaName: name,
      options: { numCtx: server.windowTokens, numPredict: 1500, temperature: 0.1, seed: 1, ...changes.options },
      limits: { ofAttempt: () => fixedLimits(LIMIT_MS), loadTimeoutMs: LIMIT_MS, maxAttempts: 3, ...changes.limits },
    };
    return generateStructured(request, (value) => schema.parse(value), {
      signal: cancel,
      onPhase: ({ phase }) => {
        if (phase === 'generating') onToken?.();
      },
    });
  }

  /** A call that writes when the promise `started` resolves. */
  function longCall(cancel = signal, changes: Changes = {}): { started: Promise<void>; reply: Promise<unknown> } {
    const { promise: started, resolve } = Promise.withResolvers<void>();
    const options = { numPredict: Math.floor(server.windowTokens * 0.9) };
    const reply = ask(longSchema, 'long', { ...changes, options }, cancel, resolve);
    return { started, reply };
  }

  const by = async (way: Promise<Way>): Promise<string> => {
    const { url, stop } = await way;
    onTestFinished(stop);
    return url;
  };

  describe('a server', () => {
    it('a server says its version, and the same identity of a model each time', async () => {
      expect(await open().version(context)).toMatch(/\w/u);
      const info = await open().inspect(server.model, context);
      expect(info.digest).toMatch(/^(?:by-name:)?[0-9a-f]{64}$/u);
      expect(info.capabilities).toContain('vision');
      expect(await open().inspect(server.model, context)).toEqual(info);
    });

    it('a server has a model in memory with its window after it was loaded', async () => {
      const options = { numCtx: server.windowTokens, loadTimeoutMs: LIMIT_MS };
      await ensureLoaded(open(), server.model, options, context);
      const loaded = await open().findLoaded(server.model, server.windowTokens, context);
      // A server may not say its window.
      expect([server.windowTokens, null]).toContain(loaded?.windowTokens);
      const { digest } = await open().inspect(server.model, context);
      expect(loaded?.digest).toBe(digest);
      const running = await open().running(context);
      expect(running.filter(({ name }) => open().isSameModel(name, server.model))).toHaveLength(1);
    });

    it('a server is not ready with a model that it does not have, nor can pull it from nowhere', async () => {
      const missing = '127.0.0.1:9/none/none';
      expect(await codeOf(open().inspect(missing, context))).toBe('model_not_ready');
      expect(await codeOf(ask(shortSchema, 'short', { model: missing }))).toBe('model_not_ready');
      expect(await codeOf(open().pull(missing, context))).toBe('model_not_ready');
    });

    it('a server shows in the readiness probes what its model can do', async () => {
      const { windowTokens } = await ensureLoaded(
        open(),
        server.model,
        { numCtx: server.windowTokens, loadTimeoutMs: LIMIT_MS },
        context,
      );
      const probed = {
        name: server.model,
        askedWindowTokens: server.windowTokens,
        windowTokens,
        trainedWindowTokens: null,
        seesPictures: true,
        canThink: false,
      };
      const options = { parallel: server.slots, signal, budgetMs: 180_000, known: null };
      const { findings, speed } = await probeModel(open(), probed, options);
      expect(findings).toMatchObject({ answers: 'alone', schema: 'enforced', thinking: 'none', refusal: null });
      expect(findings.tokensPerPicture).toBeGreaterThan(0);
      // Where the machine is too busy to measure it, that is said.
      expect(speed === null ? findings.skipped : []).toEqual(speed === null ? [expect.stringMatching(/speed/u)] : []);
    });
  });

  describe('an answer', () => {
    it.each(Object.entries(MODEL_TASKS))('an answer has the shape of the task %s', async (name, task) => {
      const images = task.gpuClass === 'gpu-visual' ? [await slide('#1f4e79')] : [];
      const reply = await ask(task.schema, name, { images });
      expect(reply.promptTokens).toBeGreaterThan(0);
      expect(reply.outputTokens).toBeGreaterThan(0);
    });

    it('an answer comes in parts, and the last one says how it ended', async () => {
      const parts: ChatPart[] = [];
      const request = {
        model: server.model,
        messages: [{ role: 'user', content: 'Write.' }],
        schema: toModelSchema(shortSchema, 'short'),
        windowTokens: server.windowTokens,
        mostTokens: 300,
        temperature: 0,
        seed: 1,
        thinking: 'leave',
      } as const;
      for await (const part of open().chat(request, signal)) parts.push(part);
      expect(parts.length).toBeGreaterThan(5);
      expect(parts.slice(0, -1).every(({ end }) => end === null)).toBe(true);
      expect(parts.at(-1)?.end).toMatchObject({ isCut: false });
    });

    it('an answer differs with the picture', async () => {
      const look = async (colour: string): Promise<string> =>
        (await ask(shortSchema, 'short', { images: [await slide(colour)], options: { temperature: 0 } })).raw;
      expect(await look('#ffffff')).not.toBe(await look('#7b1f1f'));
    });

    it('an answer comes within limits that follow from the measured speed', async () => {
      const speed = { readTokensPerSec: 500, writeTokensPerSec: 50 };
      const limits = {
        ofAttempt: (work: AttemptWork) => attemptLimits(work, { alone: speed, full: null, slots: null }, 1),
      };
      expect((await ask(shortSchema, 'short', { limits })).attempts).toBe(1);
    });

    it('an answer is asked for again with what was wrong with the first one', async () => {
      let parsed = 0;
      const once = shortSchema.refine(() => {
        parsed += 1;
        return parsed > 1;
      });
      const reply = await ask(once, 'short');
      expect(reply).toMatchObject({ attempts: 2, value: { score: expect.any(Number) as number } });
      expect(reply.attemptLog[0]?.outcome).toBe('schema_mismatch');
    });

    it('an answer that repeats itself is ended early, and unparseable when each attempt does', async () => {
      const sentence = 'the same words again and again ';
      const loop = z.object({ items: z.array(z.literal(sentence)).min(400).max(400) });
      await expect(ask(loop, 'loop', { options: { numPredict: 8000 } })).rejects.toMatchObject({
        code: 'model_output_unparseable',
        message: expect.stringContaining('1: repetition') as string,
      });
    });

    it('an answer is unparseable when each attempt is cut off', async () => {
      const reply = ask(shortSchema, 'short', { options: { numPredict: 2 } });
      await expect(reply).rejects.toMatchObject({
        code: 'model_output_unparseable',
        message: expect.stringContaining('1: truncated') as string,
      });
    });

    it('an answer is refused, not cut, where the prompt is longer than the window', async ({ skip }) => {
      if (!server.refusesLongPrompts) return skip('the server cuts long prompts without a word');
      const user = 'The market for remote care grows every year. '.repeat(server.windowTokens / 4);
      expect(await codeOf(ask(shortSchema, 'short', { user }))).toBe('prompt_too_long');
    });

    it('an answer comes for eight calls at once', async () => {
      const calls = Array.from({ length: 8 }, (_, seed) => ask(shortSchema, 'short', { options: { seed } }));
      for (const reply of await Promise.all(calls)) expect(reply.value.score).toBeLessThanOrEqual(7);
    });

    it('an answer is an error of model or input for a picture that is none, and the next call is served', async () => {
      const images = [new TextEncoder().encode('this is no picture at all')];
      // Ollama 0.24 loses the runner of a llava model over it.
      expect(['model_crashed', 'model_input_rejected']).toContain(await codeOf(ask(shortSchema, 'short', { images })));
      expect((await ask(shortSchema, 'short')).attempts).toBeGreaterThan(0);
    });

    it('an answer is refused for a picture that the model cannot see', async ({ skip }) => {
      const { blindModel: model } = server;
      if (model === null) return skip('the server has one model, which sees');
      expect(await codeOf(ask(shortSchema, 'short', { model, images: [await slide('#fff')] }))).toBe(
        'model_lacks_vision',
      );
    });
  });

  describe('a call that is cancelled', () => {
    it(
      'a call that is cancelled ends on the server in the middle of its answer, by its log',
      { timeout: HANG_UP_TIMEOUT_MS },
      async () => {
        const before = await server.endedRequests();
        const cancel = new AbortController();
        const { started, reply } = longCall(cancel.signal);
        const ended = expect(reply).rejects.toThrow('cancelled by a person');
        await started;
        cancel.abort(new Error('cancelled by a person'));
        await ended;
        await until(() => server.endedRequests()).is((now) => now > before);
      },
    );

    it(
      'frees the server at once, though more was asked than it can do at a time',
      { timeout: HANG_UP_TIMEOUT_MS },
      async () => {
        const cancel = new AbortController();
        const calls = Array.from({ length: 2 * server.slots }, () => longCall(cancel.signal));
        const ends = calls.map(({ reply }) => expect(reply).rejects.toThrow('cancelled by a person'));
        await Promise.race(calls.map(({ started }) => started));
        cancel.abort(new Error('cancelled by a person'));
        await Promise.all(ends);
        expect((await ask(shortSchema, 'short')).attempts).toBe(1);
      },
    );
  });

  describe('a bad connection', () => {
    it('a bad connection that is slow brings the whole answer', async () => {
      const url = await by(slowWay(server.url));
      expect((await ask(shortSchema, 'short', { url })).value.score).toBeLessThanOrEqual(7);
    });

    it('a bad connection that brings half an answer is no answer', async () => {
      const url = await by(cutWay(server.url, 3));
      const code = await codeOf(ask(longSchema, 'long', { url, limits: { maxAttempts: 1 } }));
      expect(['model_unreachable', 'model_crashed']).toContain(code);
    });

    it('a bad connection with a certificate for another name is named as such', async () => {
      const url = await by(misnamedWay(server.url));
      await expect(open(url).version(context)).rejects.toMatchObject({
        code: 'model_unreachable',
        userMessage: expect.stringMatching(/certificate/u) as string,
      });
    });

    it('a bad connection that redirects is not followed, and is named', async () => {
      const url = await by(redirectWay(server.url));
      await expect(open(url).version(context)).rejects.toMatchObject({
        code: 'model_unreachable',
        userMessage: expect.stringMatching(/redirects \(307\)/u) as string,
      });
    });
  });

  describe('kill -9', () => {
    it('a server that is killed in the middle of an answer ends the call with a reason, and cannot be reached afterwards', async () => {
      const { started, reply } = longCall();
      const code = codeOf(reply);
      await started;
      server.kill();
      expect(['model_unreachable', 'model_crashed']).toContain(await code);
      expect(await codeOf(ask(shortSchema, 'short'))).toBe('model_unreachable');
    });
  });
}

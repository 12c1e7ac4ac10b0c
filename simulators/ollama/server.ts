/**
 * The built-in reader as a server: Ollama's HTTP API over the rules in `reader/`, and OpenAI's beside it.
 *
 * Tests and `main.ts` use `startReader`. Under `/_control/`, where Ollama has no routes, tests set a script and read counters.
 */
import { appendFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { DEFAULT_MODELS, READER_VERSION, type ReaderModel } from './catalog.ts';
import { runGeneration, type AnswerFigures, type AnswerWire, type GenerationRequest } from './generate.ts';
import { chatOf, errorOf, metricsPage, modelEntry, openAiWire, type TokenCounts } from './openai.ts';
import {
  booleanField,
  callOptions,
  chatMessages,
  decodeImages,
  FOREVER_MS,
  keepAliveMs,
  OllamaRefusal,
  parseBody,
  stringField,
  type JsonObject,
} from './protocol.ts';
import { Scheduler, type SchedulerLimits } from './scheduler.ts';
import { ScriptPlayer, type ReaderScriptInput, type ThinkingWish } from './script.ts';
import { ModelStore } from './model-store.ts';
import { StatsKeeper, type ReaderStats } from './stats.ts';

/** Options of a reader. Limits are named after Ollama's variables. */
export interface ReaderOptions extends Partial<SchedulerLimits> {
  /** Port; 0 (default) = a free one. */
  readonly port?: number;
  /** Address to bind; default 127.0.0.1. */
  readonly bind?: string;
  /** Milliseconds a model load takes, default 30. */
  readonly loadMs?: number;
  /** Milliseconds a pull takes, default 50. */
  readonly pullMs?: number;
  /** Models that the server knows; default: the reader's two, installed. */
  readonly models?: readonly ReaderModel[];
  /** Window of every model in OpenAI's protocol, which has no field for another one, tokens; default 32,768. */
  readonly windowTokens?: number;
  /** Of OpenAI's protocol: where models come from, by their names; default: a name of ours with the digest of the rules as its revision. */
  readonly roots?: Readonly<Record<string, string>>;
  /** Nobody but a control gets an answer before this time has passed, milliseconds; default 0. */
  readonly startMs?: number;
  readonly script?: ReaderScriptInput;
  /** File with one JSON line for the start and end of each call; it survives a kill. */
  readonly journalFile?: string;
}

/** Controls a running reader from the same process. */
export interface ReaderControl {
  /** Replaces the script and resets its counts. */
  setScript(script: ReaderScriptInput): void;
  stats(): ReaderStats;
}

/** A running reader. */
export interface RunningReader {
  /** Base URL, e.g. `http://127.0.0.1:11434`. */
  readonly host: string;
  readonly port: number;
  readonly control: ReaderControl;
  /** Ends it at once and closes open connections. */
  stop(): Promise<void>;
}

type Handler = (request: IncomingMessage, response: ServerResponse, signal: AbortSignal) => Promise<void> | void;

/** Starts a reader and resolves when it listens. */
export async function startReader(options: ReaderOptions = {}): Promise<RunningReader> {
  const reader = new ReaderServer(options);
  const server = createServer((request, response) => void reader.handle(request, response));
  // Calls have no time limit.
  server.requestTimeout = 0;
  await listen(server, options.port ?? 0, options.bind ?? '127.0.0.1');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : (options.port ?? 0);
  return {
    host: `http://127.0.0.1:${port}`,
    port,
    control: reader,
    stop: async () => {
      reader.close();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

function listen(server: Server, port: number, bind: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, bind, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

class ReaderServer implements ReaderControl {
  readonly #options: ReaderOptions;
  readonly #stats: StatsKeeper;
  readonly #scheduler: Scheduler;
  readonly #store: ModelStore;
  readonly #routes: ReadonlyMap<string, Handler>;
  readonly #tokens: TokenCounts = { promptTokens: 0, outputTokens: 0 };
  readonly #windowTokens: number;
  readonly #answersFromMs: number;
  #script: ScriptPlayer;

  constructor(options: ReaderOptions) {
    this.#options = options;
    const { journalFile } = options;
    this.#windowTokens = options.windowTokens ?? 32_768;
    this.#answersFromMs = performance.now() + (options.startMs ?? 0);
    this.#stats = new StatsKeeper(
      journalFile === undefined ? undefined : (entry) => appendFileSync(journalFile, `${JSON.stringify(entry)}\n`),
    );
    this.#script = new ScriptPlayer(options.script ?? {});
    this.#scheduler = new Scheduler(
      { parallel: 4, maxQueue: 512, maxLoadedModels: 3, defaultKeepAliveMs: 300_000, ...options },
      { onLoad: (name) => this.#stats.loaded(name), onUnload: () => this.#stats.unloaded() },
    );
    this.#store = new ModelStore(options.models ?? DEFAULT_MODELS);
    const alive: Handler = (_request, response) => sendText(response, 'Ollama is running');
    const version: Handler = (_request, response) => sendJson(response, 200, { version: READER_VERSION });
    const tags: Handler = (_request, response) => sendJson(response, 200, { models: this.#store.tags() });
    this.#routes = new Map<string, Handler>([
      ['GET /', alive],
      ['HEAD /', alive],
      ['GET /api/version', version],
      ['HEAD /api/version', version],
      ['GET /api/tags', tags],
      ['HEAD /api/tags', tags],
      [
        'GET /api/ps',
        (_request, response) =>
          sendJson(response, 200, {
            models: this.#scheduler.loaded().map((loaded) => this.#store.loadedEntry(loaded)),
          }),
      ],
      ['POST /api/show', withBody((body, response) => this.#show(body, response))],
      ['POST /api/pull', withBody((...call) => this.#pull(...call))],
      ['DELETE /api/delete', withBody((body, response) => this.#delete(body, response))],
      ['POST /api/chat', withBody((...call) => this.#chat(...call))],
      ['POST /api/generate', withBody((...call) => this.#generate(...call))],
      ['GET /health', (_request, response) => void response.writeHead(200).end()],
      ['GET /version', version],
      ['GET /metrics', (_request, response) => sendText(response, metricsPage(this.stats(), this.#tokens))],
      ['GET /v1/models', (_request, response) => sendJson(response, 200, { object: 'list', data: this.#entries() })],
      ['POST /v1/chat/completions', withBody((...call) => this.#completions(...call))],
      ['GET /_control/stats', (_request, response) => sendJson(response, 200, this.stats())],
      ['POST /_control/script', withBody((body, response) => this.#postScript(body, response))],
    ]);
  }

  setScript(script: ReaderScriptInput): void {
    this.#script = new ScriptPlayer(script);
  }

  stats(): ReaderStats {
    return this.#stats.snapshot();
  }

  close(): void {
    this.#scheduler.close();
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const gone = new AbortController();
    response.on('close', () => {
      if (!response.writableFinished) gone.abort(new Error('client closed the connection'));
    });
    const path = new URL(request.url ?? '/', 'http://reader').pathname;
    if (performance.now() < this.#answersFromMs && !/^\/(?:_control|api)\//u.test(path)) {
      request.socket.destroy();
      return;
    }
    const handler = this.#routes.get(`${request.method ?? 'GET'} ${path}`);
    const isOpenAi = path.startsWith('/v1/');
    try {
      if (handler !== undefined) await handler(request, response, gone.signal);
      else if (isOpenAi) sendJson(response, 404, { detail: 'Not Found' });
      else sendText(response, '404 page not found', 404);
    } catch (error) {
      if (gone.signal.aborted || response.destroyed) return;
      const refusal =
        error instanceof OllamaRefusal
          ? error
          : new OllamaRefusal(500, error instanceof Error ? error.message : String(error));
      const { status, body } = isOpenAi
        ? errorOf(refusal, this.#windowTokens)
        : { status: refusal.status, body: { error: refusal.message } };
      if (!response.headersSent) sendJson(response, status, body);
      else response.end(isOpenAi ? `data: ${JSON.stringify(body)}\n\ndata: [DONE]\n\n` : `${JSON.stringify(body)}\n`);
    }
  }

  #show(body: JsonObject, response: ServerResponse): void {
    const name = stringField(body, 'model') || stringField(body, 'name');
    if (name === '') throw new OllamaRefusal(400, 'model is required');
    sendJson(response, 200, this.#store.show(name));
  }

  #delete(body: JsonObject, response: ServerResponse): void {
    const model = this.#store.remove(stringField(body, 'model') || stringField(body, 'name'));
    this.#scheduler.unload(model.name);
    response.writeHead(200).end();
  }

  async #pull(body: JsonObject, response: ServerResponse, signal: AbortSignal): Promise<void> {
    const name = stringField(body, 'model') || stringField(body, 'name');
    if (name === '') throw new OllamaRefusal(400, 'invalid model name');
    const stream = booleanField(body, 'stream') ?? true;
    // After the first line the status has been sent; a failure is then reported in a line.
    const report = (line: JsonObject): void => {
      if (!stream) return;
      if (!response.headersSent) response.writeHead(200, { 'content-type': 'application/x-ndjson' });
      response.write(`${JSON.stringify(line)}\n`);
    };
    await this.#store.pull(name, this.#options.pullMs ?? 50, report, signal);
    if (stream) response.end();
    else sendJson(response, 200, { status: 'success' });
  }

  async #chat(body: JsonObject, response: ServerResponse, signal: AbortSignal): Promise<void> {
    const messages = chatMessages(body['messages']);
    const name = stringField(body, 'model');
    if (name === '') throw new OllamaRefusal(400, 'model is required');
    const piece = (text: string): JsonObject => ({ message: { role: 'assistant', content: text } });
    await this.#run({ body, name, messages, preload: messages.length === 0, piece }, response, signal);
  }

  async #generate(body: JsonObject, response: ServerResponse, signal: AbortSignal): Promise<void> {
    const images = decodeImages(body['images']);
    const prompt = stringField(body, 'prompt');
    const system = stringField(body, 'system');
    const messages = [
      ...(system === '' ? [] : [{ role: 'system', content: system, images: [] }]),
      { role: 'user', content: prompt, images },
    ];
    const piece = (text: string): JsonObject => ({ response: text });
    await this.#run(
      { body, name: stringField(body, 'model'), messages, preload: prompt === '', piece },
      response,
      signal,
    );
  }

  /** Entries of `/v1/models`. */
  #entries(): object[] {
    return this.#store
      .installed()
      .map(({ model, digest }) =>
        modelEntry(model, this.#options.roots?.[model.name] ?? `deckhand/${model.name}@${digest}`, this.#windowTokens),
      );
  }

  async #completions(body: JsonObject, response: ServerResponse, signal: AbortSignal): Promise<void> {
    const chat = chatOf(body, this.#windowTokens);
    const model = this.#store.find(chat.name);
    if (!model.capabilities.includes('vision') && chat.messages.some(({ images }) => images.length > 0))
      throw new OllamaRefusal(400, `${chat.name} is not a multimodal model`);
    const wire = openAiWire(chat, ({ promptTokens, outputTokens }) => {
      this.#tokens.promptTokens += promptTokens;
      this.#tokens.outputTokens += outputTokens;
    });
    const { name: requestedModel, messages, format, options, stream, thinking } = chat;
    await this.#generation(
      {
        requestedModel,
        model,
        messages,
        format,
        options,
        stream,
        thinking,
        keepAliveMs: FOREVER_MS,
        truncate: false,
        wire,
      },
      response,
      signal,
    );
  }

  #generation(request: GenerationRequest, response: ServerResponse, signal: AbortSignal): Promise<void> {
    const loadMs = this.#options.loadMs ?? 30;
    const context = { scheduler: this.#scheduler, stats: this.#stats, script: this.#script, loadMs };
    return runGeneration(request, context, response, signal);
  }

  async #run(
    call: {
      body: JsonObject;
      name: string;
      messages: GenerationRequest['messages'];
      preload: boolean;
      piece: (text: string) => JsonObject;
    },
    response: ServerResponse,
    signal: AbortSignal,
  ): Promise<void> {
    const { body, name, piece } = call;
    const model = this.#store.find(name);
    const keepAlive = keepAliveMs(body['keep_alive']);
    const loadMs = this.#options.loadMs ?? 30;
    if (call.preload) {
      const answer = { model: name, created_at: new Date().toISOString(), ...piece(''), done: true };
      if (keepAlive === 0) this.#scheduler.unload(model.name);
      else await this.#preload(body, model, keepAlive, loadMs, signal);
      sendJson(response, 200, { ...answer, done_reason: keepAlive === 0 ? 'unload' : 'load' });
      return;
    }
    const thinking = thinkingWish(body['think']);
    if (thinking !== 'off' && thinking !== 'unasked' && !model.capabilities.includes('thinking'))
      throw new OllamaRefusal(400, `${JSON.stringify(name)} does not support thinking`);
    const stream = booleanField(body, 'stream') ?? true;
    const request: GenerationRequest = {
      requestedModel: name,
      model,
      messages: call.messages,
      format: body['format'],
      options: body['options'],
      keepAliveMs: keepAlive,
      stream,
      truncate: booleanField(body, 'truncate') ?? true,
      thinking,
      wire: ollamaWire(name, stream, piece),
    };
    await this.#generation(request, response, signal);
  }

  async #preload(
    body: JsonObject,
    model: ReaderModel,
    keepAlive: number | undefined,
    loadMs: number,
    signal: AbortSignal,
  ): Promise<void> {
    const minimumCtx = model.capabilities.includes('vision') ? 2048 : 4;
    const { numCtx, reloadKey } = callOptions(body['options'], minimumCtx, this.#script.script.windowTokens);
    const fault = this.#script.faultFor({ task: 'load', model: model.name, slide: null, question: null });
    const hold = await this.#scheduler.acquire(
      {
        name: model.name,
        sizeBytes: model.sizeBytes,
        numCtx,
        reloadKey,
        keepAliveMs: keepAlive,
        loadMs: fault.loadMs ?? this.#script.script.loadMs ?? loadMs,
        cpu: fault.cpuFallback === true,
      },
      signal,
    );
    hold.release();
  }

  #postScript(body: JsonObject, response: ServerResponse): void {
    try {
      // Validated by the player itself; the cast only names what arrives.
      this.setScript(body as ReaderScriptInput);
    } catch (error) {
      throw new OllamaRefusal(400, error instanceof Error ? error.message : String(error));
    }
    sendJson(response, 200, { ok: true });
  }
}

const toNanoseconds = (ms: number): number => Math.round(ms * 1e6);

/** An answer as lines of JSON, or as one body. @param piece text as the endpoint writes it */
function ollamaWire(model: string, stream: boolean, piece: (text: string) => JsonObject): AnswerWire {
  const line = (body: JsonObject): string =>
    `${JSON.stringify({ model, created_at: new Date().toISOString(), ...body })}${stream ? '\n' : ''}`;
  return {
    contentType: 'application/x-ndjson',
    piece: (text) => line({ ...piece(text), done: false }),
    thought: (thinking) => line({ message: { role: 'assistant', content: '', thinking }, done: false }),
    end: (text, figures) => line({ ...piece(text), done: true, ...ollamaFigures(figures) }),
  };
}

const ollamaFigures = (figures: AnswerFigures): JsonObject => ({
  done_reason: figures.isCut ? 'length' : 'stop',
  total_duration: toNanoseconds(figures.totalMs),
  load_duration: toNanoseconds(figures.loadMs),
  prompt_eval_count: figures.promptTokens,
  prompt_eval_duration: toNanoseconds(figures.readMs),
  eval_count: figures.outputTokens,
  eval_duration: toNanoseconds(figures.writeMs),
});

/** Meaning of a call's `think`. */
function thinkingWish(think: unknown): ThinkingWish {
  if (think === undefined || think === null) return 'unasked';
  if (think === false) return 'off';
  return think === 'low' ? 'low' : 'on';
}

/** A handler of calls with a JSON object as their body. */
const withBody =
  (handle: (body: JsonObject, response: ServerResponse, signal: AbortSignal) => Promise<void> | void): Handler =>
  async (request, response, signal) =>
    handle(parseBody(await text(request)), response, signal);

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(body));
}

function sendText(response: ServerResponse, text: string, status = 200): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(text);
}

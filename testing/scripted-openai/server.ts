/**
 * A model server that speaks OpenAI's chat protocol as one of several servers does, misbehaves by a script, and records what it gets.
 *
 * It is made from the protocol alone and shares no code with the product: what it records is evidence about the product's client.
 */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSocketServer, type Server as SocketServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createSecureContext, type SecureContext, TLSSocket } from 'node:tls';
import { CHARACTERS_A_TOKEN } from '../scripted-model/answer.ts';
import { until } from '../until.ts';
import { answerForm, timingsOf, type Tokens, usageOf } from './answer-form.ts';
import { makeCertificate } from './certificate.ts';
import { documentOf, type Load } from './documents.ts';
import { type Document, refusalOf, type Refusal, refuse, type Refused } from './refusals.ts';
import { type Act, type Answer, textOf, thoughtsOf } from './script.ts';
import { type ChatBody, type Dialect, isThinking, limitOf, promptTokensOf, type Settings } from './settings.ts';

/** How a request ended. `broken`: the script broke it off. `hung_up`: the client did. `stopped`: the server was stopped. */
export type End = 'answered' | 'broken' | 'hung_up' | 'stopped';

/** One request, in the order in which they arrived. Times are milliseconds since the server began. */
export interface RecordedRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly remoteAddress: string;
  /** From 1, among requests with this method and path. */
  readonly ordinal: number;
  readonly arrivedAtMs: number;
  /** Parsed; the text where it is no JSON; null = it had none, or it has not arrived yet. */
  body: unknown;
  /** Chunks of a stream that were sent. */
  chunks: number;
  endedAtMs: number | null;
  end: End | null;
}

/** Chooses the act towards a request; undefined = the server answers as without a script. */
export type Script = (request: RecordedRequest) => Act | undefined;

export interface ScriptedOpenAiOptions extends Partial<Omit<Settings, 'models'>> {
  /** Names, or documents of which fields replace those of the dialect. */
  readonly models?: readonly (string | Settings['models'][number])[];
  readonly script?: Script | Act;
  readonly host?: string;
  readonly port?: number;
  /** It speaks TLS, with a certificate of its own for this name. */
  readonly tls?: { readonly name: string; readonly isExpired?: boolean };
}

const SLOTS: Readonly<Record<Dialect, number>> = {
  vllm: 256,
  'llama-server': 4,
  'ollama-v1': 1,
  hosted: Infinity,
  'lm-studio': 4,
};
/** By these a server is told on any path. */
const HEADERS: Readonly<Record<Dialect, Readonly<Record<string, string>>>> = {
  vllm: { server: 'uvicorn' },
  'llama-server': { server: 'llama.cpp' },
  'ollama-v1': {},
  hosted: { server: 'cloudflare' },
  'lm-studio': { 'x-powered-by': 'Express' },
};
const CHAT_PATH = '/v1/chat/completions';
const eventsOf = ({ dialect }: Settings) => ({
  'content-type': `text/event-stream${dialect === 'vllm' || dialect === 'hosted' ? '; charset=utf-8' : ''}`,
});
const JSON_TYPE = { 'content-type': 'application/json' };
const FLOOD_PIECE_BYTES = 65_536;

/** Starts a server. It runs until it is stopped. */
export async function startScriptedOpenAi(options: ScriptedOpenAiOptions = {}): Promise<ScriptedOpenAi> {
  const server = new ScriptedOpenAi(options);
  await server.start();
  return server;
}

export class ScriptedOpenAi implements AsyncDisposable {
  readonly settings: Settings;
  /** May be changed while the server runs. A plain act is one for each chat. */
  script: Script;
  readonly requests: RecordedRequest[] = [];
  /** Connections that were accepted. */
  connections = 0;
  /** Most requests that were in the server at a time. */
  atOnce = 0;
  /** PEM that a client has to trust; null = the server does not speak TLS. */
  readonly certificate: string | null;
  readonly #secure: SecureContext | null;
  readonly #sockets = new Set<Socket>();
  /** Connections below those that HTTP sees. */
  readonly #raw = new WeakMap<Socket, Socket>();
  readonly #http = createServer((request, response) => void this.#serve(request, response));
  readonly #server: SocketServer;
  readonly #address: { host: string; port: number };
  readonly #startedMs = performance.now();
  readonly #waiting: (() => void)[] = [];
  readonly #stopping = new AbortController();
  #running = 0;
  #promptTokens = 0;
  #completionTokens = 0;
  /** Of connections that are closed. */
  #closedBytes = 0;

  constructor({
    models = ['scripted'],
    script,
    host = '127.0.0.1',
    port = 0,
    tls,
    ...settings
  }: ScriptedOpenAiOptions) {
    const dialect = settings.dialect ?? 'vllm';
    this.settings = {
      dialect,
      vllm: '0.32',
      models: models.map((model) => (typeof model === 'string' ? { id: model } : model)),
      contextTokens: 32_768,
      slots: SLOTS[dialect],
      seesImages: true,
      thinks: 'no',
      apiKey: null,
      isReasoningModel: false,
      refusedFields: [],
      hasMetrics: true,
      state: 'ready',
      ...settings,
    };
    const act = script;
    this.script = typeof act === 'function' ? act : ({ path }) => (isChat(path) ? act : undefined);
    this.#address = { host, port };
    const made = tls === undefined ? null : makeCertificate(tls.name, tls.isExpired ?? false);
    this.certificate = made?.cert ?? null;
    this.#secure = made === null ? null : createSecureContext(made);
    this.#server = createSocketServer((socket) => this.#accept(socket));
  }

  async start(): Promise<void> {
    this.#server.listen(this.#address.port, this.#address.host);
    await once(this.#server, 'listening');
    const address = this.#server.address();
    if (typeof address === 'object' && address !== null) this.#address.port = address.port;
  }

  get port(): number {
    return this.#address.port;
  }

  /** Without `/v1`. */
  get url(): string {
    return `${this.#secure === null ? 'http' : 'https'}://${this.#address.host}:${this.port}`;
  }

  /** Connections that are open now. */
  get openConnections(): number {
    return this.#sockets.size;
  }

  /** Bytes that came on all connections, counted before anything is parsed or decrypted. */
  get bytesReceived(): number {
    return [...this.#sockets].reduce((sum, socket) => sum + socket.bytesRead, this.#closedBytes);
  }

  /** The chats among the requests. */
  get chats(): RecordedRequest[] {
    return this.requests.filter(({ path }) => isChat(path));
  }

  /** Waits until something is so. */
  async waitFor(condition: (server: ScriptedOpenAi) => boolean): Promise<void> {
    await until(() => condition(this)).is(true);
  }

  /** Ends it and its connections. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    const isListening = this.#server.listening;
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    if (isListening) await once(this.#server, 'close');
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  #accept(socket: Socket): void {
    this.connections += 1;
    this.#sockets.add(socket);
    socket.once('close', () => {
      this.#sockets.delete(socket);
      this.#closedBytes += socket.bytesRead;
    });
    const seen =
      this.#secure === null ? socket : new TLSSocket(socket, { isServer: true, secureContext: this.#secure });
    this.#raw.set(seen, socket);
    // A reset by the client ends requests in `#record`; a client may refuse the certificate.
    for (const one of [socket, seen]) one.on('error', () => undefined);
    this.#http.emit('connection', seen);
  }

  #now(): number {
    return Math.round(performance.now() - this.#startedMs);
  }

  #record(request: IncomingMessage, response: ServerResponse): RecordedRequest {
    const { method = '', url: path = '' } = request;
    const record: RecordedRequest = {
      method,
      path,
      headers: request.headers,
      remoteAddress: request.socket.remoteAddress ?? '',
      ordinal: 1 + this.requests.filter((other) => other.method === method && other.path === path).length,
      arrivedAtMs: this.#now(),
      body: null,
      chunks: 0,
      endedAtMs: null,
      end: null,
    };
    this.requests.push(record);
    this.atOnce = Math.max(this.atOnce, this.requests.filter(({ end }) => end === null).length);
    response.once('close', () => {
      record.end ??= this.#stopping.signal.aborted ? 'stopped' : response.writableFinished ? 'answered' : 'hung_up';
      record.endedAtMs = this.#now();
    });
    return record;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const record = this.#record(request, response);
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    response.setHeaders(new Map(Object.entries(HEADERS[this.settings.dialect])));
    try {
      const pieces: Buffer[] = [];
      for await (const piece of request) pieces.push(piece as Buffer);
      record.body = parsed(Buffer.concat(pieces).toString());
      await this.#act(this.script(record) ?? { kind: 'answer' }, record, response, gone.signal);
    } catch (error) {
      // The client is gone, which the record says; anything else is a fault of this file.
      if (!gone.signal.aborted && !request.destroyed) throw error;
    }
  }

  async #act(act: Act, record: RecordedRequest, response: ServerResponse, signal: AbortSignal): Promise<void> {
    if (act.headersAfterMs !== undefined) await sleep(act.headersAfterMs, undefined, { signal });
    switch (act.kind) {
      case 'answer':
        return this.#answer(act, record, response, signal);
      case 'refuse':
        if (act.retryAfter !== undefined) response.setHeader('retry-after', act.retryAfter);
        return reply(response, refuse(this.settings, act.refusal, { path: record.path }));
      case 'redirect':
        response.writeHead(act.status, { location: act.to }).end();
        return;
      case 'html': {
        const page = `<html><head><title>${act.status}</title></head><body><center><h1>${act.status}</h1></center></body></html>`;
        response.writeHead(act.status, { 'content-type': 'text/html' }).end(page);
        return;
      }
      case 'document':
        response.writeHead(act.status, JSON_TYPE).end(JSON.stringify(act.body));
        return;
      case 'raw':
        record.end = 'broken';
        response.socket?.end(act.bytes);
        return;
      case 'silence':
        return;
      case 'reset':
        this.#reset(record, response);
        return;
      case 'flood':
        return this.#flood(act, record, response, signal);
    }
  }

  /** The answer without a script, up to its faults. */
  async #answer(act: Answer, record: RecordedRequest, response: ServerResponse, signal: AbortSignal): Promise<void> {
    const { settings } = this;
    const { dialect, state } = settings;
    const path = pathOf(record.path);
    const refused = (refusal: Refusal, words?: Refused): void => reply(response, refuse(settings, refusal, words));
    const isHealth = path === '/health' || path === '/v1/health';
    if (state === 'loading' && (dialect !== 'vllm' || !isHealth)) return refused('loading');
    const isGuarded = dialect === 'llama-server' ? !isHealth : path.startsWith('/v1');
    const { authorization, 'x-api-key': key } = record.headers;
    const isRight =
      authorization === `Bearer ${settings.apiKey}` || (dialect === 'llama-server' && key === settings.apiKey);
    if (settings.apiKey !== null && isGuarded && !isRight) return refused('bad_key');
    if (!isChat(path)) {
      const document = documentOf(settings, path, record.body, this.#load());
      if (document === null) return refused('no_path', { path });
      if ((record.method === 'POST') !== (path === '/tokenize')) return refused('no_method', { path });
      return reply(response, document);
    }
    if (record.method !== 'POST') return refused('no_method', { path });
    if (state === 'dead') return refused('internal');
    const chat = (typeof record.body === 'object' && record.body !== null ? record.body : {}) as ChatBody;
    const refusal = refusalOf(settings, chat);
    if (refusal !== null) return refused(...refusal);
    // vLLM sends the head of a stream at once, llama-server with the slot, the others with the first token.
    const sendHead = (): void => {
      if (chat.stream === true) response.writeHead(200, eventsOf(settings)).flushHeaders();
    };
    if (dialect === 'vllm') sendHead();
    await this.#takeSlot(signal);
    try {
      if (dialect === 'llama-server') sendHead();
      await this.#write(act, chat, record, response, signal);
    } finally {
      this.#giveSlot();
    }
  }

  async #write(
    act: Answer,
    chat: ChatBody,
    record: RecordedRequest,
    response: ServerResponse,
    signal: AbortSignal,
  ): Promise<void> {
    const { settings } = this;
    const { dialect, contextTokens } = settings;
    const prompt = Math.min(promptTokensOf(chat), contextTokens - 1);
    const model = settings.models.find(({ id }) => id === chat.model) ?? settings.models[0];
    const form = answerForm(settings, `chatcmpl-${this.requests.indexOf(record)}`, model?.id ?? '', chat);
    const streams = chat.stream === true;
    const write = async (data: object | string): Promise<void> => {
      if (!response.headersSent) response.writeHead(200, eventsOf(settings));
      record.chunks += 1;
      const text = typeof data === 'string' ? data : `data: ${JSON.stringify(data)}\n\n`;
      if (!response.write(text)) await once(response, 'drain', { signal });
    };
    const beganMs = performance.now();
    if (act.readMs !== undefined) await sleep(act.readMs, undefined, { signal });
    const wroteMs = performance.now();
    const asked = limitOf(chat) ?? -1;
    // A negative limit is none, and nobody writes less than one token.
    const most = Math.min(asked < 0 ? Infinity : Math.max(1, asked), contextTokens - prompt);
    const limit = act.ignoresLimits === true ? Infinity : most;
    const breaksAfter = act.breaks?.afterTokens ?? Infinity;
    const said = { content: '', thought: '' };
    const tokens = { prompt, completion: 0, thought: 0 };
    let isCut = false;
    for (const [kind, piece] of tokensOf(act, chat, settings)) {
      if (tokens.completion >= Math.min(limit, breaksAfter)) {
        isCut = true;
        break;
      }
      if (act.msPerToken !== undefined) await sleep(act.msPerToken, undefined, { signal });
      tokens.completion += 1;
      if (kind === 'thought') tokens.thought += 1;
      if (!streams) {
        said[kind] += piece;
        continue;
      }
      if (record.chunks === 0) for (const chunk of form.first()) await write(chunk);
      if (kind === 'content' || dialect !== 'hosted') await write(form[kind](piece));
    }
    this.#promptTokens += prompt;
    this.#completionTokens += tokens.completion;
    if (act.breaks !== undefined && tokens.completion >= breaksAfter) {
      const { how, pingEveryMs } = act.breaks;
      if (streams && !response.headersSent) response.writeHead(200, eventsOf(settings)).flushHeaders();
      if (!streams && how === 'error') return reply(response, refuse(settings, 'internal'));
      if (!streams && breaksAfter > 0) {
        const body = JSON.stringify(form.whole(said.content, said.thought, 'stop', usageOf(settings, tokens)));
        response.writeHead(200, { ...JSON_TYPE, 'content-length': Buffer.byteLength(body) });
        response.write(body.slice(0, body.length / 2));
      }
      while (streams && how === 'silence' && pingEveryMs !== undefined) {
        await sleep(pingEveryMs, undefined, { signal });
        response.write(':\n\n');
      }
      return this.#break(streams || how !== 'end' ? how : 'close', form.error, record, response, signal);
    }
    const finish = act.finish ?? (isCut ? 'length' : 'stop');
    const usage = act.usage === undefined ? usageOf(settings, tokens) : act.usage;
    const timings = this.#timings(act, tokens, wroteMs - beganMs, performance.now() - wroteMs);
    if (!streams) {
      const body = form.whole(said.content, said.thought, finish, usage);
      return reply(response, { status: 200, body: { ...body, ...timings } });
    }
    const withUsage = chat.stream_options?.include_usage === true && usage !== null;
    await write(withUsage ? form.last(finish) : { ...form.last(finish), ...timings });
    if (withUsage) await write({ ...form.usage(usage), ...timings });
    response.end(act.sendsDone === false ? '' : 'data: [DONE]\n\n');
  }

  #timings(act: Answer, tokens: Tokens, promptMs: number, completionMs: number): object {
    if (this.settings.dialect !== 'llama-server' || act.timings === null) return {};
    return { timings: act.timings ?? timingsOf(tokens, promptMs, completionMs) };
  }

  async #break(
    how: NonNullable<Answer['breaks']>['how'],
    errorText: (body: Document['body']) => string,
    record: RecordedRequest,
    response: ServerResponse,
    signal: AbortSignal,
  ): Promise<void> {
    switch (how) {
      case 'silence':
        if (!signal.aborted) await once(signal, 'abort');
        return;
      case 'close':
        record.end = 'broken';
        response.socket?.end();
        return;
      case 'reset':
        this.#reset(record, response);
        return;
      case 'error':
        response.end(errorText(refuse(this.settings, 'internal').body));
        return;
      case 'end':
        response.end();
        return;
    }
  }

  async #flood(
    { bytes, as }: Extract<Act, { kind: 'flood' }>,
    record: RecordedRequest,
    response: ServerResponse,
    signal: AbortSignal,
  ): Promise<void> {
    const form = answerForm(this.settings, 'chatcmpl-flood', this.settings.models[0]?.id ?? '', {});
    const filler = 'x'.repeat(FLOOD_PIECE_BYTES);
    const piece = as === 'deltas' ? `data: ${JSON.stringify(form.content(filler))}\n\n` : filler;
    response.writeHead(200, as === 'json' ? JSON_TYPE : eventsOf(this.settings));
    response.write({ deltas: '', line: 'data: {"choices":[{"index":0,"delta":{"content":"', json: '{"data":"' }[as]);
    for (let sent = 0; sent < bytes; sent += piece.length) {
      record.chunks += 1;
      if (!response.write(piece)) await once(response, 'drain', { signal });
    }
    response.end({ deltas: '', line: '"}}]}\n\n', json: '"}' }[as]);
  }

  #reset(record: RecordedRequest, { socket }: ServerResponse): void {
    record.end = 'broken';
    if (socket !== null) this.#raw.get(socket)?.resetAndDestroy();
  }

  #load(): Load {
    return {
      running: this.#running,
      waiting: this.#waiting.length,
      promptTokens: this.#promptTokens,
      completionTokens: this.#completionTokens,
    };
  }

  async #takeSlot(signal: AbortSignal): Promise<void> {
    if (this.#running < this.settings.slots) {
      this.#running += 1;
      return;
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#waiting.push(resolve);
    signal.addEventListener('abort', () => {
      const at = this.#waiting.indexOf(resolve);
      if (at >= 0) this.#waiting.splice(at, 1);
      reject(new Error('the client is gone'));
    });
    await promise;
  }

  #giveSlot(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#running -= 1;
    else next();
  }
}

const pathOf = (url: string): string => new URL(url, 'http://localhost').pathname;
const isChat = (url: string): boolean => pathOf(url) === CHAT_PATH;

function parsed(text: string): unknown {
  if (text === '') return null;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function reply(response: ServerResponse, { status, body }: Document): void {
  const isText = typeof body === 'string';
  response.writeHead(status, isText ? { 'content-type': 'text/plain' } : JSON_TYPE);
  response.end(isText ? body : JSON.stringify(body));
}

/** Tokens of an answer, each with where it belongs. */
function* tokensOf(act: Answer, chat: ChatBody, settings: Settings): Generator<['thought' | 'content', string]> {
  const cut = function* (text: string): Generator<string> {
    for (let at = 0; at < text.length; at += CHARACTERS_A_TOKEN) yield text.slice(at, at + CHARACTERS_A_TOKEN);
  };
  if (isThinking(settings, chat)) {
    const isText = settings.thinks === 'content';
    if (isText) yield ['content', '<think>\n'];
    for (const piece of thoughtsOf(act)) for (const token of cut(piece)) yield [isText ? 'content' : 'thought', token];
    if (isText) yield ['content', '\n</think>\n\n'];
  }
  for (const piece of textOf(act, chat)) for (const token of cut(piece)) yield ['content', token];
}

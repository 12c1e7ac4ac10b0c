/**
 * A raw HTTP server that speaks as much of Ollama's protocol as one test needs and misbehaves on command.
 *
 * Each chat with messages takes the next behaviour of its script; an empty chat loads the model. Bodies are kept, and so is every socket
 * that the client closed before its answer was over: that is how a test sees that a request was really cancelled.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the server does with one chat request. */
export type Behaviour = (
  response: ServerResponse,
  request: IncomingMessage,
  body: Record<string, unknown>,
) => void | Promise<void>;

export interface RecordedRequest {
  readonly path: string;
  readonly body: Record<string, unknown>;
}

export interface Script {
  readonly model?: string;
  readonly capabilities?: readonly string[];
  /** Context window of the model if it is in memory already. */
  readonly loadedWith?: number | null;
  readonly chats?: readonly Behaviour[];
  readonly load?: Behaviour;
  /** Other paths, such as '/api/pull'. */
  readonly paths?: Readonly<Record<string, Behaviour>>;
}

export class ScriptedOllama implements AsyncDisposable {
  readonly requests: RecordedRequest[] = [];
  readonly #server: Server;
  readonly #script: Script;
  readonly #chats: Behaviour[];
  readonly #digest: string;
  #window: number | null;
  #abandoned = 0;
  #waiting: (() => void)[] = [];

  private constructor(script: Script, digest: string) {
    this.#script = script;
    this.#digest = digest;
    this.#window = script.loadedWith === undefined ? 2048 : script.loadedWith;
    this.#chats = [...(script.chats ?? [])];
    this.#server = createServer((request, response) => void this.#serve(request, response));
  }

  static async start(script: Script = {}): Promise<ScriptedOllama> {
    // A digest of its own per server: the client remembers capabilities by digest.
    const digest = [...crypto.getRandomValues(new Uint8Array(32))].map((b) => b.toString(16).padStart(2, '0')).join('');
    const server = new ScriptedOllama(script, digest);
    await new Promise<void>((resolve) => server.#server.listen(0, '127.0.0.1', resolve));
    return server;
  }

  get host(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Bodies of the chats that asked something. */
  get chats(): Record<string, unknown>[] {
    return this.requests.filter((r) => r.path === '/api/chat' && !isLoad(r.body)).map((r) => r.body);
  }

  paths(): string[] {
    return this.requests.map((r) => r.path);
  }

  /** Resolves once the client has closed `count` sockets before their answer was over. */
  async abandoned(count = 1): Promise<void> {
    while (this.#abandoned < count) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** Resolves once a request for `path` has arrived. */
  async arrived(path: string): Promise<void> {
    while (!this.requests.some((r) => r.path === path))
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #wake(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = '';
    for await (const chunk of request) text += String(chunk);
    const body = text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
    const path = request.url ?? '';
    response.on('close', () => {
      if (response.writableFinished) return;
      this.#abandoned += 1;
      this.#wake();
    });
    this.requests.push({ path, body });
    this.#wake();
    await this.#behaviourFor(path, body)(response, request, body);
  }

  #behaviourFor(path: string, body: Record<string, unknown>): Behaviour {
    const own = this.#script.paths?.[path];
    if (own !== undefined) return own;
    const model = this.#script.model ?? 'scripted';
    const entry = {
      name: `${model}:latest`,
      model: `${model}:latest`,
      digest: this.#digest,
      size: 1000,
      size_vram: 900,
    };
    const details = { family: 'llama', parameter_size: '1M', quantization_level: 'F16' };
    switch (path) {
      case '/api/version':
        return json(200, { version: '0.24.0' });
      case '/api/tags':
        return json(200, { models: [{ ...entry, details }] });
      case '/api/show':
        return json(200, { capabilities: this.#script.capabilities ?? ['completion'], details });
      case '/api/ps': {
        const window = this.#window;
        return json(200, { models: window === null ? [] : [{ ...entry, context_length: window }] });
      }
      case '/api/chat':
        if (isLoad(body)) {
          if (this.#script.load !== undefined) return this.#script.load;
          this.#window = (body['options'] as { num_ctx: number }).num_ctx;
          return lines([{ done: true, done_reason: 'load' }]);
        }
        return this.#chats.shift() ?? json(500, { error: 'the script has no further chat' });
      default:
        return json(404, { error: 'not scripted' });
    }
  }
}

/** Runs a test against such a server, which ends with it. */
export async function withServer(script: Script, test: (server: ScriptedOllama) => Promise<void>): Promise<void> {
  await using server = await ScriptedOllama.start(script);
  await test(server);
}

const isLoad = (body: Record<string, unknown>): boolean =>
  Array.isArray(body['messages']) && body['messages'].length === 0;

/** A plain answer. */
export const json =
  (status: number, body: unknown): Behaviour =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' });
    response.end(JSON.stringify(body));
  };

/** An answer that is not JSON, as a proxy sends it. */
export const plainText =
  (status: number, body: string): Behaviour =>
  (response) => {
    response.writeHead(status, { 'content-type': 'text/html' });
    response.end(body);
  };

const line = (value: unknown): string => `${JSON.stringify(value)}\n`;
const token = (content: string, extra: object = {}) =>
  line({ message: { role: 'assistant', content, ...extra }, done: false });
const last = (reason: string) =>
  line({
    message: { role: 'assistant', content: '' },
    done: true,
    done_reason: reason,
    prompt_eval_count: 11,
    eval_count: 7,
    load_duration: 3_000_000,
  });
const begin = (response: ServerResponse): void => {
  response.writeHead(200, { 'content-type': 'application/x-ndjson' });
};

/** Lines as they are, then the end. */
export const lines =
  (values: readonly unknown[]): Behaviour =>
  (response) => {
    begin(response);
    response.end(values.map(line).join(''));
  };

/** A whole answer in pieces of a few characters. */
export const answers =
  (text: string, options: { reason?: string; thinking?: string } = {}): Behaviour =>
  (response) => {
    begin(response);
    if (options.thinking !== undefined) response.write(token('', { thinking: options.thinking }));
    for (let i = 0; i < text.length; i += 5) response.write(token(text.slice(i, i + 5)));
    response.end(last(options.reason ?? 'stop'));
  };

/** Sends the head of an answer and then nothing, with the socket open. */
export const stallsAfter =
  (text: string): Behaviour =>
  (response) => {
    begin(response);
    response.write(token(text));
  };

/** Takes the request and never says a word, not even headers. */
export const silence: Behaviour = () => undefined;

/** Sends the head of an answer, then an error line inside the stream. */
export const breaksWith =
  (text: string, error: string): Behaviour =>
  (response) => {
    begin(response);
    response.end(token(text) + line({ error }));
  };

/** Sends the head of an answer and closes the socket hard. */
export const disconnectsAfter =
  (text: string): Behaviour =>
  (response) => {
    begin(response);
    response.write(token(text), () => response.socket?.destroy());
  };

/** Sends the head of an answer and ends the stream properly, without a last message. */
export const endsEarlyAfter =
  (text: string): Behaviour =>
  (response) => {
    begin(response);
    response.end(token(text));
  };

/** Repeats a piece of text and ends the stream without its last message, as Ollama does after the same token 31 times more. */
export const repeatsUntilEnded =
  (head: string, piece: string): Behaviour =>
  (response) => {
    begin(response);
    response.end(token(head) + token(piece).repeat(31));
  };

/** Repeats a piece of text until the client hangs up. */
export const endless =
  (head: string, piece: string): Behaviour =>
  async (response) => {
    begin(response);
    response.write(token(head));
    while (!response.destroyed) {
      response.write(token(piece));
      await new Promise((resolve) => setImmediate(resolve));
    }
  };

/**
 * A model server that speaks Ollama's protocol at any speed, with any fault, and logs what it was asked.
 *
 * It is made from the protocol alone and shares no code with the model client or the simulators: what it logs is evidence about both.
 * Its clock runs `clock` times faster than the wall's. Speeds and durations of a behaviour are those of its own time.
 */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { answerTo, CHARACTERS_A_TOKEN, TOKENS_A_PICTURE } from '../scripted-model/answer.ts';

/** Fault of every `every`th call of a deck. */
export type Fault =
  /** Nothing comes any more, and the connection stays open. */
  | { readonly kind: 'stall'; readonly every: number; readonly afterTokens: number }
  | { readonly kind: 'reset' | 'error_500' | 'error_line'; readonly every: number; readonly afterTokens: number }
  /** Calls with the picture of this page, by the order in which pictures are first seen. */
  | { readonly kind: 'crash_on_page'; readonly page: number }
  | {
      readonly kind: 'garbage' | 'empty' | 'prose' | 'nul' | 'white_space' | 'loop' | 'busy';
      readonly every: number;
    }
  /** The whole server is gone after so many calls, for so long; null = for good. */
  | { readonly kind: 'death'; readonly afterCalls: number; readonly backAfterSec: number | null };

/** A server; speeds in tokens per second. */
export interface Behaviour {
  readonly readPerSec: number;
  readonly writePerSec: number;
  readonly slots: number;
  readonly fault: Fault | null;
}

/** One chat request. Times are of the wall, in milliseconds since the server began. */
export interface LoggedCall {
  /** The same for each time that something is asked: model, schema, instructions, question and pictures, but no sampling or correction. */
  readonly identity: string;
  /** Title of the schema, or empty. */
  readonly task: string;
  /** Which of the pictures that it was shown, from 1; null = none. */
  readonly picture: number | null;
  readonly arrivedAtMs: number;
  /** It got a slot of the server; null = it waited until its end. */
  beganAtMs: number | null;
  endedAtMs: number | null;
  /** `lost`: the server died. `cut`: the client closed the connection. Null = still open. */
  end: 'answered' | 'failed' | 'reset' | 'cut' | 'lost' | null;
  /** Calls that had a slot when it got one, with itself. */
  inside: number;
  /** In the server with it when it arrived, with itself. */
  present: number;
  readonly think: unknown;
}

export interface ScriptedOllama {
  readonly url: string;
  readonly log: readonly LoggedCall[];
  /** From now on the fault happens. */
  arm(): void;
  stop(): Promise<void>;
}

interface ChatBody {
  readonly model?: string;
  readonly name?: string;
  readonly messages?: readonly {
    readonly role: string;
    readonly content?: string;
    readonly images?: readonly string[];
  }[];
  readonly format?: unknown;
  readonly stream?: boolean;
  readonly think?: unknown;
  readonly truncate?: boolean;
  readonly options?: { readonly num_ctx?: number; readonly num_predict?: number };
}

/** Text is sent no more often. */
const TICK_MS = 10;
/** The real server ends a stream that repeats one token so often, without a last line. */
const REPEATS = 30;
const LOAD_SEC = 2;
/** Titles of schemas that belong to a deck. Trials have others. */
export const DECK_TASK = /^(?:describe|slide|condense|extract|classify|answer|score|specialised)_/u;
const hash = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Starts a server that has these models, each of which sees pictures. */
export async function startScriptedOllama(
  models: readonly string[],
  behaviour: Behaviour,
  clock: number,
): Promise<ScriptedOllama> {
  const startedMs = performance.now();
  const now = (): number => Math.round(performance.now() - startedMs);
  const log: LoggedCall[] = [];
  const loaded = new Map<string, number>();
  const pictures: string[] = [];
  const waiting: (() => void)[] = [];
  let inside = 0;
  let present = 0;
  let deckCalls = 0;
  let armed = false;
  let life = new AbortController();
  const wait = (seconds: number, signal: AbortSignal): Promise<void> =>
    sleep((seconds * 1000) / clock, undefined, { signal });

  const entry = (name: string) => ({
    name,
    model: name,
    size: 5_000_000_000,
    digest: hash(name),
    modified_at: '2026-01-01T00:00:00Z',
    details: { family: 'scripted', format: 'gguf', parameter_size: '8B', quantization_level: 'Q4_K_M' },
  });
  const known = (name: string): string | undefined => models.find((m) => m === name || m === `${name}:latest`);

  const faultOf = (isOfDeck: boolean, picture: string | undefined): Fault | null => {
    const { fault } = behaviour;
    if (!armed || fault === null || !isOfDeck) return null;
    switch (fault.kind) {
      case 'crash_on_page':
        return picture !== undefined && pictures.indexOf(picture) + 1 === fault.page ? fault : null;
      case 'death':
        return deckCalls > fault.afterCalls ? fault : null;
      default:
        return deckCalls % fault.every === 0 ? fault : null;
    }
  };

  async function takeSlot(call: LoggedCall, signal: AbortSignal): Promise<void> {
    if (inside >= behaviour.slots) {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      waiting.push(resolve);
      signal.addEventListener('abort', () => {
        const at = waiting.indexOf(resolve);
        if (at >= 0) waiting.splice(at, 1);
        reject(new Error('gone'));
      });
      await promise;
    } else inside += 1;
    call.beganAtMs = now();
    call.inside = inside;
  }
  const giveSlot = (): void => {
    const next = waiting.shift();
    if (next === undefined) inside -= 1;
    else next();
  };

  async function chat(body: ChatBody, response: ServerResponse): Promise<void> {
    const model = known(body.model ?? '');
    if (model === undefined) return reply(response, 404, { error: `model '${body.model}' not found` });
    const window = body.options?.num_ctx ?? 4096;
    const messages = body.messages ?? [];
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const signal = AbortSignal.any([gone.signal, life.signal]);
    const base = { model, created_at: '2026-01-01T00:00:00Z' };
    if (loaded.get(model) !== window) await wait(LOAD_SEC, signal);
    loaded.set(model, window);
    if (messages.length === 0) {
      return reply(response, 200, {
        ...base,
        message: { role: 'assistant', content: '' },
        done: true,
        done_reason: 'load',
      });
    }
    const task = titleOf(body.format);
    const isOfDeck = DECK_TASK.test(task);
    const images = messages.flatMap((m) => m.images ?? []);
    const [image] = images.map(hash);
    if (image !== undefined && isOfDeck && !pictures.includes(image)) pictures.push(image);
    const asked = messages.slice(0, 1 + messages.findIndex((m) => m.role === 'user'));
    present += 1;
    const call: LoggedCall = {
      identity: hash(JSON.stringify([model, body.format, asked.map((m) => m.content), images.map(hash)])),
      task,
      picture: image === undefined ? null : 1 + pictures.indexOf(image),
      arrivedAtMs: now(),
      beganAtMs: null,
      endedAtMs: null,
      end: null,
      inside: 0,
      present,
      think: body.think,
    };
    log.push(call);
    if (isOfDeck) deckCalls += 1;
    const fault = faultOf(isOfDeck, image);
    const died = life.signal;
    try {
      if (fault?.kind === 'death') void die(fault.backAfterSec);
      call.end = await answer(call, { body, response, base, fault, signal, window });
    } catch (error) {
      if (!signal.aborted) throw error;
      call.end = died.aborted ? 'lost' : 'cut';
    } finally {
      present -= 1;
      call.endedAtMs = now();
      if (call.beganAtMs !== null) giveSlot();
    }
  }

  interface Asked {
    readonly body: ChatBody;
    readonly response: ServerResponse;
    readonly base: object;
    readonly fault: Fault | null;
    readonly signal: AbortSignal;
    readonly window: number;
  }

  async function answer(
    call: LoggedCall,
    { body, response, base, fault, signal, window }: Asked,
  ): Promise<NonNullable<LoggedCall['end']>> {
    const text = (body.messages ?? []).map((m) => m.content ?? '').join('\n');
    const seen = (body.messages ?? []).flatMap((m) => m.images ?? []).length;
    const promptTokens = Math.ceil(text.length / CHARACTERS_A_TOKEN) + seen * TOKENS_A_PICTURE;
    const most = Math.min(body.options?.num_predict ?? 128, Math.max(1, window - promptTokens));
    const failed = (status: number, error: string): 'failed' => {
      reply(response, status, { error });
      return 'failed';
    };
    if (promptTokens >= window && body.truncate === false) {
      return failed(400, 'the input length exceeds the context length');
    }
    if (fault?.kind === 'busy') return failed(503, 'server busy, please try again.  maximum pending requests exceeded');
    await takeSlot(call, signal);
    await wait(promptTokens / behaviour.readPerSec, signal);
    if (fault?.kind === 'crash_on_page') return failed(500, 'llama runner process has terminated: unexpected EOF');
    const breaksAfter = fault !== null && 'afterTokens' in fault ? fault.afterTokens : Infinity;
    if (breaksAfter === 0 && fault?.kind === 'error_500') return failed(500, 'unexpected EOF');
    const { thinking, content, repeats } = wordsOf(body, fault, most);
    const whole = thinking + content;
    const tokens = Math.min(most, Math.ceil(whole.length / CHARACTERS_A_TOKEN), breaksAfter);
    const line = (part: object): void => void response.write(`${JSON.stringify({ ...base, ...part })}\n`);
    const writeStartMs = performance.now();
    let sent = 0;
    if (tokens > 0) await wait(1 / behaviour.writePerSec, signal);
    response.writeHead(200, { 'content-type': 'application/x-ndjson' });
    while (sent < tokens) {
      const due = 1 + Math.floor(((performance.now() - writeStartMs) / 1000) * clock * behaviour.writePerSec);
      const until = Math.min(tokens, Math.max(due, sent + 1));
      // One line for each token, as the real server does it: clients count them.
      for (; sent < until; sent += 1) {
        const from = sent * CHARACTERS_A_TOKEN;
        const piece = whole.slice(from, from + CHARACTERS_A_TOKEN);
        const thought = thinking.slice(from, from + CHARACTERS_A_TOKEN);
        const said = thought === '' ? { content: piece } : { content: piece.slice(thought.length), thinking: thought };
        line({ message: { role: 'assistant', ...said }, done: false });
      }
      if (sent < tokens) await sleep(Math.max(TICK_MS, 1000 / (clock * behaviour.writePerSec)), undefined, { signal });
    }
    if (sent >= breaksAfter) {
      if (fault?.kind === 'stall')
        await new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('gone'))));
      if (fault?.kind === 'reset') {
        response.socket?.resetAndDestroy();
        return 'reset';
      }
      line({ error: 'an error was encountered while running the model: unexpected EOF' });
      response.end();
      return 'failed';
    }
    if (!repeats) {
      const isCut = whole.length > tokens * CHARACTERS_A_TOKEN;
      const nanos = (fromMs: number): number => Math.round((performance.now() - fromMs) * 1e6);
      line({
        message: { role: 'assistant', content: '' },
        done: true,
        done_reason: isCut ? 'length' : 'stop',
        total_duration: nanos(startedMs + (call.beganAtMs ?? 0)),
        load_duration: 0,
        prompt_eval_count: promptTokens,
        prompt_eval_duration: Math.round(((promptTokens / behaviour.readPerSec) * 1e9) / clock),
        eval_count: tokens,
        eval_duration: Math.round(((tokens / behaviour.writePerSec) * 1e9) / clock),
      });
    }
    response.end();
    return 'answered';
  }

  async function die(backAfterSec: number | null): Promise<void> {
    armed = false;
    life.abort();
    loaded.clear();
    server.closeAllConnections();
    const port = portOf(server);
    server.close();
    if (backAfterSec === null) return;
    await sleep((backAfterSec * 1000) / clock);
    if (stopped) return;
    life = new AbortController();
    server = await listen(port);
  }

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname;
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = (chunks.length === 0 ? {} : JSON.parse(Buffer.concat(chunks).toString())) as ChatBody;
    switch (path) {
      case '/':
        return reply(response, 200, {});
      case '/api/version':
        return reply(response, 200, { version: '0.24.0' });
      case '/api/tags':
        return reply(response, 200, { models: models.map(entry) });
      case '/api/ps':
        return reply(response, 200, {
          models: [...loaded].map(([name, window]) => ({
            ...entry(name),
            size_vram: 5_000_000_000,
            context_length: window,
            expires_at: '2318-01-01T00:00:00Z',
          })),
        });
      case '/api/show': {
        const name = known(body.model ?? body.name ?? '');
        if (name === undefined) return reply(response, 404, { error: 'model not found' });
        return reply(response, 200, {
          capabilities: ['completion', 'vision', ...(behaviour.fault?.kind === 'empty' ? ['thinking'] : [])],
          details: entry(name).details,
          model_info: { 'general.architecture': 'scripted', 'scripted.context_length': 131_072 },
        });
      }
      case '/api/chat':
        return chat(body, response);
      default:
        return reply(response, 404, { error: 'not found' });
    }
  };

  const listen = async (port: number): Promise<Server> => {
    const one = createServer((request, response) => {
      handle(request, response).catch((error: unknown) => {
        if (!response.headersSent) reply(response, 500, { error: String(error) });
        response.destroy();
      });
    });
    one.listen(port, '127.0.0.1');
    await once(one, 'listening');
    return one;
  };
  let stopped = false;
  let server = await listen(0);
  return {
    url: `http://127.0.0.1:${portOf(server)}`,
    log,
    arm: () => {
      armed = true;
    },
    stop: async () => {
      stopped = true;
      life.abort();
      server.closeAllConnections();
      if (server.listening) await new Promise((resolve) => server.close(resolve));
    },
  };
}

const portOf = (server: Server): number => (server.address() as AddressInfo).port;

function reply(response: ServerResponse, status: number, value: object): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(value));
}

const titleOf = (format: unknown): string =>
  typeof format === 'object' && format !== null && 'title' in format ? String(format.title) : '';

/** Text that the model writes. `repeats`: the server ends it without a last line. */
function wordsOf(
  { format, think }: ChatBody,
  fault: Fault | null,
  most: number,
): { thinking: string; content: string; repeats: boolean } {
  const plain = typeof format === 'object' ? JSON.stringify(answerTo(format)) : 'Ready.';
  const said = (content: string, thinking = '', repeats = false) => ({ thinking, content, repeats });
  switch (fault?.kind) {
    case 'garbage':
      return said('gq#4 xv;;ßk 0zz} qel[ '.repeat(12));
    case 'empty':
      // It answers once thinking is no longer switched off.
      return think === false ? said('', 'The answer is on the page. '.repeat(6)) : said(plain, 'Let me see. ');
    case 'prose':
      return said(`Here is the JSON you asked for:\n\n\`\`\`json\n${plain}\n\`\`\`\nI hope this helps.`);
    case 'nul':
      return said(plain.replace('the deck', String.raw`the\u0000 deck`));
    case 'white_space':
      return said(' \n\t  \n'.repeat(most));
    case 'loop':
      return said('abab'.repeat(REPEATS), '', true);
    default:
      return said(plain);
  }
}

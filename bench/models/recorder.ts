/**
 * A reverse proxy on loopback that keeps every request in order, and sends requests that were kept once more without Deckhand: the bare loop
 * that a review is compared with.
 */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';
import { connect } from '../../activities/models/client/connection.ts';
import { Egress } from '../../activities/models/client/egress.ts';

/** Of the bare loop, which reaches no further than its proxy. */
const LOOPBACK = new Egress('inside');

/** One request. Times are milliseconds since 1970. */
export interface RecordedRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  /** Without those that belong to one connection. */
  readonly headers: IncomingHttpHeaders;
  readonly arrivedAtMs: number;
  /** As it has arrived so far. */
  body: Buffer;
  endedAtMs: number | null;
  /** Null: the server gave no answer. */
  status: number | null;
  answerBytes: number;
  /** `hung_up`: the client left before the answer was whole. `lost`: the server did. */
  end: 'answered' | 'hung_up' | 'lost' | null;
}

export interface Recorder {
  /** Stands for the URL of the server. */
  readonly url: string;
  /** In the order in which they arrived. */
  readonly requests: readonly RecordedRequest[];
  /** Ends what is open. */
  stop(): Promise<void>;
}

/** Belong to one connection, or are made anew for each request. */
const OWN_HEADERS = new Set(['connection', 'content-length', 'host', 'keep-alive', 'transfer-encoding']);

const passedOn = (headers: IncomingHttpHeaders): IncomingHttpHeaders =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !OWN_HEADERS.has(name)));

/** Starts one. @param target URL of the server @param egress by which it is reached */
export async function startRecorder(target: string, egress: Egress): Promise<Recorder> {
  const { origin, pathname } = new URL(target);
  const requests: RecordedRequest[] = [];
  const server = createServer((incoming, outgoing) => {
    const { method = 'GET', url: path = '/' } = incoming;
    const recorded: RecordedRequest = {
      method,
      path,
      headers: passedOn(incoming.headers),
      arrivedAtMs: Date.now(),
      body: Buffer.alloc(0),
      endedAtMs: null,
      status: null,
      answerBytes: 0,
      end: null,
    };
    requests.push(recorded);
    void pass(recorded, { origin, egress }, incoming, outgoing);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}${pathname === '/' ? '' : pathname}`,
    requests,
    stop: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Passes a request on once it is whole, and its answer as it comes. */
async function pass(
  recorded: RecordedRequest,
  { origin, egress }: { readonly origin: string; readonly egress: Egress },
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const end = (how: NonNullable<RecordedRequest['end']>): void => {
    recorded.end ??= how;
    recorded.endedAtMs ??= Date.now();
  };
  const left = new AbortController();
  outgoing.once('close', () => {
    end('hung_up');
    left.abort();
  });
  // A connection for each request: Deckhand's end as well.
  const { fetch, close } = connect({ egress }, left.signal);
  try {
    const parts: Buffer[] = [];
    for await (const part of incoming) parts.push(part as Buffer);
    recorded.body = Buffer.concat(parts);
    const { method, path, headers, body } = recorded;
    if (!path.startsWith('/')) throw new TypeError(`${path} is no path`);
    const answer = await fetch(`${origin}${path}`, {
      method,
      headers: headers as Record<string, string>,
      ...(body.byteLength === 0 ? {} : { body }),
    });
    recorded.status = answer.status;
    outgoing.writeHead(answer.status, passedOn(Object.fromEntries(answer.headers)));
    outgoing.flushHeaders();
    for await (const part of answer.body ?? []) {
      recorded.answerBytes += (part as Uint8Array).byteLength;
      if (!outgoing.write(part)) await Promise.race([once(outgoing, 'drain'), once(outgoing, 'close')]);
    }
    end('answered');
    outgoing.end();
  } catch {
    // Whichever side has left, the other one learns of it by the end of its connection.
    end('lost');
    outgoing.destroy();
  } finally {
    await close();
  }
}

/** Whether a request asks for an answer, by the protocol of Ollama or of OpenAI. */
export const isChat = ({ path }: RecordedRequest): boolean => /\/(?:api\/chat|chat\/completions)$/u.test(path);

const chatBody = z.looseObject({ messages: z.array(z.looseObject({ content: z.unknown() })).min(1) });

/** The same chat with a mark before its first words, so that a server has nothing of it in its cache. */
export function markedBody(body: Buffer, mark: string): Buffer {
  const chat = chatBody.parse(JSON.parse(body.toString('utf8')));
  const [first, ...others] = chat.messages;
  const content = first?.content;
  const marked =
    typeof content === 'string'
      ? `${mark}\n${content}`
      : [{ type: 'text', text: mark }, ...(Array.isArray(content) ? (content as unknown[]) : [])];
  return Buffer.from(JSON.stringify({ ...chat, messages: [{ ...first, content: marked }, ...others] }));
}

/** How requests are sent again. */
export interface BareOptions {
  /** Of the server; the paths stand in the requests. */
  readonly url: string;
  readonly egress: Egress;
  /** Requests that are out at a time. */
  readonly atOnce: number;
  /** Before the first words of each; null = they are sent unchanged. */
  readonly mark: string | null;
  readonly signal: AbortSignal;
}

/** Duration and outcome of the bare loop. */
export interface BareTimes {
  readonly seconds: number;
  /** Requests that were answered with an error. */
  readonly refused: number;
  readonly answerBytes: number;
}

/**
 * Sends requests in their order, each as soon as one of those before it has ended. An answer that the review broke off is broken off after
 * as many bytes.
 */
export async function sendBare(
  requests: readonly RecordedRequest[],
  { url, egress, atOnce, mark, signal }: BareOptions,
): Promise<BareTimes> {
  const recorder = await startRecorder(url, egress);
  try {
    const waiting = requests.map((each) => ({
      ...each,
      body: mark === null ? each.body : markedBody(each.body, mark),
    }));
    const { origin } = new URL(recorder.url);
    const startedMs = performance.now();
    const sendNext = async (): Promise<void> => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await sendOne(next, origin, signal);
    };
    await Promise.all(Array.from({ length: atOnce }, sendNext));
    const seconds = (performance.now() - startedMs) / 1000;
    return {
      seconds,
      refused: recorder.requests.filter(({ status }) => status === null || status >= 400).length,
      answerBytes: recorder.requests.reduce((sum, { answerBytes }) => sum + answerBytes, 0),
    };
  } finally {
    await recorder.stop();
  }
}

async function sendOne(
  { method, path, headers, body, end, answerBytes }: RecordedRequest,
  origin: string,
  signal: AbortSignal,
): Promise<void> {
  const { fetch, close } = connect({ egress: LOOPBACK }, signal);
  try {
    const answer = await fetch(`${origin}${path}`, { method, headers: headers as Record<string, string>, body });
    let bytes = 0;
    for await (const part of answer.body ?? []) {
      bytes += (part as Uint8Array).byteLength;
      if (end === 'hung_up' && bytes >= answerBytes) return;
    }
  } catch (error) {
    signal.throwIfAborted();
    // The connection was lost: the recorder has seen it as well.
    if (!(error instanceof TypeError)) throw error;
  } finally {
    await close();
  }
}

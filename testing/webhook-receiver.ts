/**
 * The other end of a webhook: a real HTTP server that keeps what it got and answers as it is told.
 */
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import { endServer, listen } from './server.ts';

/** One request as it came. */
export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** How the next request is answered; `hang` never answers. */
export type Reply = { readonly status: number; readonly headers?: Readonly<Record<string, string>> } | 'hang';

export interface WebhookReceiver {
  /** Without a path. */
  readonly url: string;
  readonly received: Received[];
  /** Answers of the next requests, in turn; 204 after the last. */
  answer(...replies: readonly Reply[]): void;
  /** Called with each request before it is answered. */
  onRequest: ((request: Received) => void) | undefined;
  close(): Promise<void>;
}

/** Starts a receiver on loopback. */
export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const replies: Reply[] = [];
  const server = createServer((request, response) => {
    const { url: path = '', headers } = request;
    void text(request).then((body) => {
      const got = { path, headers, body };
      receiver.received.push(got);
      receiver.onRequest?.(got);
      const reply = replies.shift() ?? { status: 204 };
      if (reply === 'hang') return;
      // More than a sender should read.
      response.writeHead(reply.status, reply.headers).end(reply.status === 204 ? undefined : 'x'.repeat(1_000_000));
    });
  });
  const port = await listen(server);
  const receiver: WebhookReceiver = {
    url: `http://127.0.0.1:${port}`,
    received: [],
    answer: (...next) => void replies.splice(0, replies.length, ...next),
    onRequest: undefined,
    close: () => endServer(server),
  };
  return receiver;
}

/** What a request says, its signature checked with the library that receivers use. @throws Error when it is not valid */
export function verified(request: Received, secret: string): { type: string; timestamp: string; data: object } {
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
  return new Webhook(secret).verify(request.body, headers) as ReturnType<typeof verified>;
}

/** The supervisor's side of the control connection: which clients hold the runtime, the messages to them, and the end of the last hold. */
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import type { ChildStatus } from './supervisor/managed-child.ts';
import { tryJson } from '../domain/text/json.ts';
import { requestSchema } from './control-messages.ts';
import type { ControlReply, ControlRequest } from './control-messages.ts';

/** Requests are a word and a token. */
const MAX_LINE_LENGTH = 1_024;
/** A connection without the token is ended after this time. */
const TOKEN_WITHIN_MS = 5_000;
/** Beyond this the oldest connection without the token gives way to a new one. */
const MAX_STRANGERS = 32;

/** What the connection asks of its owner. */
export interface ControlHandlers {
  /** No client holds the runtime any more and none asked to keep it, or a client asked it to stop. */
  onEnd(): void;
  statuses(): ChildStatus[];
}

/** Serves the control connections of one supervisor. */
export class ControlServer {
  readonly token = randomBytes(24).toString('base64url');
  readonly #handlers: ControlHandlers;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  /** Connections that have not shown the token, oldest first. */
  readonly #strangers = new Set<Socket>();
  readonly #holders = new Set<Socket>();
  #kept = false;
  #ending = false;
  #onFirstHold = (): void => undefined;
  /** Resolves when the first command holds the runtime. */
  readonly held: Promise<void>;
  /** Sent to later clients: the outcome or the progress of the start. */
  #latest: ControlReply | undefined;

  constructor(handlers: ControlHandlers) {
    this.#handlers = handlers;
    this.held = new Promise((resolveHeld) => {
      this.#onFirstHold = resolveHeld;
    });
    this.#server = createServer((socket) => this.#serve(socket));
  }

  /** Listens on loopback and returns the port. */
  async listen(): Promise<number> {
    await new Promise<void>((resolveListen, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(0, '127.0.0.1', resolveListen);
    });
    return (this.#server.address() as AddressInfo).port;
  }

  /** True while a client holds the runtime or it was told to stay. */
  get wanted(): boolean {
    return this.#kept || this.#holders.size > 0;
  }

  /** Tells every holder, and those who come later, how the start goes. */
  announce(reply: ControlReply): void {
    this.#latest = reply;
    this.tell(reply);
  }

  /** Tells every present holder. */
  tell(reply: ControlReply): void {
    for (const socket of this.#holders) send(socket, reply);
  }

  /** From now on no client is accepted. */
  beginEnd(): void {
    this.#ending = true;
    for (const socket of this.#sockets) send(socket, { type: 'stopping' });
  }

  /** Closes everything. Commands take the end of the connection as the end of the runtime. */
  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.end();
    await new Promise<void>((resolveClose) => {
      this.#server.close(() => resolveClose());
    });
  }

  #serve(socket: Socket): void {
    const [oldest] = this.#strangers;
    if (this.#strangers.size >= MAX_STRANGERS) oldest?.destroy();
    this.#sockets.add(socket);
    this.#strangers.add(socket);
    const limit = setTimeout(() => socket.destroy(), TOKEN_WITHIN_MS).unref();
    // A broken connection is a command that ended; `close` follows.
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearTimeout(limit);
      this.#sockets.delete(socket);
      this.#strangers.delete(socket);
      this.#drop(socket);
    });
    let unread = '';
    socket.setEncoding('utf8');
    socket.on('data', (chunk: string) => {
      const lines = (unread + chunk).split('\n');
      unread = lines.pop() ?? '';
      if (unread.length > MAX_LINE_LENGTH) socket.destroy();
      for (const line of lines) {
        if (socket.destroyed) return;
        const request = line.length > MAX_LINE_LENGTH ? undefined : requestSchema.safeParse(tryJson(line)).data;
        if (request === undefined || (this.#strangers.has(socket) && request.token !== this.token)) {
          socket.destroy();
          return;
        }
        clearTimeout(limit);
        this.#strangers.delete(socket);
        this.#handle(socket, request);
      }
    });
  }

  #handle(socket: Socket, request: ControlRequest): void {
    switch (request.op) {
      case 'hold':
        // A runtime that failed is ending, and its reason is still the answer.
        if (this.#ending) return send(socket, this.#latest?.type === 'failed' ? this.#latest : { type: 'stopping' });
        this.#holders.add(socket);
        this.#onFirstHold();
        if (this.#latest !== undefined) send(socket, this.#latest);
        return;
      case 'keep':
        this.#kept = true;
        return this.#release(socket);
      case 'release':
        return this.#release(socket);
      case 'stop':
        this.#kept = false;
        send(socket, { type: 'released', stopping: true });
        return this.#handlers.onEnd();
      case 'status':
        return send(socket, {
          type: 'status',
          children: this.#handlers.statuses(),
          kept: this.#kept,
          holds: this.#holders.size,
        });
    }
  }

  #release(socket: Socket): void {
    this.#holders.delete(socket);
    send(socket, { type: 'released', stopping: !this.wanted });
    if (!this.wanted) this.#handlers.onEnd();
  }

  #drop(socket: Socket): void {
    if (this.#holders.delete(socket) && !this.wanted) this.#handlers.onEnd();
  }
}

function send(socket: Socket, reply: ControlReply): void {
  if (socket.writable) socket.write(`${JSON.stringify(reply)}\n`);
}

/** A command's side of the control connection to the supervisor. */
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { replySchema } from './control-messages.ts';
import type { ControlReply, ControlRequest } from './control-messages.ts';
import type { ControlFile } from '../platform/runtime-info.ts';

type ReplyOf<T extends ControlReply['type']> = Extract<ControlReply, { type: T }>;

/** An open connection to a supervisor. */
export class ControlClient {
  readonly #socket: Socket;
  readonly #token: string;
  readonly #listeners = new Set<(reply: ControlReply) => void>();
  /** Resolves when the connection has ended, on either side. */
  readonly closed: Promise<void>;

  private constructor(socket: Socket, token: string) {
    this.#socket = socket;
    this.#token = token;
    this.closed = new Promise((resolveClose) => {
      socket.once('close', () => resolveClose());
    });
    // An error is followed by `close`, which says all there is to say. The line reader passes errors on, so it needs this too.
    const lines = createInterface({ input: socket });
    for (const emitter of [socket, lines]) emitter.on('error', () => undefined);
    lines.on('line', (line) => {
      const reply = replySchema.parse(JSON.parse(line));
      for (const listener of this.#listeners) listener(reply);
    });
  }

  /** Connects; undefined when nothing listens there any more. */
  static open(control: ControlFile): Promise<ControlClient | undefined> {
    return new Promise((resolveOpen) => {
      const socket = connect({ host: '127.0.0.1', port: control.port });
      socket.once('connect', () => resolveOpen(new ControlClient(socket, control.token)));
      socket.once('error', () => resolveOpen(undefined));
    });
  }

  /** Calls the listener with every reply; returns a function that removes it. */
  listen(listener: (reply: ControlReply) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  send(op: ControlRequest['op']): void {
    if (this.#socket.writable) this.#socket.write(`${JSON.stringify({ token: this.#token, op })}\n`);
  }

  /** Sends and waits for a reply of this type; undefined when the connection ends first. */
  async ask<T extends ControlReply['type']>(op: ControlRequest['op'], type: T): Promise<ReplyOf<T> | undefined> {
    let stopListening = (): void => undefined;
    const answered = new Promise<ReplyOf<T>>((resolveAnswer) => {
      stopListening = this.listen((reply) => {
        if (reply.type === type) resolveAnswer(reply as ReplyOf<T>);
      });
    });
    this.send(op);
    const answer = await Promise.race([answered, this.closed.then(() => undefined)]);
    stopListening();
    return answer;
  }

  close(): void {
    this.#socket.destroy();
  }
}

/**
 * A machine reached by SSH: its model server appears on a port of our loopback, and fixed commands can be run on it.
 *
 * The near end stays open across reconnects, so the server keeps its URL. A lost connection is reported and not repaired here:
 * the attachment opens it again, with its pauses, and repeats the readiness check.
 */
import type { HostKeyPin } from '../../../activities/gateway/host-key-pin.ts';
import type {
  CommandLimits,
  CommandResult,
  Machine,
  MachineShell,
  OpenResult,
} from '../../../activities/gateway/machine.ts';
import { Egress } from '../../../activities/models/client/egress.ts';
import { DeckhandError } from '../../../domain/errors.ts';
import { CONTACT_COMMAND, MODEL_SERVER_PORT } from '../../../domain/fleet/startup-script/startup-script.ts';
import type { ServerKind } from '../../../domain/models/server-kind.ts';
import type { Logger } from '../../../platform/log.ts';
import { listenOnLoopback, type LoopbackListener } from './loopback-listener.ts';
import { SshConnection, type SshFailure, type SshTarget } from './ssh-connection.ts';

/** How often the machine is contacted; its dead-man switch waits far longer. */
const CONTACT_INTERVAL_MS = 60_000;

export interface SshMachineOptions {
  /** Protocol of the model server; that of Ollama by default. */
  readonly kind?: ServerKind;
  readonly target: SshTarget;
  readonly pin: HostKeyPin;
  readonly log: Logger;
  /** Port of the model server on the machine's loopback. */
  readonly modelPort?: number;
}

/** The connection to one machine by SSH. */
export class SshMachine implements Machine {
  readonly #options: SshMachineOptions;
  readonly #listener: LoopbackListener;
  readonly #lostListeners = new Set<() => void>();
  readonly shell: MachineShell = { run: (command, signal, limits) => this.#run(command, signal, limits) };
  #connection: SshConnection | null = null;
  #contact: NodeJS.Timeout | undefined;

  private constructor(options: SshMachineOptions, makeListener: LoopbackListener) {
    this.#options = options;
    this.#listener = makeListener;
  }

  /** Opens the near end; nothing is sent to the machine yet. */
  static async create(options: SshMachineOptions): Promise<SshMachine> {
    const port = options.modelPort ?? MODEL_SERVER_PORT;
    const listener = await listenOnLoopback(() => machine.#live().forward(port));
    const machine: SshMachine = new SshMachine(options, listener);
    return machine;
  }

  get kind(): ServerKind {
    return this.#options.kind ?? 'ollama';
  }

  /** Its end on our side is on loopback. */
  readonly egress = new Egress();

  get url(): string {
    return `http://127.0.0.1:${this.#listener.port}`;
  }

  async open(signal: AbortSignal): Promise<OpenResult> {
    if (this.#connection?.open === true) return { open: true };
    const { target, pin, log } = this.#options;
    const expected = await pin.known();
    const connection = await SshConnection.connect(target, expected, signal);
    if (!(connection instanceof SshConnection)) return { open: false, ...explain(connection) };
    // Pinned only once our key was accepted: a machine that is still being set up may yet change its own.
    const pinned = expected ?? (await this.#pin(connection));
    if (pinned !== connection.hostKeySha256) {
      connection.end();
      const message = `${target.host} shows host key SHA256:${connection.hostKeySha256}, pinned is SHA256:${pinned}`;
      return { open: false, ...explain({ reason: 'host_key', message }) };
    }
    this.#connection = connection;
    connection.onClose(() => this.#lost(connection));
    this.#contact = setInterval(() => void this.#keepInTouch(), CONTACT_INTERVAL_MS);
    void this.#keepInTouch();
    log.info({ host: target.host, hostKey: connection.hostKeySha256 }, 'connected to the machine');
    return { open: true };
  }

  onLost(listener: () => void): () => void {
    this.#lostListeners.add(listener);
    return () => this.#lostListeners.delete(listener);
  }

  async close(): Promise<void> {
    this.#lostListeners.clear();
    this.#connection?.end();
    clearInterval(this.#contact);
    await this.#listener.close();
  }

  async #pin(connection: SshConnection): Promise<string> {
    try {
      return await this.#options.pin.pin(connection.hostKeySha256);
    } catch (error) {
      connection.end();
      throw error;
    }
  }

  #lost(connection: SshConnection): void {
    if (this.#connection !== connection) return;
    this.#connection = null;
    clearInterval(this.#contact);
    this.#listener.cut();
    this.#options.log.warn({ host: this.#options.target.host }, 'the connection to the machine is lost');
    for (const listener of this.#lostListeners) listener();
  }

  #live(): SshConnection {
    if (this.#connection !== null) return this.#connection;
    throw new DeckhandError('host_not_ready', `there is no connection to ${this.#options.target.host}`);
  }

  // Not a plain call: without a connection it rejects, as it does when one breaks.
  async #run(command: string, signal: AbortSignal, limits?: CommandLimits): Promise<CommandResult> {
    return this.#live().run(command, signal, limits);
  }

  /** Records a contact for the machine's dead-man switch. */
  async #keepInTouch(): Promise<void> {
    const { log, target } = this.#options;
    try {
      const { exitCode, output } = await this.#run(CONTACT_COMMAND, new AbortController().signal);
      if (exitCode !== 0) log.warn({ host: target.host, exitCode, output }, 'the machine did not record the contact');
    } catch (error) {
      // A broken connection is reported and opened again; until then there is no contact.
      log.debug({ err: error, host: target.host }, 'no contact');
    }
  }
}

function explain(failure: SshFailure): { failure: 'unreachable' | 'host_key_changed'; message: string } {
  switch (failure.reason) {
    case 'host_key':
      return { failure: 'host_key_changed', message: failure.message };
    case 'refused':
      return { failure: 'unreachable', message: `${failure.message}; it does not accept the key of this installation` };
    case 'unreachable':
      return { failure: 'unreachable', message: failure.message };
  }
}

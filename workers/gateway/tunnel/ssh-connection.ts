/** One SSH connection to a machine: our key or nothing, a host key that is checked before anything is said, keepalives. */
import { createHash } from 'node:crypto';
import type { Duplex } from 'node:stream';
import { Client } from 'ssh2';
import type { CommandLimits, CommandResult } from '../../../activities/gateway/machine.ts';
import { DeckhandError } from '../../../domain/errors.ts';

const CONNECT_LIMIT_MS = 15_000;
/** Keepalive interval; a machine that misses three counts as gone. */
const KEEPALIVE_MS = 5000;
const KEEPALIVES_MISSED = 3;
const COMMAND_LIMIT_MS = 30_000;
const OUTPUT_LIMIT_CHARS = 4000;
/** Always the same kind of key is asked for, because each kind has a fingerprint of its own. */
const HOST_KEY_ALGORITHMS = ['ssh-ed25519', 'ecdsa-sha2-nistp256', 'rsa-sha2-512'] as const;

export interface SshTarget {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly privateKey: string;
}

/** Why there is no connection. */
export type SshFailure = { readonly reason: 'unreachable' | 'refused' | 'host_key'; readonly message: string };

/** An open connection. */
export class SshConnection {
  readonly #client: Client;
  readonly #target: SshTarget;
  /** Base64 SHA-256 of the host key, without padding. */
  readonly hostKeySha256: string;
  #open = true;

  private constructor(client: Client, target: SshTarget, hostKeySha256: string) {
    this.#client = client;
    this.#target = target;
    this.hostKeySha256 = hostKeySha256;
    client.once('close', () => {
      this.#open = false;
    });
  }

  get open(): boolean {
    return this.#open;
  }

  /**
   * Connects.
   *
   * @param expected fingerprint the host key must have; null = any
   * @throws the signal's reason when cancelled
   */
  static connect(target: SshTarget, expected: string | null, signal: AbortSignal): Promise<SshConnection | SshFailure> {
    signal.throwIfAborted();
    return new Promise((resolve, reject) => {
      const client = new Client();
      let seen = '';
      const cancel = (): void => {
        client.destroy();
        reject(signal.reason as Error);
      };
      const settle = (result: SshConnection | SshFailure): void => {
        signal.removeEventListener('abort', cancel);
        if (!(result instanceof SshConnection)) client.destroy();
        resolve(result);
      };
      signal.addEventListener('abort', cancel, { once: true });
      client.once('ready', () => settle(new SshConnection(client, target, seen)));
      client.once('close', () => settle({ reason: 'unreachable', message: `${target.host} closed the connection` }));
      // Stays registered: later errors are reported by the end of the connection.
      client.on('error', (error) => {
        if (expected !== null && seen !== '' && seen !== expected) {
          settle({
            reason: 'host_key',
            message: `${target.host} shows host key SHA256:${seen}, pinned is SHA256:${expected}`,
          });
        } else {
          const refused = 'level' in error && error.level === 'client-authentication';
          settle({ reason: refused ? 'refused' : 'unreachable', message: `${target.host}: ${error.message}` });
        }
      });
      client.connect({
        host: target.host,
        port: target.port,
        username: target.user,
        privateKey: target.privateKey,
        authHandler: ['publickey'],
        algorithms: { serverHostKey: [...HOST_KEY_ALGORITHMS] },
        hostVerifier: (key: Buffer): boolean => {
          seen = fingerprintOf(key);
          return expected === null || seen === expected;
        },
        readyTimeout: CONNECT_LIMIT_MS,
        keepaliveInterval: KEEPALIVE_MS,
        keepaliveCountMax: KEEPALIVES_MISSED,
      });
    });
  }

  /** Calls back when the connection is over. */
  onClose(listener: () => void): void {
    if (this.#open) this.#client.once('close', listener);
    else listener();
  }

  /** A stream to a port of the machine's own loopback. */
  forward(port: number): Promise<Duplex> {
    return new Promise((resolve, reject) => {
      if (!this.#open) {
        reject(this.#lost());
        return;
      }
      this.#client.forwardOut('127.0.0.1', 0, '127.0.0.1', port, (error, stream) => {
        if (error === undefined) resolve(stream);
        else reject(error);
      });
    });
  }

  /** @throws DeckhandError `host_not_ready` when the connection breaks or the command takes too long; the signal's reason. */
  run(command: string, signal: AbortSignal, limits: CommandLimits = {}): Promise<CommandResult> {
    const { outputChars = OUTPUT_LIMIT_CHARS, timeoutMs = COMMAND_LIMIT_MS } = limits;
    signal.throwIfAborted();
    return new Promise((resolve, reject) => {
      if (!this.#open) {
        reject(this.#lost());
        return;
      }
      this.#client.exec(command, (error, stream) => {
        if (error !== undefined) {
          reject(this.#lost(error));
          return;
        }
        let output = '';
        const add = (chunk: Buffer): void => {
          if (output.length < outputChars) output += chunk.toString('utf8');
        };
        const stop = (reason: Error): void => {
          reject(reason);
          stream.destroy();
        };
        const cancel = (): void => stop(signal.reason as Error);
        const limit = setTimeout(() => stop(this.#lost(new Error('a command took too long'))), timeoutMs);
        signal.addEventListener('abort', cancel, { once: true });
        stream.on('data', add);
        stream.stderr.on('data', add);
        stream.once('error', (broken: Error) => stop(this.#lost(broken)));
        stream.once('close', (exitCode: number | null | undefined) => {
          clearTimeout(limit);
          signal.removeEventListener('abort', cancel);
          // Without an exit status the connection went first.
          if (typeof exitCode === 'number') resolve({ exitCode, output: output.slice(0, outputChars) });
          else reject(this.#lost());
        });
      });
    });
  }

  end(): void {
    this.#client.end();
    this.#client.destroy();
  }

  #lost(cause?: Error): DeckhandError {
    const why = cause === undefined ? '' : `: ${cause.message}`;
    return new DeckhandError('host_not_ready', `the connection to ${this.#target.host} is lost${why}`, { cause });
  }
}

const fingerprintOf = (key: Buffer): string => createHash('sha256').update(key).digest('base64').replaceAll('=', '');

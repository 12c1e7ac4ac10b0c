/**
 * How a gateway reaches one machine: the address of its model server on this side, and a way to run commands where there is one.
 */
import type { ReadinessFailure } from '../../domain/fleet/instance-life/memory.ts';

/** Result of opening the way to a machine. */
export type OpenResult =
  | { readonly open: true }
  | { readonly open: false; readonly failure: ReadinessFailure; readonly message: string };

/** What a command on the machine said. */
export interface CommandResult {
  readonly exitCode: number;
  /** Both streams, cut at the limit of the command. */
  readonly output: string;
}

/** How far a command may go. */
export interface CommandLimits {
  /** Of the output, beyond which it is cut. A few thousand by default. */
  readonly outputChars?: number;
  /** A command that takes longer is given up; 30 s by default. */
  readonly timeoutMs?: number;
}

/** Runs fixed commands on the machine as its administrator. */
export interface MachineShell {
  /** @throws DeckhandError `host_not_ready` when there is no connection, it breaks, or the command takes too long; the signal's reason. */
  run(command: string, signal: AbortSignal, limits?: CommandLimits): Promise<CommandResult>;
}

/** The way to one machine. */
export interface Machine {
  /** Base URL of the model server; the same for as long as the machine is attached. */
  readonly url: string;
  /** Null where only a URL is known. */
  readonly shell: MachineShell | null;
  /** Opens the way, or says that it is open. */
  open(signal: AbortSignal): Promise<OpenResult>;
  /** Calls back when a way that was open is lost. Returns how to stop listening. */
  onLost(listener: () => void): () => void;
  close(): Promise<void>;
}

/** A model server that answers at a URL. */
export const urlMachine = (url: string): Machine => ({
  url,
  shell: null,
  open: () => Promise.resolve({ open: true }),
  onLost: () => () => undefined,
  close: () => Promise.resolve(),
});

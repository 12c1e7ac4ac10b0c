/** How a gateway reaches one machine: the address of its model server on this side, and a way to run commands where there is one. */
import type { ReadinessFailure } from '../../domain/fleet/instance-life/memory.ts';
import type { PrismaClient } from '../../generated/prisma/client.ts';
import type { ServerKind } from '../../domain/models/server-kind.ts';
import { Egress } from '../models/client/egress.ts';
import type { ModelHost } from '../models/host/model-host.ts';

/** Result of connecting to a machine. */
export type OpenResult =
  | { readonly open: true }
  | { readonly open: false; readonly failure: ReadinessFailure; readonly message: string };

/** Output of a command on the machine. */
export interface CommandResult {
  readonly exitCode: number;
  /** Both streams, cut at the limit of the command. */
  readonly output: string;
}

/** Limits of a command. */
export interface CommandLimits {
  /** Longest output; a few thousand characters by default. The rest is cut. */
  readonly outputChars?: number;
  /** Time limit of the command; 30 s by default. */
  readonly timeoutMs?: number;
}

/** Runs fixed commands on the machine as its administrator. */
export interface MachineShell {
  /** @throws DeckhandError `host_not_ready` when there is no connection, it breaks, or the command takes too long; the signal's reason. */
  run(command: string, signal: AbortSignal, limits?: CommandLimits): Promise<CommandResult>;
}

/** The connection to one machine. */
export interface Machine {
  /** Protocol of its model server. */
  readonly kind: ServerKind;
  /** Key that the way to its model server adds to each request, for blanking it out of what is shown; absent = none. */
  readonly secret?: string | null;
  /** Base URL of the model server; the same for as long as the machine is attached. */
  readonly url: string;
  /** Whether the way to its model server may leave the network. */
  readonly egress: Egress;
  /** Null where only a URL is known. */
  readonly shell: MachineShell | null;
  /** Connects, or reports that it is connected. */
  open(signal: AbortSignal): Promise<OpenResult>;
  /** Calls back when the connection is lost. Returns a function that stops listening. */
  onLost(listener: () => void): () => void;
  close(): Promise<void>;
}

/** A machine that is attached to this gateway, as the activities of its host queue see it. */
export interface AttachedMachine {
  readonly db: PrismaClient;
  /** Name of the instance or static host. */
  readonly instance: string;
  readonly machine: Machine;
  /** Null before the first readiness check. */
  readonly host: () => ModelHost | null;
  readonly profile: string;
  readonly classes: readonly string[];
  /** Aborted when the attachment ends, so that no look at the machine delays it. */
  readonly ending: AbortSignal;
}

/** A model server that answers at a URL, or on our side of a way to it. @param egress by default inside the network */
export const urlMachine = (url: string, kind: ServerKind = 'ollama', egress = new Egress()): Machine => ({
  kind,
  url,
  egress,
  shell: null,
  open: () => Promise.resolve({ open: true }),
  onLost: () => () => undefined,
  close: () => Promise.resolve(),
});

/** Contracts of the gateway's activities: the durable attachment of a machine, and tasks on one machine. */
import type { ServeInput } from '../../contracts/instance.ts';

/** How an attachment ended. */
export interface ServeEnd {
  readonly reason: string;
  /** Calls that did not finish within the drain timeout; they are retried on other machines. */
  readonly callsCut: number;
}

/** On queue `gateway`. */
export interface GatewayActivities {
  /**
   * Attaches a machine until it is cancelled: connects to its model server, runs the readiness check, reports by signal, then runs a host worker
   * and class workers for it. Cancellation drains calls, then the activity returns. When a gateway dies, another takes over.
   */
  serveInstance(input: ServeInput): Promise<ServeEnd>;
}

/** On queue `host-<instance>`, inside an attachment. */
export interface HostActivities {
  restartModelServer(): Promise<void>;
  rebootMachine(): Promise<void>;
  /** Ends current and later calls of a draining attachment, so that they are retried on other machines. */
  cutCalls(): Promise<void>;
}

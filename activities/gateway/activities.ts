/**
 * Activities of the gateway as workflows see them: the durable attachment of a machine, and what concerns one machine.
 */
import type { ServeInput } from '../../contracts/instance.ts';

/** How an attachment ended. */
export interface ServeEnd {
  readonly reason: string;
  /** Calls that did not finish within the drain's time; they are retried elsewhere. */
  readonly callsCut: number;
}

/** On queue `gateway`. */
export interface GatewayActivities {
  /**
   * Attaches a machine until it is cancelled: reaches its model server, has it prove itself, reports by signal, then runs a host worker and
   * class workers for it. Cancellation drains; then it returns. A dead gateway means another takes over.
   */
  serveInstance(input: ServeInput): Promise<ServeEnd>;
}

/** On queue `host-<instance>`, inside an attachment. */
export interface HostActivities {
  restartModelServer(): Promise<void>;
  rebootMachine(): Promise<void>;
  /** Ends the calls in flight and those that come later: they are repeated elsewhere. Asked of an attachment that drains. */
  cutCalls(): Promise<void>;
}

/**
 * Connections to Temporal, the same for workers and clients.
 */
import { Connection, Client } from '@temporalio/client';
import { DeckhandError } from '../domain/errors.ts';
import type { Config } from './config.ts';

/** Where a process finds Temporal. */
export interface TemporalTarget {
  /** `host:port`. */
  readonly address: string;
  readonly namespace: string;
}

/** The configured address, or an error that says how to get one. */
export function temporalTarget(config: Config): TemporalTarget {
  if (config.temporalAddress === undefined) {
    throw new DeckhandError('usage', 'TEMPORAL_ADDRESS is not set', {
      hint: 'Start everything with `./deckhand up`, or set TEMPORAL_ADDRESS.',
    });
  }
  return { address: config.temporalAddress, namespace: config.temporalNamespace };
}

/** Opens a client. Close its connection when done. */
export async function connectTemporal(target: TemporalTarget): Promise<Client> {
  const connection = await Connection.connect({ address: target.address });
  return new Client({ connection, namespace: target.namespace });
}

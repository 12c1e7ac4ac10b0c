/** Connections to Temporal, the same for workers and clients. */
import { Connection, Client, type ClientInterceptors, type ConnectionLike } from '@temporalio/client';
import { DeckhandError } from '../domain/errors.ts';
import type { Config } from './config.ts';
import { temporalDataConverter } from './temporal/data-converter.ts';
import type { EncryptionConfig } from './temporal/payload-keys.ts';

/** Address of Temporal. */
export interface TemporalTarget {
  /** `host:port`. */
  readonly address: string;
  readonly namespace: string;
}

/** The configured address. @throws DeckhandError `usage` if there is none */
export function temporalTarget(config: Config): TemporalTarget {
  if (config.temporalAddress === undefined) {
    throw new DeckhandError('usage', 'TEMPORAL_ADDRESS is not set', {
      hint: 'Start everything with `./deckhand up`, or set TEMPORAL_ADDRESS.',
    });
  }
  return { address: config.temporalAddress, namespace: config.temporalNamespace };
}

/** Makes a client on a connection. The only place that does so, because every client needs our data converter for encryption. */
export function temporalClient(
  connection: ConnectionLike,
  { namespace }: Pick<TemporalTarget, 'namespace'>,
  config: EncryptionConfig,
  interceptors: ClientInterceptors = {},
): Client {
  return new Client({ connection, namespace, dataConverter: temporalDataConverter(config), interceptors });
}

/** Opens a client. Close its connection when done. */
export async function connectTemporal(target: TemporalTarget, config: EncryptionConfig): Promise<Client> {
  const connection = await Connection.connect({ address: target.address });
  return temporalClient(connection, target, config);
}

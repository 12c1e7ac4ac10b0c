/** The data converter of every client, worker and workflow bundle. */
import { fileURLToPath } from 'node:url';
import type { DataConverter } from '@temporalio/common';
import { clearMark } from '../../domain/temporal/clear-payload.ts';
import { EncryptionCodec } from './payload-codec.ts';
import { openPayloadKeys, type EncryptionConfig } from './payload-keys.ts';

const FAILURE_CONVERTER = fileURLToPath(new URL('failure-converter.ts', import.meta.url));

/** The failure converter as an option of bundler and workers. */
export type FailureConversion = Pick<DataConverter, 'failureConverterPath'>;

/** The codec of a configuration. Without encryption it encrypts nothing and still decrypts. @throws DeckhandError `usage` */
export function payloadCodec(config: EncryptionConfig): EncryptionCodec {
  return new EncryptionCodec(openPayloadKeys(config), config.encryption === 'on');
}

/** The converter of a configuration. @throws DeckhandError `usage` for keys that are not valid */
export function temporalDataConverter(config: EncryptionConfig): DataConverter {
  return { payloadCodecs: [payloadCodec(config)], ...failureConversion(config) };
}

/**
 * The converter of a worker that runs workflows, which refuse unencrypted arguments.
 *
 * @param sinceMs time from which everything is encrypted; null = encryption is off
 * @throws DeckhandError `usage` for keys that are not valid
 */
export function workflowDataConverter(config: EncryptionConfig, sinceMs: number | null): DataConverter {
  const codec = new EncryptionCodec(openPayloadKeys(config), config.encryption === 'on', clearMark(sinceMs));
  return { payloadCodecs: [codec], ...failureConversion(config) };
}

/** The failure converter of a workflow bundle; none = the SDK's default, which does not encrypt failures. */
export function failureConversion({ encryption }: Pick<EncryptionConfig, 'encryption'>): FailureConversion {
  return encryption === 'on' ? { failureConverterPath: FAILURE_CONVERTER } : {};
}

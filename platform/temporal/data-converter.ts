/**
 * How Deckhand's values look on the way to Temporal: the one place from which every client, worker and workflow bundle has it.
 */
import { fileURLToPath } from 'node:url';
import type { DataConverter } from '@temporalio/common';
import { clearMark } from '../../domain/temporal/clear-payload.ts';
import { EncryptionCodec } from './payload-codec.ts';
import { openPayloadKeys, type EncryptionConfig } from './payload-keys.ts';

const FAILURE_CONVERTER = fileURLToPath(new URL('failure-converter.ts', import.meta.url));

/** How failures are written, as bundler and workers are told. */
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
 * The converter of a worker that runs workflows, which refuse arguments in clear.
 *
 * @param sinceMs since when nothing comes in clear; null = encryption is off
 * @throws DeckhandError `usage` for keys that are not valid
 */
export function workflowDataConverter(config: EncryptionConfig, sinceMs: number | null): DataConverter {
  const codec = new EncryptionCodec(openPayloadKeys(config), config.encryption === 'on', clearMark(sinceMs));
  return { payloadCodecs: [codec], ...failureConversion(config) };
}

/** Which failure converter a workflow bundle has to contain; none = the SDK's own, which writes failures in clear. */
export function failureConversion({ encryption }: Pick<EncryptionConfig, 'encryption'>): FailureConversion {
  return encryption === 'on' ? { failureConverterPath: FAILURE_CONVERTER } : {};
}

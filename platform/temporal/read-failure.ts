/**
 * Decrypts the message of a failure that Temporal describes as raw protobuf. For an open activity whose failure is larger than 4 KB, the server
 * keeps only its code and the remark that it is encoded.
 */
import type { Client } from '@temporalio/client';
import type { ProtoFailure } from '@temporalio/common';
import { decodeOptionalFailureToOptionalError } from '@temporalio/common/lib/internal-non-workflow/codec-helpers.js';

/** What the SDK writes in place of a message that it encoded. */
const ENCODED = 'Encoded failure';

/** A readable failure. */
export interface FailureWords {
  readonly message: string;
  /** One of our codes, or the name of another error; null when the server failed it. */
  readonly code: string | null;
}

/** Reads a failure; null when there is none. @throws DeckhandError `payload_key_missing`, `payload_damaged` */
export async function readFailure(
  client: Pick<Client, 'options'>,
  failure: ProtoFailure | null | undefined,
): Promise<FailureWords | null> {
  if (failure === null || failure === undefined) return null;
  // The server says first that it cut a failure, then which.
  const cut = Boolean(failure.serverFailureInfo) && failure.cause ? failure.cause : failure;
  const error = await decodeOptionalFailureToOptionalError(client.options.loadedDataConverter, cut);
  const code = cut.applicationFailureInfo?.type ?? null;
  const message = error?.message ?? '';
  return { message: message === '' || message === ENCODED ? (code ?? 'error').replaceAll('_', ' ') : message, code };
}

/**
 * The words of a failure where Temporal describes it raw. In clear it only says that they are encoded, and the server keeps nothing but that,
 * and the code, of a failure of an open activity that is larger than 4 KB.
 */
import type { Client } from '@temporalio/client';
import type { ProtoFailure } from '@temporalio/common';
import { decodeOptionalFailureToOptionalError } from '@temporalio/common/lib/internal-non-workflow/codec-helpers.js';

/** What the SDK writes in place of a message that it encoded. */
const ENCODED = 'Encoded failure';

/** A failure in words. */
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

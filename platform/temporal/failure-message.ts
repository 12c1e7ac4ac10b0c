/** The words of a failure where Temporal describes it raw: in clear it only says that they are encoded. */
import type { Client } from '@temporalio/client';
import type { ProtoFailure } from '@temporalio/common';
import { decodeOptionalFailureToOptionalError } from '@temporalio/common/lib/internal-non-workflow/codec-helpers.js';

/** Message of a failure; null when there is none. @throws DeckhandError `payload_key_missing`, `payload_damaged` */
export async function failureMessage(client: Client, failure: ProtoFailure | null | undefined): Promise<string | null> {
  const error = await decodeOptionalFailureToOptionalError(client.options.loadedDataConverter, failure);
  return error?.message ?? null;
}

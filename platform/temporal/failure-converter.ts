/**
 * Failures whose message and stack are payloads, so that the codec encrypts them too. The SDK loads this file by its path, in processes and
 * in the workflow bundle.
 */
import { DefaultFailureConverter } from '@temporalio/common';

/** The converter, under the name that the SDK looks for. */
export const failureConverter = new DefaultFailureConverter({ encodeCommonAttributes: true });

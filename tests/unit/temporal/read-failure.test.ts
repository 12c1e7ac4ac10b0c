import { createSecretKey, randomBytes } from 'node:crypto';
import type { Client } from '@temporalio/client';
import { ApplicationFailure, defaultPayloadConverter, type ProtoFailure } from '@temporalio/common';
import { encodeErrorToFailure } from '@temporalio/common/lib/internal-non-workflow/codec-helpers.js';
import proto from '@temporalio/proto';
import { expect, it } from 'vitest';
import { failureConverter } from '../../../platform/temporal/failure-converter.ts';
import { EncryptionCodec } from '../../../platform/temporal/payload-codec.ts';
import { readFailure } from '../../../platform/temporal/read-failure.ts';

const key = { id: 'k', secret: createSecretKey(randomBytes(32)), createdAt: null };
const loadedDataConverter = {
  payloadConverter: defaultPayloadConverter,
  failureConverter,
  payloadCodecs: [new EncryptionCodec({ newest: () => key, find: () => key })],
};
/** As far as failures are concerned a client is its converter. */
const client = { options: { loadedDataConverter } } as unknown as Client;

const failed = (): ApplicationFailure =>
  ApplicationFailure.create({
    type: 'model_crashed',
    message: 'The model server failed at Pulsara.',
    details: [{ hint: 'Look at Pulsara.' }],
    cause: new Error('500 Pulsara'),
  });
const onServer = (error: unknown, codecs = loadedDataConverter.payloadCodecs): Promise<ProtoFailure> =>
  encodeErrorToFailure({ ...loadedDataConverter, payloadCodecs: codecs }, error);
/** A failure as bytes: words in clear stand in them as they are, at any depth. */
const bytesOf = (failure: ProtoFailure): Buffer =>
  Buffer.from(proto.temporal.api.failure.v1.Failure.encode(failure).finish());

it('a failure as the server has it has neither words nor stacks in clear, at no depth, and is read with both', async () => {
  const failure = await onServer(failed());
  expect(bytesOf(failure).includes('Pulsara')).toBe(false);
  expect(bytesOf(await onServer(failed(), [])).includes('Pulsara')).toBe(true);
  expect(failure.message).toBe('Encoded failure');
  expect(failure.stackTrace).toBe('');
  expect(failure.cause?.message).toBe('Encoded failure');
  const expected = { message: 'The model server failed at Pulsara.', code: 'model_crashed' };
  expect(await readFailure(client, failure)).toEqual(expected);
});

it('a failure as the server has it is read in clear too, from a time without encryption', async () => {
  const failure = { message: 'not yet', applicationFailureInfo: { type: 'model_busy' } };
  expect(await readFailure(client, failure)).toEqual({ message: 'not yet', code: 'model_busy' });
  expect(await readFailure(client, null)).toBeNull();
});

it('a failure as the server has it that the server cut for its size is told by its code', async () => {
  const cut: ProtoFailure = {
    message: 'Failure exceeds size limit.',
    serverFailureInfo: { nonRetryable: false },
    cause: { message: 'Encoded failure', applicationFailureInfo: { type: 'model_crashed' } },
  };
  expect(await readFailure(client, cut)).toEqual({ message: 'model crashed', code: 'model_crashed' });
});

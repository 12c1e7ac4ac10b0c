/** Requests of a call are counted on its row before they go out, over gateways that end without a word. */
import { expect } from 'vitest';
import { Sends } from '../../../activities/models/sends.ts';
import { DeckhandError, type ErrorCode } from '../../../domain/errors.ts';
import type { PrismaClient } from '../../../generated/prisma/client.ts';
import { itWithDatabase as it } from '../../../testing/database.ts';
import { aModelCall, anAnalysis } from '../../../testing/make.ts';
import { failureOf } from '../../../testing/refusal.ts';

const never = new AbortController().signal;
const failed = (code: ErrorCode): DeckhandError => new DeckhandError(code, code, { userMessage: `It said ${code}.` });

let id: string;
it.beforeEach(async ({ db }) => {
  const { id: analysisId } = await anAnalysis(db);
  ({ id } = await aModelCall(db, { analysisId, slideNumber: 3 }));
});

const rowOf = (db: PrismaClient) => db.modelCall.findUniqueOrThrow({ where: { id } });
/** The counts that an activity starts with. */
const sendsOf = async (db: PrismaClient): Promise<Sends> => new Sends(db, await rowOf(db), never);

it('a request that goes out stands on the row, and its end takes it off', async ({ db }) => {
  const sends = await sendsOf(db);
  await sends.begin();
  expect(await rowOf(db)).toMatchObject({ sends: 0, openSend: expect.any(String) as string });
  await sends.end();
  expect(await rowOf(db)).toMatchObject({ sends: 1, lostSends: 0, openSend: null, sendFailure: null });
  expect(sends.left).toBe(2);
});

it('a request whose gateway was killed is counted as lost by the next one, and its own late end changes nothing', async ({
  db,
}) => {
  const killed = await sendsOf(db);
  await killed.begin();
  const next = await sendsOf(db);
  await next.begin();
  await killed.end(failed('model_crashed'));
  expect(await rowOf(db)).toMatchObject({ sends: 0, lostSends: 1, crashes: 0 });
  await next.end();
  expect(await rowOf(db)).toMatchObject({ sends: 1, lostSends: 1, openSend: null });
});

it('the third request that failed is the last, and the reason says how often and why', async ({ db }) => {
  const error = failed('model_stalled');
  for (let n = 1; n <= 3; n += 1) {
    const sends = await sendsOf(db);
    await sends.begin();
    await sends.end(error);
    const final = sends.finalError(error);
    if (n < 3) expect(final).toBe(error);
    else
      expect(final).toMatchObject({
        code: 'model_sends_exhausted',
        userMessage: 'Sent 3 times: It said model_stalled.',
      });
  }
  const refused = await failureOf((await sendsOf(db)).begin());
  expect(refused.code).toBe('model_sends_exhausted');
  expect(await rowOf(db)).toMatchObject({ sends: 3, openSend: null });
});

it('five requests that were lost are the last, whoever lost them', async ({ db }) => {
  for (let n = 0; n < 5; n += 1) {
    const sends = await sendsOf(db);
    await sends.begin();
    if (n % 2 === 0) await sends.end(failed('host_not_ready'));
  }
  const error = await failureOf((async () => (await sendsOf(db)).throwIfExhausted())());
  expect(error.userMessage).toBe('Lost 5 times with its machine, gateway or network: It said host_not_ready.');
});

it('a page on which the runner ended twice is one that the model cannot take', async ({ db }) => {
  const first = await sendsOf(db);
  await first.begin();
  await first.end(failed('model_crashed'));
  const second = await sendsOf(db);
  expect(second.hasCrashed).toBe(true);
  await second.begin();
  await second.end(failed('model_crashed'));
  expect(second.finalError(failed('model_crashed'))).toMatchObject({
    code: 'model_input_rejected',
    userMessage: 'The model cannot take this page: its runner ended 2 times while it had it.',
  });
});

it('a page on which another call ended the runner twice is not sent again, and other pages are', async ({ db }) => {
  const { analysisId } = await rowOf(db);
  await aModelCall(db, { analysisId, slideNumber: 3, task: 'slide_feedback', crashes: 2 });
  expect(await failureOf((await sendsOf(db)).begin())).toMatchObject({
    code: 'model_input_rejected',
    userMessage: 'The model cannot take this page: its runner ended 2 times while it had it.',
  });
  const other = await aModelCall(db, { analysisId, slideNumber: 4 });
  await expect(new Sends(db, other, never).begin()).resolves.toBeUndefined();
});

it('a request that a person took back does not count, and one that a busy server refused does', async ({ db }) => {
  const sends = await sendsOf(db);
  await sends.begin();
  await sends.withdraw();
  await sends.begin();
  await sends.end(failed('model_busy'));
  expect(await rowOf(db)).toMatchObject({ sends: 1, lostSends: 0, openSend: null });
});

it('an error that is final anyway stays as it is', async ({ db }) => {
  const sends = await sendsOf(db);
  const unusable = failed('model_output_unparseable');
  for (let n = 0; n < 3; n += 1) {
    await sends.begin();
    await sends.end();
  }
  expect(sends.left).toBe(0);
  expect(sends.finalError(unusable)).toBe(unusable);
});

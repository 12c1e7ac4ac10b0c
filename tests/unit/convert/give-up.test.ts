/** Faults of a render process that have no name are repeated, but not for ever. */
import { MockActivityEnvironment } from '@temporalio/testing';
import { describe, expect, it } from 'vitest';
import { giveUpInTheEnd, MAX_ATTEMPTS } from '../../../activities/convert/give-up.ts';
import { DeckhandError, ERROR_KINDS, type ErrorCode } from '../../../domain/errors.ts';

/** What the given attempt of an activity throws whose work throws `error`. */
async function thrownBy(error: unknown, attempt: number): Promise<unknown> {
  const activity = new MockActivityEnvironment({ attempt });
  const work = activity.run(() => giveUpInTheEnd(() => Promise.reject(error)));
  return work.then(
    () => expect.fail('nothing was thrown'),
    (thrown: unknown) => thrown,
  );
}

describe('work on a PDF that fails without a name', () => {
  const unnamed = new DeckhandError('internal', 'the render process was killed (SIGKILL)');

  it('is left to Temporal to repeat before the last attempt', async () =>
    expect(await thrownBy(unnamed, MAX_ATTEMPTS - 1)).toBe(unnamed));

  it('ends for good with the last attempt', async () => {
    const thrown = await thrownBy(unnamed, MAX_ATTEMPTS);
    expect(thrown).toMatchObject({ code: 'page_render_failed', cause: unnamed });
    expect(ERROR_KINDS.page_render_failed.permanent).toBe(true);
  });

  it.each<ErrorCode>(['storage_full', 'pdf_damaged'])('keeps the error that has a name: %s', async (code) => {
    const named = new DeckhandError(code, 'named');
    expect(await thrownBy(named, MAX_ATTEMPTS + 5)).toBe(named);
  });
});

/** Storing pages while the next ones are drawn. */
import { setTimeout as delay } from 'node:timers/promises';
import { MockActivityEnvironment } from '@temporalio/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { giveUpInTheEnd, MAX_ATTEMPTS } from '../../../activities/convert/give-up.ts';
import { PageBatches } from '../../../activities/convert/page-batches.ts';
import { DeckhandError, ERROR_KINDS, type ErrorCode } from '../../../domain/errors.ts';
import { forAll } from '../../../testing/property.ts';

it('storing pages in batches stores the first page alone, at once', async () => {
  const written: number[][] = [];
  const batches = new PageBatches<number>(async (pages) => void written.push([...pages]), new AbortController());
  batches.add(1);
  expect(written).toEqual([[1]]);
  batches.add(2);
  await batches.finish([]);
  expect(written).toEqual([[1], [2]]);
});

it('storing pages in batches does not hold a page back for long', async () => {
  const written: number[][] = [];
  const batches = new PageBatches<number>(async (pages) => void written.push([...pages]), new AbortController());
  batches.add(1);
  await delay(1);
  batches.add(2);
  await expect.poll(() => written, { timeout: 10_000 }).toEqual([[1], [2]]);
});

it('storing pages in batches stores every page once and in order, never two batches at a time, whatever the pace', async () => {
  const pauses = fc.array(fc.nat({ max: 3 }), { maxLength: 12 });
  await forAll([pauses, pauses, fc.array(fc.nat(), { maxLength: 3 })], async (drawing, writing, more) => {
    const written: number[] = [];
    let open = 0;
    let batch = 0;
    const batches = new PageBatches<number>(async (pages) => {
      open++;
      expect(open).toBe(1);
      for (let ticks = writing[batch++] ?? 0; ticks > 0; ticks--) await Promise.resolve();
      written.push(...pages);
      open--;
    }, new AbortController());
    for (const [page, ticks] of drawing.entries()) {
      batches.add(page);
      for (let tick = 0; tick < ticks; tick++) await Promise.resolve();
    }
    await batches.finish(more);
    expect(written).toEqual([...drawing.keys(), ...more]);
  });
});

it('storing pages in batches gives up at the first page that cannot be stored, with its error, and writes nothing more', async () => {
  const full = new Error('no space left');
  const giveUp = new AbortController();
  let writes = 0;
  const batches = new PageBatches<number>(async () => {
    writes++;
    throw full;
  }, giveUp);
  for (let page = 1; page <= 9; page++) batches.add(page);
  await expect(batches.finish([10])).rejects.toBe(full);
  expect(giveUp.signal.reason).toBe(full);
  expect(writes).toBe(1);
  await batches.settled();
});

// Faults of a render process that have no name are repeated, but not for ever.
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

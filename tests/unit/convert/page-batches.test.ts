/** Storing pages while the next ones are drawn. */
import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PageBatches } from '../../../activities/convert/page-batches.ts';
import { forAll } from '../../../testing/property.ts';

describe('storing pages in batches', () => {
  it('stores the first page alone, at once', async () => {
    const written: number[][] = [];
    const batches = new PageBatches<number>(async (pages) => void written.push([...pages]), new AbortController());
    batches.add(1);
    expect(written).toEqual([[1]]);
    batches.add(2);
    await batches.finish([]);
    expect(written).toEqual([[1], [2]]);
  });

  it('does not hold a page back for long', async () => {
    const written: number[][] = [];
    const batches = new PageBatches<number>(async (pages) => void written.push([...pages]), new AbortController());
    batches.add(1);
    await delay(1);
    batches.add(2);
    await expect.poll(() => written, { timeout: 10_000 }).toEqual([[1], [2]]);
  });

  it('stores every page once and in order, never two batches at a time, whatever the pace', async () => {
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

  it('gives up at the first page that cannot be stored, with its error, and writes nothing more', async () => {
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
});

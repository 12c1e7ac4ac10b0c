/**
 * What is waited for, and what is refused.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fileReadiness, jobReadiness, nextLookMs, unchangedForMs } from '../../../domain/drop-folder/readiness.ts';
import { forAll } from '../../../testing/property.ts';

const patience = { settleMs: 2000, unreadableMs: 10_000, fileMs: 300_000 };
const duration = fc.integer({ min: 0, max: 1_000_000 });

it('half a job file is waited for and then refused', () =>
  forAll([duration], (unchangedMs) => {
    const { kind } = jobReadiness({ kind: 'unreadable', reason: 'half', unchangedMs }, patience);
    expect(kind).toBe(unchangedMs < patience.unreadableMs ? 'wait' : 'refuse');
  }));

it('a PDF that changes is waited for without end; one that is whole is ready; half of one is given to the API in the end', async () => {
  const look = fc.record({
    kind: fc.constant('there' as const),
    unchangedMs: duration,
    sizeBytes: fc.nat(),
    start: fc.constantFrom('pdf' as const, 'blank' as const, 'other' as const),
    hasEnd: fc.boolean(),
  });
  await forAll([look], (file) => {
    const { kind } = fileReadiness(file, patience);
    expect(kind).not.toBe('refuse');
    if (file.unchangedMs < patience.settleMs) expect(kind).toBe('wait');
    if (file.unchangedMs >= patience.fileMs) expect(kind).toBe('ready');
    if (file.unchangedMs >= patience.settleMs && file.start === 'pdf' && file.hasEnd && file.sizeBytes > 0)
      expect(kind).toBe('ready');
  });
  await forAll([duration], (missingMs) =>
    expect(fileReadiness({ kind: 'missing', missingMs }, patience).kind).toBe(
      missingMs < patience.fileMs ? 'wait' : 'refuse',
    ),
  );
});

it('a file’s rest is never negative, and neither a kept nor a future modification time hides a change', () =>
  forAll(
    [fc.integer({ min: 0, max: 2e12 }), fc.integer({ min: -1e9, max: 1e9 }), duration],
    (ctimeMs, shiftMs, ageMs) => {
      const mtimeMs = ctimeMs + shiftMs;
      const nowMs = ctimeMs + ageMs;
      const restMs = unchangedForMs({ mtimeMs, ctimeMs }, nowMs, null);
      expect(restMs).toBeGreaterThanOrEqual(0);
      expect(restMs).toBeLessThanOrEqual(ageMs);
      expect(unchangedForMs({ mtimeMs, ctimeMs }, nowMs, 5000)).toBeGreaterThanOrEqual(5000);
    },
  ));

it('looks again soon at first, and at least every 15 s', () =>
  forAll([fc.integer({ min: 0, max: 1e9 })], (waitedMs) => {
    expect(nextLookMs(waitedMs)).toBeGreaterThanOrEqual(500);
    expect(nextLookMs(waitedMs)).toBeLessThanOrEqual(15_000);
  }));

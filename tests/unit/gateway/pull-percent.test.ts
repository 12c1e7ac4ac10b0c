/** Progress of a pull over several layers. */
import { expect, it } from 'vitest';
import { PullPercent } from '../../../activities/gateway/pull-percent.ts';

it('sums the layers known so far and ignores steps without sizes', () => {
  const percent = new PullPercent();
  const step = (status: string, completedBytes: number | null, totalBytes: number | null): number => {
    percent.add({ status, completedBytes, totalBytes });
    return percent.value;
  };
  expect(step('pulling manifest', null, null)).toBe(0);
  expect(step('pulling a', null, 100)).toBe(0);
  expect(step('pulling a', 50, 100)).toBe(50);
  expect(step('pulling b', 0, 100)).toBe(25);
  expect(step('pulling a', 100, 100)).toBe(50);
  expect(step('pulling b', 100, 100)).toBe(100);
  expect(step('verifying sha256 digest', null, null)).toBe(100);
});

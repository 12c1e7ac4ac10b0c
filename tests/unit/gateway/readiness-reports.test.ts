/**
 * Which failed readiness checks the instance workflow hears of, and when.
 */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ReadinessReports } from '../../../workers/gateway/readiness-reports.ts';

const TIMEOUT_MS = 1000;
let told: string[];
let reports: ReadinessReports;
const tell = (failure: string, message: string): Promise<void> => {
  told.push(`${failure}: ${message}`);
  return Promise.resolve();
};

beforeEach(() => {
  vi.useFakeTimers();
  told = [];
  reports = new ReadinessReports(TIMEOUT_MS, tell);
});
afterEach(() => {
  reports.end();
  vi.useRealTimers();
});

it('a failed check that time does not mend is told at once, and once', () => {
  for (let i = 0; i < 3; i += 1) reports.failed({ failure: 'cpu_only', message: 'on the CPU', certain: true });
  vi.advanceTimersByTime(5 * TIMEOUT_MS);
  expect(told).toEqual(['cpu_only: on the CPU']);
});

it('a failed check is told again after a restart, and when it is another one', () => {
  reports.failed({ failure: 'cpu_only', message: 'on the CPU', certain: true });
  reports.restarted();
  reports.failed({ failure: 'cpu_only', message: 'still', certain: true });
  reports.failed({ failure: 'no_gpu', message: 'gone', certain: true });
  expect(told).toEqual(['cpu_only: on the CPU', 'cpu_only: still', 'no_gpu: gone']);
});

it('a failed check that time may mend is told for each tenth of the time that it lasts', () => {
  reports.failed({ failure: 'unreachable', message: 'refused', certain: false });
  vi.advanceTimersByTime(TIMEOUT_MS / 10 - 1);
  expect(told).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(told).toEqual(['unreachable: refused']);
  vi.advanceTimersByTime(TIMEOUT_MS / 10);
  expect(told).toHaveLength(2);
});

it('a failed check of a server that runs already is told at once', () => {
  reports.end();
  reports = new ReadinessReports(TIMEOUT_MS, tell, true);
  for (let i = 0; i < 3; i += 1) reports.failed({ failure: 'unreachable', message: 'refused', certain: false });
  reports.failed({ failure: 'model_missing', message: 'no llava', certain: false });
  expect(told).toEqual(['unreachable: refused', 'model_missing: no llava']);
  vi.advanceTimersByTime(TIMEOUT_MS / 10);
  expect(told).toHaveLength(3);
});

it('a failed check is not told of a step that takes its time, until the whole time is over', () => {
  reports.failed({ failure: 'unreachable', message: 'refused', certain: false });
  reports.underway('pulling gemma3:12b');
  vi.advanceTimersByTime(TIMEOUT_MS - 1);
  expect(told).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(told).toEqual(['timeout: not ready within 1 s: pulling gemma3:12b']);
});

it('a failed check is told no more after the check has ended', () => {
  reports.failed({ failure: 'unreachable', message: 'refused', certain: false });
  reports.end();
  vi.advanceTimersByTime(10 * TIMEOUT_MS);
  expect(told).toEqual([]);
});

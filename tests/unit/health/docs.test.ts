/** docs/monitoring.md against the code: every fault of a machine with its level, its remedies and what becomes of calls. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { FAULTS } from '../../../domain/fleet/instance-life/remedies.ts';
import { FAILURE_LEVELS } from '../../../domain/health/rules.ts';
import { HEALTH_FAILURES, HEALTH_LEVELS } from '../../../domain/health/types.ts';
import { failureOfXid } from '../../../domain/health/xids.ts';

const text = readFileSync(path.resolve(import.meta.dirname, '../../../docs/monitoring.md'), 'utf8');
const section = text.slice(text.indexOf('## Health levels and remedies'), text.indexOf('## Diagnosing a GPU'));
const rows = section
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) => line.split('|').map((cell) => cell.trim().replaceAll('`', '')));
const rowOf = (name: string): string[] => rows.find((row) => row[1] === name) ?? [];

it('every level is described', () => expect(HEALTH_LEVELS.filter((level) => rowOf(level).length === 0)).toEqual([]));

it.each(HEALTH_FAILURES)('%s is described with its level and its remedies', (failure) => {
  const [, , level, , remedies = '', calls] = rowOf(failure);
  expect(level).toBe(failure === 'no_samples' ? 'unknown' : FAILURE_LEVELS[failure]);
  const fault = FAULTS[failure];
  expect(remedies.replace(', when it lasts', '')).toBe(fault.remedies.join(', ') || 'none');
  expect(remedies.endsWith('when it lasts')).toBe(level === 'degraded');
  expect(calls).toBe(fault.calls);
});

it('every XID with a remedy is named with its fault, and no other', () => {
  const documented = Object.fromEntries(
    HEALTH_FAILURES.map((failure) => {
      const [, numbers = ''] = /XID ([\d, ]+)/u.exec(rowOf(failure)[3] ?? '') ?? [];
      return [failure, numbers.split(',').map(Number).filter(Boolean)];
    }),
  );
  for (let xid = 1; xid < 200; xid++) {
    const failure = failureOfXid(xid);
    const named = HEALTH_FAILURES.filter((one) => documented[one]?.includes(xid));
    expect(named, `XID ${xid}`).toEqual(failure === null ? [] : [failure]);
  }
});

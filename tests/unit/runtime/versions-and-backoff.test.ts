import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { whyUnfit } from '../../../runtime/temporal-find.ts';
import {
  canOpenDatabaseOf,
  compareVersions,
  formatVersion,
  parseServerVersion,
  serverVersionOfCli,
} from '../../../runtime/temporal-version.ts';
import { DEFAULT_BACKOFF, failuresInARow, restartDelayMs } from '../../../runtime/supervisor/backoff.ts';
import { forAll } from '../../../testing/property.ts';

const version = fc.record({ major: fc.nat(3), minor: fc.nat(60), patch: fc.nat(20) });

describe('versions of Temporal servers', () => {
  it('reads the server, not the CLI or the UI, from what the CLI prints', () => {
    const expected = { major: 1, minor: 29, patch: 1 };
    expect(serverVersionOfCli('temporal version 1.5.1 (Server 1.29.1, UI 2.42.1)\n')).toEqual(expected);
    expect(serverVersionOfCli('tctl version 1.18.0')).toBeUndefined();
  });

  it('reads back what it writes', () =>
    forAll([version], (v) => expect(parseServerVersion(formatVersion(v))).toEqual(v)));

  it('orders versions totally', () =>
    forAll([version, version, version], (a, b, c) => {
      expect(Math.sign(compareVersions(a, b))).toBe(0 - Math.sign(compareVersions(b, a)));
      if (compareVersions(a, b) <= 0 && compareVersions(b, c) <= 0)
        expect(compareVersions(a, c)).toBeLessThanOrEqual(0);
    }));

  it('never lets an older server open a newer database', () =>
    forAll([version, version], (server, maker) => {
      if (server.minor < maker.minor) expect(canOpenDatabaseOf(server, maker)).toBe(false);
      expect(canOpenDatabaseOf(server, server)).toBe(true);
    }));

  it('refuses servers before 1.29 and takes later ones', () => {
    expect(whyUnfit({ major: 1, minor: 28, patch: 9 }, undefined)).toContain('1.29.0 is needed');
    expect(whyUnfit(undefined, undefined)).toContain('does not run');
    expect(whyUnfit({ major: 1, minor: 29, patch: 0 }, { major: 1, minor: 32, patch: 0 })).toContain('1.32.0');
    expect(whyUnfit({ major: 1, minor: 32, patch: 0 }, { major: 1, minor: 29, patch: 1 })).toBeUndefined();
  });
});

it('restart delays grow with the failures in a row and never pass the ceiling', () =>
  forAll([fc.integer({ min: 1, max: 10_000 })], (failures) => {
    const delay = restartDelayMs(failures);
    expect(delay).toBeGreaterThanOrEqual(DEFAULT_BACKOFF.initialMs);
    expect(delay).toBeLessThanOrEqual(DEFAULT_BACKOFF.maximumMs);
    expect(restartDelayMs(failures + 1)).toBeGreaterThanOrEqual(delay);
  }));

it('restart delays begin again after a good run', () => {
  expect(failuresInARow(7, DEFAULT_BACKOFF.resetAfterMs)).toBe(1);
  expect(failuresInARow(7, DEFAULT_BACKOFF.resetAfterMs - 1)).toBe(8);
});

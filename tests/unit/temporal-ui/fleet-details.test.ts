/** What the Temporal UI shows of pools and instances, whatever a provider or an operator said. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { initialState } from '../../../domain/fleet/instance-life/reducer.ts';
import { MAX_DETAILS_BYTES } from '../../../domain/temporal/run-details.ts';
import type { InstanceView } from '../../../domain/fleet/pool/pool.ts';
import { detailsOf as instanceDetails } from '../../../workflows/fleet/instance/row.ts';
import type { PoolReport } from '../../../contracts/pool.ts';
import { detailsOf as poolDetails } from '../../../workflows/fleet/pool/details.ts';
import { instanceSettingsForTests } from '../../../testing/instance-settings.ts';
import { forAll } from '../../../testing/property.ts';

const AT_MS = Date.UTC(2026, 10, 20, 10, 0, 7);
const nasty = fc.string({ unit: fc.constantFrom('|', '\n', '<', '[', ']', '(', ')', 'a', ' '), maxLength: 400 });

const report = (reasons: readonly string[]): PoolReport => ({
  atMs: AT_MS,
  target: 2,
  wish: 3,
  actions: [],
  reasons,
  demand: null,
  nextLookAtMs: AT_MS,
  holds: { 'gpu-1': { kind: 'cordoned', by: 'a|b', sinceMs: AT_MS, untilMs: null } },
  births: [],
  wakeIntents: [],
});
const USED = { phase: 'ready', phaseSinceMs: AT_MS, inFlight: 1, idleSinceMs: null, hasPolled: true } as const;
const view = (name: string): InstanceView => ({
  ...USED,
  name,
  billedSinceMs: null,
  priceUsdPerHour: 1.26,
  models: [],
});

const rowsOf = (text: string): string[] => text.split('\n').filter((line) => line.startsWith('| '));
const cells = (row: string): number => (row.match(/(?<!\\)\|/gu) ?? []).length;

it('a pool names its instances with links to them, when they came into their phase, and who holds them', () => {
  const text = poolDetails(report(['Up from 1 to 2: there is work.']), [view('gpu-1')], {
    uiUrl: 'http://127.0.0.1:8233',
    namespace: 'default',
  });
  expect(text.replaceAll('\u00A0', ' ')).toContain(
    String.raw`| [gpu-1](http://127.0.0.1:8233/namespaces/default/workflows/instance%2Fgpu-1) | ready (cordoned by a\|b) | 2026-11-20 10:00:07 UTC | 1 | $1.26/h |`,
  );
});

it('a pool stays a table that fits, whatever the reasons and however many instances', () =>
  forAll([fc.array(nasty, { maxLength: 40 }), fc.nat(300)], { runs: 40 }, (reasons, count) => {
    const names = Array.from({ length: count }, (_, i) => view(`gpu-${i}`));
    const text = poolDetails(report(reasons), names, { uiUrl: undefined, namespace: 'default' });
    expect(Buffer.byteLength(JSON.stringify(text))).toBeLessThan(MAX_DETAILS_BYTES);
    expect(rowsOf(text).every((row) => cells(row) === 6)).toBe(true);
    if (count > 40) expect(text).toContain(`and ${count - 40} more`);
  }));

it('an instance shows how it came where it is, whatever the provider said', () =>
  forAll([fc.array(nasty, { minLength: 10, maxLength: 10 })], { runs: 40 }, (reasons) => {
    const state = { ...initialState('gpu-1', instanceSettingsForTests({}), AT_MS), reason: reasons[0] ?? '' };
    const recent = reasons.map((reason) => ({
      atMs: AT_MS,
      from: 'planned' as const,
      to: 'creating' as const,
      reason,
      priceUsdPerHour: null,
      offer: null,
      providerId: null,
      volumeIds: [],
      loadMs: null,
    }));
    const text = instanceDetails(state, recent, { name: 'gpu', url: 'http://127.0.0.1:8233/x' });
    expect(Buffer.byteLength(JSON.stringify(text))).toBeLessThan(MAX_DETAILS_BYTES);
    expect(rowsOf(text).every((row) => cells(row) === 5)).toBe(true);
    expect(text).toContain('Its pool: [gpu](http://127.0.0.1:8233/x)');
  }));

/** Which type a machine had when: the one that it was started as after its last stop. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { typeAt } from '../../../../domain/fleet/provider/billing.ts';
import { forAll } from '../../../../testing/property.ts';

it('a machine has the type of its last start, and its first type before that and where no start changed it', () => {
  const pauses = [
    { fromMs: 10, untilMs: 20, instanceTypeAfter: 'g5.xlarge' },
    { fromMs: 30, untilMs: 40 },
    { fromMs: 50, untilMs: 60, instanceTypeAfter: 'g6.xlarge' },
    { fromMs: 70, untilMs: null },
  ];
  const at = (ms: number): string | null => typeAt('g4dn.xlarge', pauses, ms);
  expect([0, 19].map(at)).toEqual(['g4dn.xlarge', 'g4dn.xlarge']);
  expect([20, 45, 59].map(at)).toEqual(['g5.xlarge', 'g5.xlarge', 'g5.xlarge']);
  expect([60, 99].map(at)).toEqual(['g6.xlarge', 'g6.xlarge']);
  expect(typeAt(null, [], 5)).toBeNull();
});

it('later pauses change nothing about earlier times', () =>
  forAll([fc.array(fc.record({ length: fc.nat(9), type: fc.constantFrom('a', 'b') })), fc.nat(99)], (starts, ms) => {
    const pauses = starts.map(({ length, type }, index) => ({
      fromMs: index * 10,
      untilMs: index * 10 + length,
      instanceTypeAfter: type,
    }));
    const earlier = pauses.filter(({ untilMs }) => untilMs <= ms);
    expect(typeAt('first', pauses, ms)).toBe(typeAt('first', earlier, ms));
  }));

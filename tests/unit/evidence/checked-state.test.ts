import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ANSWERING } from '../../../domain/evidence/answering.ts';
import { checkedState, VALUE_STATES } from '../../../domain/evidence/value-state.ts';
import { forAll } from '../../../testing/property.ts';

const checks = fc.record({
  answering: fc.array(fc.constantFrom(...ANSWERING, null), { maxLength: 3 }),
  supported: fc.constantFrom(true, false, null),
});

it('an answer is supported unless each of its quotes is doubtful, or its score denies it and no quote was checked', () =>
  forAll([checks], ({ answering, supported }) => {
    const isDoubtful = answering.length > 0 && answering.every((level) => level === 'doubtful');
    const isDenied = supported === false && answering.every((level) => level === null || level === 'doubtful');
    expect(checkedState('found', { answering, supported }) === 'found').toBe(!isDenied && !isDoubtful);
  }));

it('the state does not depend on earlier checks, and nothing is made found that was not', () =>
  forAll([fc.constantFrom(...VALUE_STATES), checks, checks], (own, before, now) => {
    expect(checkedState(checkedState(own, before), now)).toBe(checkedState(own, now));
    if (own !== 'found' && own !== 'not_supported') expect(checkedState(own, now)).toBe(own);
  }));

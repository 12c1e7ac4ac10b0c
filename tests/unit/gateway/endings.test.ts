/** The wishes to end an attachment, and which of them counts. */
import { expect, it } from 'vitest';
import { Endings } from '../../../workers/gateway/endings.ts';

it('a drain is over for good, also when it is hurried afterwards', () => {
  const endings = new Endings();
  expect(endings.signal.aborted).toBe(false);
  endings.drain();
  expect([endings.signal.aborted, endings.hurry.aborted, endings.drained]).toEqual([true, false, true]);
  endings.handOver(new Error('the gateway ends'));
  expect([endings.hurry.aborted, endings.drained]).toEqual([true, true]);
});

it('what is handed over stays to be taken over, also when a drain is asked for afterwards', () => {
  const endings = new Endings();
  const error = new Error('the gateway ends');
  endings.handOver(error);
  endings.drain();
  endings.handOver(new Error('later'));
  expect([endings.signal.aborted, endings.drained, endings.error]).toEqual([true, false, error]);
});

it('what is superseded ends without a hurry and is not over', () => {
  const endings = new Endings();
  const error = new Error('another gateway has it');
  endings.supersede(error);
  expect([endings.signal.aborted, endings.hurry.aborted, endings.drained]).toEqual([true, false, false]);
  expect(endings.error).toBe(error);
});

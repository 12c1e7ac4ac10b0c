import { expect, it } from 'vitest';
import { waitingReason, type PendingActivity } from '../../../activities/decks/waiting/waiting.ts';

const NOW_MS = 1_000_000;
const activity = (values: Partial<PendingActivity>): PendingActivity => ({
  name: 'describeSlide',
  started: false,
  scheduledAtMs: NOW_MS - 60_000,
  lastFailure: null,
  ...values,
});

it.each([
  ['a model host for images', activity({})],
  ['a model host for text', activity({ name: 'answerQuestion' })],
  ['a convert worker', activity({ name: 'convertWindow' })],
  ['a control worker', activity({ name: 'explainUnreadable' })],
  ['a control worker', activity({ name: 'planSlides' })],
  ['another try (phi4 is not the pinned version)', activity({ lastFailure: 'phi4 is not the pinned version.' })],
  ['a host that serves phi4', activity({ lastFailure: 'Waiting for a host that serves phi4.' })],
])('a run that waits says for what: %s', (reason, pending) => expect(waitingReason([pending], NOW_MS)).toBe(reason));

it('a run names nothing that it waits for while something runs, while nothing is pending, or at first', () => {
  expect(waitingReason([activity({}), activity({ started: true })], NOW_MS)).toBeNull();
  expect(waitingReason([], NOW_MS)).toBeNull();
  expect(waitingReason([activity({ scheduledAtMs: NOW_MS - 500 })], NOW_MS)).toBeNull();
});

import { WorkflowFailedError } from '@temporalio/client';
import { ActivityFailure, ApplicationFailure, RetryState, TimeoutFailure, TimeoutType } from '@temporalio/common';
import { expect, it } from 'vitest';
import { roundFailure } from '../../../api/fleet/round-failure.ts';

const failedBy = (cause: Error): WorkflowFailedError =>
  new WorkflowFailedError('Workflow execution failed', cause, RetryState.MAXIMUM_ATTEMPTS_REACHED);
const inActivity = (cause: Error): ActivityFailure =>
  new ActivityFailure('Activity task failed', 'surveyResources', '1', RetryState.NON_RETRYABLE_FAILURE, 'me', cause);

it('a round of the reaper that fails says in the words and with the code of its activity why, and what to do next', () => {
  const refused = ApplicationFailure.create({
    type: 'credentials_missing',
    message: 'There are no DataCrunch credentials.',
    nonRetryable: true,
    details: [{ internalMessage: 'no file', hint: 'Run `deckhand credentials set`.' }],
  });
  expect(roundFailure(failedBy(inActivity(refused)))).toMatchObject({
    code: 'credentials_missing',
    userMessage: 'There are no DataCrunch credentials.',
    hint: 'Run `deckhand credentials set`.',
  });
});

it('a round of the reaper that fails names what may be away when it did not end in time', () => {
  const late = new TimeoutFailure('Workflow execution timed out', undefined, TimeoutType.START_TO_CLOSE);
  const expected = { code: 'service_unavailable', hint: expect.stringContaining('control process') };
  expect(roundFailure(failedBy(late))).toMatchObject(expected);
});

it('a round of the reaper that fails hides no fault that it does not know', () => {
  const fault = failedBy(ApplicationFailure.create({ type: 'TypeError', message: 'x is undefined' }));
  expect(roundFailure(fault)).toBe(fault);
  const other = new Error('other');
  expect(roundFailure(other)).toBe(other);
});

import { WorkflowFailedError } from '@temporalio/client';
import { ActivityFailure, ApplicationFailure, RetryState, TimeoutFailure, TimeoutType } from '@temporalio/common';
import { expect, it } from 'vitest';
import { workflowFailure } from '../../../api/http/workflow-failure.ts';

const WAITED = {
  what: 'the round',
  lateMessage: 'The round did not end in time.',
  lateHint: 'Check the control process.',
};
const shown = (error: unknown, hint?: string): unknown =>
  workflowFailure(error, { ...WAITED, ...(hint === undefined ? {} : { hint }) });
const failedBy = (cause: Error): WorkflowFailedError =>
  new WorkflowFailedError('Workflow execution failed', cause, RetryState.MAXIMUM_ATTEMPTS_REACHED);
const inActivity = (cause: Error): ActivityFailure =>
  new ActivityFailure('Activity task failed', 'surveyResources', '1', RetryState.NON_RETRYABLE_FAILURE, 'me', cause);

it('a failed workflow is reported with code, message and hint of its activity', () => {
  const refused = ApplicationFailure.create({
    type: 'credentials_missing',
    message: 'There are no DataCrunch credentials.',
    nonRetryable: true,
    details: [{ internalMessage: 'no file', hint: 'Run `deckhand credentials set`.' }],
  });
  expect(shown(failedBy(inActivity(refused)))).toMatchObject({
    code: 'credentials_missing',
    userMessage: 'There are no DataCrunch credentials.',
    hint: 'Run `deckhand credentials set`.',
  });
  expect(shown(failedBy(inActivity(refused)), 'See the fleet.')).toMatchObject({ hint: 'See the fleet.' });
});

it('a workflow that did not end in time is reported as unavailable, with what to check', () => {
  const late = new TimeoutFailure('Workflow execution timed out', undefined, TimeoutType.START_TO_CLOSE);
  const expected = { code: 'service_unavailable', userMessage: WAITED.lateMessage, hint: WAITED.lateHint };
  expect(shown(failedBy(late))).toMatchObject(expected);
});

it('an unknown fault is returned as it is', () => {
  const fault = failedBy(ApplicationFailure.create({ type: 'TypeError', message: 'x is undefined' }));
  expect(shown(fault)).toBe(fault);
  const other = new Error('other');
  expect(shown(other)).toBe(other);
});

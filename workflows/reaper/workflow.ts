/**
 * One round of the reaper: survey, remove what was seen ownerless twice, end rows nobody looks after, give up disks kept for too long.
 *
 * Every part is repeated by the next round, so a part that fails costs a round and nothing else.
 */
import { getExternalWorkflowHandle, proxyActivities } from '@temporalio/workflow';
import type { ReaperActivities } from '../../activities/fleet/reaper/activities.ts';
import { PERMANENT_ERROR_CODES } from '../../domain/errors.ts';
import { FLEET_QUEUE } from '../instance/contract.ts';
import { makePoolWorkflowId, OPERATOR_SIGNAL, type OperatorAsk } from '../pool/contract.ts';
import type { ReapReport, ReapRoundInput } from './contract.ts';

// A few provider calls each; a provider that does not answer is asked again by the next round, so a round gives up soon.
const reaper = proxyActivities<ReaperActivities>({
  taskQueue: FLEET_QUEUE,
  startToCloseTimeout: '2m',
  retry: { initialInterval: '2s', maximumAttempts: 3, nonRetryableErrorTypes: [...PERMANENT_ERROR_CODES] },
});

/** See the file's header. */
export async function reapRound({ dryRun }: ReapRoundInput): Promise<ReapReport> {
  const survey = await reaper.surveyResources({ dryRun });
  const { kept, foreign, quarantined, lost, givenUp } = survey;
  if (dryRun) {
    const reaped = survey.toReap.map((v) => ({ ...v, removed: false, message: null }));
    return { dryRun, kept, foreign, quarantined, reaped, lost, givenUp };
  }
  const reaped: ReapReport['reaped'][number][] = [];
  for (const verdict of survey.toReap) {
    const { kind, resourceId, name } = verdict.resource;
    const outcome = await reaper.removeResource.executeWithOptions({ summary: `${kind} ${name}` }, [verdict.resource]);
    reaped.push({ ...verdict, ...outcome, resource: { ...verdict.resource, resourceId } });
  }
  for (const instance of lost) await reaper.endLostInstance(instance);
  for (const { pool, instanceName } of givenUp) {
    const ask: OperatorAsk = { instance: instanceName, request: 'destroy', by: 'reaper' };
    await getExternalWorkflowHandle(makePoolWorkflowId(pool)).signal(OPERATOR_SIGNAL, ask);
  }
  return { dryRun, kept, foreign, quarantined, reaped, lost, givenUp };
}

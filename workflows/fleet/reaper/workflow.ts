/**
 * One round of the reaper: survey, remove resources that were twice seen without an owner, end rows of instances without a workflow.
 *
 * Every part is repeated by the next round, so a part that fails costs a round and nothing else.
 */
import { proxyActivities } from '@temporalio/workflow';
import type { ReaperActivities } from '../../../activities/fleet/reaper/activities.ts';
import { FLEET_QUEUE } from '../../../contracts/queues.ts';
import type { ReapReport, ReapRoundInput } from '../../../contracts/reaper.ts';
import { ROUND_RETRY } from '../../retry-policies.ts';

// A few provider calls each; a provider that does not answer is asked again by the next round, so a round gives up soon.
const reaper = proxyActivities<ReaperActivities>({
  taskQueue: FLEET_QUEUE,
  startToCloseTimeout: '2m',
  retry: ROUND_RETRY,
});

export async function reapRound({ dryRun }: ReapRoundInput): Promise<ReapReport> {
  const survey = await reaper.surveyResources({ dryRun });
  const { kept, foreign, quarantined, lost } = survey;
  const silent = survey.unanswered === undefined ? {} : { unanswered: survey.unanswered };
  if (dryRun) {
    const reaped = survey.toReap.map((v) => ({ ...v, removed: false, message: null }));
    return { dryRun, kept, foreign, quarantined, reaped, lost, ...silent };
  }
  const reaped: ReapReport['reaped'][number][] = [];
  for (const verdict of survey.toReap) {
    const { kind, name } = verdict.resource;
    const outcome = await reaper.removeResource.executeWithOptions({ summary: `${kind} ${name}` }, [verdict]);
    reaped.push({ ...verdict, ...outcome });
  }
  for (const instance of lost) await reaper.endLostInstance(instance);
  return { dryRun, kept, foreign, quarantined, reaped, lost, ...silent };
}

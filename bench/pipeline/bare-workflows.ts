/**
 * What the pipeline is compared with: a workflow that does nothing but schedule activities, as many at once as a deck may have.
 */
import { condition, proxyActivities } from '@temporalio/workflow';

export interface BareActivities {
  /** The same model call as the pipeline's, without anything around it. */
  bareCall(index: number): Promise<void>;
  noOp(index: number): Promise<void>;
}

export interface BareInput {
  readonly activity: keyof BareActivities;
  readonly count: number;
  /** Activities scheduled at once. */
  readonly width: number;
}

const activities = proxyActivities<BareActivities>({ startToCloseTimeout: '5m', heartbeatTimeout: '30s' });

/** Schedules `count` activities, at most `width` at a time. */
export async function bareFanOut(input: BareInput): Promise<void> {
  let open = 0;
  const all: Promise<void>[] = [];
  for (let i = 0; i < input.count; i++) {
    await condition(() => open < input.width);
    open++;
    all.push(
      activities[input.activity](i).finally(() => {
        open--;
      }),
    );
  }
  await Promise.all(all);
}

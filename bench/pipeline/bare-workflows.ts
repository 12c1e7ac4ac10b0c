/** The workflow with which the pipeline is compared: it only schedules activities, as many at a time as a deck may have. */
import { condition, proxyActivities } from '@temporalio/workflow';

export interface BareActivities {
  /** The model call of the pipeline and nothing else. */
  bareCall(index: number): Promise<void>;
  noOp(index: number): Promise<void>;
}

export interface BareInput {
  readonly activity: keyof BareActivities;
  readonly count: number;
  /** Most activities at a time. */
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

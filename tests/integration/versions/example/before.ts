/** The example of CONTRIBUTING, "Change a workflow": as it was. */
import { condition, defineSignal, proxyActivities, setHandler } from '@temporalio/workflow';

const { act } = proxyActivities<{ act(what: string): Promise<void> }>({ startToCloseTimeout: '10s' });

export async function reminder(): Promise<void> {
  let isAnswered = false;
  setHandler(defineSignal('answer'), () => {
    isAnswered = true;
  });
  await act('remind');
  await condition(() => isAnswered);
  await act('close');
}

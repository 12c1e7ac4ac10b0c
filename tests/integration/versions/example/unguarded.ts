/** The example of CONTRIBUTING, "Change a workflow": the mistake. Runs that began before cannot go on with it. */
import { condition, defineSignal, proxyActivities, setHandler } from '@temporalio/workflow';

const { act } = proxyActivities<{ act(what: string): Promise<void> }>({ startToCloseTimeout: '10s' });

export async function reminder(): Promise<void> {
  let isAnswered = false;
  setHandler(defineSignal('answer'), () => {
    isAnswered = true;
  });
  await act('remind');
  await condition(() => isAnswered);
  await act('thank');
  await act('close');
}

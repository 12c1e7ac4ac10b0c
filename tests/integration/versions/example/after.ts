/** The example of CONTRIBUTING, "Change a workflow": with one more step, guarded for runs that began before. */
import { condition, defineSignal, patched, proxyActivities, setHandler } from '@temporalio/workflow';

const { act } = proxyActivities<{ act(what: string): Promise<void> }>({ startToCloseTimeout: '10s' });

/** Runs that began without it do not thank. */
const THANKS = 'an answer is thanked for';

export async function reminder(): Promise<void> {
  const thanks = patched(THANKS);
  let isAnswered = false;
  setHandler(defineSignal('answer'), () => {
    isAnswered = true;
  });
  await act('remind');
  await condition(() => isAnswered);
  if (thanks) await act('thank');
  await act('close');
}

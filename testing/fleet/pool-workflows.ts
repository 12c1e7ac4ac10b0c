/** The pool as it is, and a stand-in for the life of an instance: it notes what it is asked, and ends when it is told to. */
import { condition, defineQuery, defineSignal, setHandler } from '@temporalio/workflow';
import type { InstanceAsk, InstanceWorkflowInput } from '../../contracts/instance.ts';

export { pool } from '../../workflows/fleet/pool/workflow.ts';

export async function instanceLife(input: InstanceWorkflowInput): Promise<void> {
  const asks: InstanceAsk[] = [];
  setHandler(defineSignal<[InstanceAsk]>('requested'), (ask) => {
    asks.push(ask);
  });
  setHandler(defineQuery<{ asks: readonly InstanceAsk[]; staticUrl: string | null }>('asked'), () => ({
    asks,
    staticUrl: input.staticUrl,
  }));
  await condition(() => asks.some((ask) => ask.request === 'destroy'));
}

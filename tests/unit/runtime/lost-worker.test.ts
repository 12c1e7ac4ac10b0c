import { expect, it } from 'vitest';
import { LOST_WORKER_MEMO, lostWorkerAfterMs } from '../../../domain/temporal/lost-worker.ts';
import { lostWorkerInterceptors } from '../../../platform/lost-worker.ts';

it('a client adds nothing where the time is not configured', () =>
  expect(lostWorkerInterceptors({ lostWorkerAfterMs: undefined })).toEqual([]));

it('a workflow finds the configured time in its memo, beside what stood there', async () => {
  const [interceptor] = lostWorkerInterceptors({ lostWorkerAfterMs: 5000 });
  let memo: Record<string, unknown> | undefined;
  await interceptor?.signalWithStart?.(
    {
      workflowType: 'w',
      signalName: 's',
      signalArgs: [],
      headers: {},
      options: { args: [], workflowId: 'w', taskQueue: 'q', memo: { other: 1 } },
    },
    (input) => {
      memo = input.options.memo;
      return Promise.resolve('run');
    },
  );
  expect(memo).toEqual({ other: 1, [LOST_WORKER_MEMO]: 5000 });
  expect(lostWorkerAfterMs(memo)).toBe(5000);
});

it.each([undefined, {}, { [LOST_WORKER_MEMO]: 'soon' }, { [LOST_WORKER_MEMO]: 0 }])('memo %j says no time', (memo) => {
  expect(lostWorkerAfterMs(memo)).toBeNull();
});

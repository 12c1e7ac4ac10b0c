/** Task queues: which are watched, and which are those of model calls. */
import { expect, it } from 'vitest';
import * as queues from '../../../contracts/queues.ts';
import { GPU_CLASSES } from '../../../domain/models/model-tasks.ts';

const fixed = Object.entries(queues).flatMap(([name, value]) =>
  name.endsWith('_QUEUE') && typeof value === 'string' ? [value] : [],
);

it('every queue with a fixed name is one that a worker has to poll all the time', () => {
  expect(Object.values(queues.POLLED_QUEUES).flat().toSorted()).toEqual(fixed.toSorted());
});

it('the queues of classes alone are those of model calls', () => {
  const ofClasses = GPU_CLASSES.flatMap((each) => [null, 'canary'].map((pool) => queues.makeClassQueue(each, pool)));
  expect(ofClasses.filter(queues.isClassQueue)).toEqual(ofClasses);
  expect([...fixed, queues.makeHostQueue('gpu-text')].filter(queues.isClassQueue)).toEqual([]);
});

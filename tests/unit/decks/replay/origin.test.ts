/** Which of several calls of one item of the replayed analysis counts. */
import { NOT_SENT } from '../../../../activities/models/plan-calls.ts';
import { expect, it } from 'vitest';
import { callByItem } from '../../../../activities/decks/replay/origin.ts';
import type { ModelCall } from '../../../../generated/prisma/client.ts';

const call = (id: string, state: ModelCall['state'], finishedAt: Date | null = null): ModelCall => ({
  id,
  tenantId: 't',
  analysisId: 'a',
  contentKey: id,
  task: 'answer_question',
  gpuClass: 'gpu-text',
  state,
  cached: false,
  priority: 3,
  expectedSeconds: 1,
  slideNumber: null,
  questionId: 'q',
  failureCode: null,
  failureMessage: null,
  ...NOT_SENT,
  computedWithout: [],
  createdAt: new Date(0),
  finishedAt,
});

it('is the one that came furthest, in whatever order they are read', () => {
  const calls = [call('planned anew', 'stored'), call('first', 'cancelled'), call('failed', 'failed')];
  for (const order of [calls, calls.toReversed()])
    expect([...callByItem(order).values()].map((c) => c.id)).toEqual(['planned anew']);
});

it('is the last one that was answered, where it was answered anew with another input', () => {
  const calls = [call('without a slide', 'stored', new Date(1)), call('with it', 'stored', new Date(2))];
  for (const order of [calls, calls.toReversed()])
    expect([...callByItem(order).values()].map((c) => c.id)).toEqual(['with it']);
});

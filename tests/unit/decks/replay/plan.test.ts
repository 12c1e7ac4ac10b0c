import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exitCodeOfBatch } from '../../../../cli/decks/follow.ts';
import { describeBatch, describePlan } from '../../../../cli/decks/plan-text.ts';
import { MODEL_TASK_NAMES, MODEL_TASKS } from '../../../../domain/models/model-tasks.ts';
import { decideItem, type OriginItem } from '../../../../domain/decks/replay/item-decision.ts';
import { configurationOfModel, refuseOverride } from '../../../../domain/decks/replay/override.ts';
import {
  conditionInWords,
  reasonOf,
  slidesInWords,
  unknownInputs,
  type ReplayCall,
  type ReplayPlan,
} from '../../../../domain/decks/replay/plan.ts';
import { forAll } from '../../../../testing/property.ts';

const call = (
  task: (typeof MODEL_TASK_NAMES)[number],
  slideNumber: number | null = null,
  questionId: string | null = null,
) => ({ task, slideNumber, questionId });

describe('what a call is built on', () => {
  it('is known when nothing is outstanding', () => {
    for (const task of MODEL_TASK_NAMES) expect(unknownInputs(call(task, 1, 'q'), [])).toEqual([]);
  });

  it('is the described slides for whatever reads the deck, and for nothing else', () => {
    const slides = [call('describe_slide', 30)];
    const unknown = MODEL_TASK_NAMES.filter((task) => unknownInputs(call(task, 1, 'q'), slides).length > 0);
    expect(unknown).toEqual(
      MODEL_TASK_NAMES.filter(
        (t) => MODEL_TASKS[t].gpuClass === 'gpu-text' && t !== 'score_answer' && t !== 'condense_slide',
      ),
    );
    expect(unknownInputs(call('condense_slide', 30), slides)).toEqual(['slide 30']);
  });

  it('is the offering for the sector, the sector for answers, the answer for its score', () => {
    expect(unknownInputs(call('classify_sector'), [call('extract_offering')])).toEqual(['the offering']);
    expect(unknownInputs(call('answer_question', null, 'q'), [call('classify_sector')])).toEqual(['the sector']);
    const answers = [call('answer_question', null, 'q')];
    expect(unknownInputs(call('score_answer', null, 'q'), answers)).toEqual(['the answer']);
    expect(unknownInputs(call('score_answer', null, 'other'), answers)).toEqual([]);
  });
});

it.each([
  [null, { contentKey: 'k', recomputed: false }, 'missing'],
  [{ state: 'cancelled', contentKey: 'k' }, { contentKey: 'k', recomputed: false }, 'missing'],
  [{ state: 'stored', contentKey: 'k' }, { contentKey: 'k', recomputed: false }, 'missing'],
  [{ state: 'stored', contentKey: 'k' }, { contentKey: 'l', recomputed: false }, 'input_changes'],
  [{ state: 'stored', contentKey: 'k' }, { contentKey: null, recomputed: false }, 'input_changes'],
  [{ state: 'stored', contentKey: 'k' }, { contentKey: 'l', recomputed: true }, 'recomputed'],
  [{ state: 'failed', contentKey: 'k' }, { contentKey: 'l', recomputed: true }, 'failed_before'],
] as const)('why a call is made: %o now %o: %s', (before, now, reason) => expect(reasonOf(before, now)).toBe(reason));

it('conditions read as one sentence', () => {
  expect(conditionInWords([])).toBeNull();
  expect(conditionInWords([{ kind: 'health_sector' }])).toBe('only if the sector turns out to be a health sector');
  expect(
    conditionInWords([
      { kind: 'template', slug: 'dtx' },
      { kind: 'input_changes', with: ['slide 3', 'the sector'] },
    ]),
  ).toBe('only if the sector leads to template dtx and what it is given changes with slide 3 and the sector');
  const expected = ['slide 1', 'slides 1 and 2', 'slides 1, 2 and 3', '7 slides'];
  expect([[1], [1, 2], [1, 2, 3], [1, 2, 3, 4, 5, 6, 7]].map(slidesInWords)).toEqual(expected);
});

describe('what becomes of an item when gaps are filled', () => {
  const item: OriginItem = { state: null, isGap: false, pageIsGap: false, wanted: true, pageWanted: true };
  it.each([
    ['what failed is computed', { state: 'failed', isGap: true }, 'compute'],
    ['what was answered and is missing all the same is computed', { state: 'stored', isGap: true }, 'compute'],
    ['what was never reached is computed', {}, 'compute'],
    ['what was given up with its run is computed', { state: 'cancelled' }, 'compute'],
    ['what failed and is not asked for stays missing', { state: 'failed', isGap: true, wanted: false }, 'stays'],
    ['an illegible slide that is not asked for is taken', { state: 'stored', isGap: true, wanted: false }, 'take'],
    ['a page that was not drawn and is not asked for stays missing', { pageIsGap: true, pageWanted: false }, 'stays'],
    ['what was skipped because of a failure that is filled is computed', { wanted: false }, 'compute'],
  ] as const)('%s', (_, part, decision) => expect(decideItem({ ...item, ...part })).toBe(decision));

  it('nothing that is stored and not missing is ever computed', () =>
    forAll([fc.boolean(), fc.boolean(), fc.boolean()], (pageIsGap, wanted, pageWanted) =>
      expect(decideItem({ state: 'stored', isGap: false, pageIsGap, wanted, pageWanted })).toBe('take'),
    ));
});

describe('another model for a task', () => {
  const configured = [
    { task: 'describe_slide', modelName: 'sees' },
    { task: 'answer_question', modelName: 'writes' },
    { task: 'score_answer', modelName: 'both' },
    { task: 'slide_feedback', modelName: 'both' },
  ] as const;
  const apart = [
    { name: 'visual', classes: ['gpu-visual'] },
    { name: 'text', classes: ['gpu-text'] },
  ];
  const together = [{ name: 'gpu', classes: ['gpu-visual', 'gpu-text'] }];

  it('has to be a model of the profile', () => {
    const expected = { code: 'model_not_configured', hint: 'Models: both, sees, writes.' };
    expect(refuseOverride('score_answer', 'none', configured, together)).toMatchObject(expected);
  });
  it('has to see where the task has a picture', () => {
    const expected = { code: 'model_lacks_vision', hint: 'Models that read pictures: both, sees.' };
    expect(refuseOverride('describe_slide', 'writes', configured, together)).toMatchObject(expected);
    expect(refuseOverride('describe_slide', 'both', configured, apart)).toBeNull();
  });
  it('has to be held by every pool that may be asked', () => {
    expect(refuseOverride('answer_question', 'sees', configured, together)).toBeNull();
    expect(refuseOverride('answer_question', 'sees', configured, apart)).toMatchObject({
      code: 'model_not_configured',
      message: 'Pool text serves answer_question and does not hold sees.',
      hint: 'Models that it holds: both, writes.',
    });
    expect(refuseOverride('answer_question', 'sees', configured, [...together, ...apart])).not.toBeNull();
    expect(refuseOverride('answer_question', 'writes', configured, apart)).toBeNull();
  });
  it('keeps its own window: that of the same class of tasks first', () => {
    expect(configurationOfModel('answer_question', 'both', configured)).toBe(configured[2]);
    expect(configurationOfModel('describe_slide', 'both', configured)).toBe(configured[3]);
    expect(configurationOfModel('answer_question', 'sees', configured)).toBe(configured[0]);
    expect(configurationOfModel('answer_question', 'none', configured)).toBeNull();
  });
});

describe('a plan in the terminal', () => {
  const planned = (part: Partial<ReplayCall>): ReplayCall => ({
    task: 'answer_question',
    stage: 'template',
    slide: null,
    question: null,
    model: 'writes',
    reason: 'missing',
    certainty: 'certain',
    condition: null,
    ...part,
  });
  const plan: ReplayPlan = {
    replayOf: 'a1',
    kind: 'full',
    from: null,
    models: [],
    pages: { total: 30, rendered: 29 },
    calls: [
      planned({ task: 'describe_slide', stage: 'slides', slide: 30, reason: 'failed_before' }),
      ...['q1', 'q2', 'q3', 'q4'].map((question) => planned({ question })),
      planned({
        question: 'q1',
        task: 'score_answer',
        certainty: 'conditional',
        condition: 'only if the question is answered',
      }),
    ],
    certain: 5,
    conditional: 1,
    kept: [{ task: 'describe_slide', stage: 'slides', results: 29 }],
    staysMissing: [{ item: 'slide/2/description', message: 'Slide 2\u001b[31m could not be read' }],
  };

  it('says how much, why and how sure, a line for calls that are alike', async () => {
    const text = describePlan(plan);
    await expect(text).toMatchFileSnapshot('snapshots/plan.txt');
    expect(text.split('\n').filter((line) => line.startsWith('  '))).toHaveLength(4);
    expect(text).not.toContain('\u001b');
  });

  it('says that nothing is to be done', async () => {
    const pages = { total: 30, rendered: 30 };
    const none = describePlan({ ...plan, calls: [], certain: 0, conditional: 0, pages, staysMissing: [] });
    await expect(none).toMatchFileSnapshot('snapshots/plan-of-nothing.txt');
  });

  it('of many names what is left alone', async () => {
    const known = { analysisId: 'a1', fileName: 'deck.pdf', status: 'failed' as const };
    const item = { ...known, replay: null, plan: null, refusal: null };
    const left = { ...item, outcome: 'is_replay' as const };
    const refusal = { code: 'model_not_configured', message: 'No host holds it.' };
    const batch = { dryRun: false, items: [left, { ...item, outcome: 'refused' as const, refusal }], more: true };
    const text = describeBatch(batch);
    await expect(text).toMatchFileSnapshot('snapshots/batch.txt');
    for (const option of ['--again', '--limit']) expect(text).toContain(option);
    expect(exitCodeOfBatch(batch)).toBe(3);
    expect(exitCodeOfBatch({ ...batch, items: [left] })).toBe(0);
    const damaged = { ...batch, items: [{ ...item, outcome: 'unreadable' as const }] };
    expect(describeBatch(damaged)).toContain('left out          a1  deck.pdf');
    expect(describeBatch(damaged)).toContain('1 analysis is left out: the file itself');
    expect(exitCodeOfBatch(damaged)).toBe(0);
  });
});

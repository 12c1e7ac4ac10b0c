import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MODEL_TASK_NAMES } from '../../../../domain/models/model-tasks.ts';
import { STAGES, stagesFrom } from '../../../../domain/decks/stage-graph.ts';
import {
  isSameReplay,
  resolveReplay,
  type ReplayChoices,
  type ReplayOrigin,
} from '../../../../domain/decks/replay/choices.ts';
import { editionOf, marksOf, type ReplayLink } from '../../../../domain/decks/replay/edition.ts';
import { isTaskFrom, TASK_OR_STAGE_NAMES, tasksNamed } from '../../../../domain/decks/run-scope.ts';
import { parseSince } from '../../../../domain/text/words.ts';
import { forAll } from '../../../../testing/property.ts';

const NOTHING = { replayOfId: null, replayKind: null, replayItems: [], recomputeFrom: null, edition: null };
const origin: ReplayOrigin = { id: 'origin', ...NOTHING, priority: 3, requestedTemplate: null, overrides: [] };
const UNSAID = { from: null, models: {}, template: undefined, priority: undefined };
const asked: ReplayChoices = { kind: 'full', ...UNSAID, items: [] };

describe('stages a replay computes anew', () => {
  it.each([
    ['scoring', ['score_answer']],
    ['template', ['answer_question', 'score_answer']],
    ['specialised', ['specialised_clinical', 'specialised_regulatory', 'specialised_science']],
    ['review', []],
  ] as const)('from %s', (from, tasks) =>
    expect(MODEL_TASK_NAMES.filter((task) => isTaskFrom(task, from))).toEqual(tasks),
  );

  it('from probe, and from slides, every call', () => {
    for (const from of ['probe', 'slides'] as const)
      expect(MODEL_TASK_NAMES.every((task) => isTaskFrom(task, from))).toBe(true);
  });

  it('grow with what comes earlier: a stage has all that is built on what it is built on', () => {
    for (const stage of STAGES) {
      for (const later of stagesFrom(stage)) {
        for (const last of stagesFrom(later)) expect(stagesFrom(stage)).toContain(last);
      }
    }
  });

  it('are named like the tasks they have', () => {
    for (const name of TASK_OR_STAGE_NAMES) expect(tasksNamed(name)).not.toEqual([]);
    expect(tasksNamed('scoring')).toEqual(['score_answer']);
    expect(tasksNamed('score_answer')).toEqual(['score_answer']);
    expect(tasksNamed('everything')).toEqual([]);
  });
});

describe('what a replay takes over', () => {
  const overrides = [{ task: 'score_answer' as const, modelName: 'phi4' }];

  it('is everything of the analysis that the request does not change', () => {
    const kept = { recomputeFrom: 'scoring' as const, edition: 'earlier', priority: 5, requestedTemplate: 'own' };
    expect(resolveReplay('new', { ...origin, ...kept, overrides }, asked)).toEqual({
      columns: { replayOfId: 'origin', replayKind: 'full', replayItems: [], ...kept },
      overrides,
    });
  });

  it('gives way to what is said', () => {
    const models = { score_answer: null, answer_question: 'big' };
    const choices: ReplayChoices = { ...asked, from: 'template', template: null, priority: 1, models };
    const said = resolveReplay('new', { ...origin, requestedTemplate: 'own', overrides }, choices);
    const columns = { recomputeFrom: 'template', edition: 'new', priority: 1, requestedTemplate: null };
    expect(said).toMatchObject({ columns, overrides: [{ task: 'answer_question', modelName: 'big' }] });
  });

  it.each([
    [{ kind: 'gaps', from: 'scoring' }],
    [{ kind: 'gaps', template: 'other' }],
    [{ kind: 'full', items: ['slide/3/description'] }],
  ] as const)('refuses choices that exclude each other: %o', (choices) =>
    expect(() => resolveReplay('new', origin, { ...asked, ...choices })).toThrow(
      expect.objectContaining({ code: 'invalid_request' }),
    ),
  );

  const choices = fc.record({
    kind: fc.constant('full' as const),
    from: fc.constantFrom(null, ...STAGES),
    models: fc.dictionary(fc.constantFrom(...MODEL_TASK_NAMES), fc.constantFrom('a', 'b', null), { maxKeys: 3 }),
    template: fc.constantFrom(undefined, null, 'other'),
    priority: fc.constantFrom(undefined, 1, 3),
    items: fc.constant([]),
  });

  it('is the same replay under any id and priority, and another one for other choices', () => {
    return forAll([choices, choices], (a, b) => {
      const first = resolveReplay('id-1', origin, a);
      const row = { ...first.columns, id: 'id-1', overrides: first.overrides };
      expect(isSameReplay(row, resolveReplay('id-2', origin, a), 'id-2')).toBe(true);
      const other = resolveReplay('id-1', origin, b);
      const { priority } = first.columns;
      const equal =
        JSON.stringify([first.columns, first.overrides]) ===
        JSON.stringify([{ ...other.columns, priority }, other.overrides]);
      expect(isSameReplay(row, resolveReplay('id-2', origin, b), 'id-2')).toBe(equal);
    });
  });
});

describe('editions', () => {
  const link = (id: string, replayOfId: string | null, from: ReplayLink['mark']): ReplayLink => ({
    id,
    replayOfId,
    mark: from,
  });
  const chain = [
    link('a', null, null),
    link('b', 'a', { edition: 'b', from: 'template' }),
    // Goes on with the edition that it found.
    link('c', 'b', { edition: 'b', from: 'template' }),
    link('d', 'c', { edition: 'd', from: 'scoring' }),
  ];

  it('are those of the nearest replay that computed the stage anew', () => {
    const marks = marksOf('d', chain);
    expect(editionOf('score_answer', marks)).toBe('d');
    expect(editionOf('answer_question', marks)).toBe('b');
    expect(editionOf('describe_slide', marks)).toBeNull();
    expect(editionOf('score_answer', marksOf('c', chain))).toBe('b');
    expect(marksOf('a', chain)).toEqual([]);
  });

  it('end where an analysis is gone, and where rows name each other', () => {
    expect(marksOf('d', chain.slice(2)).map((m) => m.edition)).toEqual(['d', 'b']);
    const ring = [link('x', 'y', { edition: 'x', from: 'review' }), link('y', 'x', { edition: 'y', from: 'review' })];
    expect(marksOf('x', ring).map((m) => m.edition)).toEqual(['x', 'y']);
  });
});

describe('a moment in the past', () => {
  const now = Date.parse('2026-11-21T12:00:00Z');
  it.each([
    ['2d', '2026-11-19T12:00:00.000Z'],
    ['36h', '2026-11-20T00:00:00.000Z'],
    [' 90 m', '2026-11-21T10:30:00.000Z'],
    ['1w', '2026-11-14T12:00:00.000Z'],
    ['2026-11-20', '2026-11-20T00:00:00.000Z'],
    ['2026-11-20T08:00:00Z', '2026-11-20T08:00:00.000Z'],
  ])('%s', (text, moment) => expect(parseSince(text, now)?.toISOString()).toBe(moment));
  it.each(['', 'yesterday', '2', '-2d', '2y', '20', '2026-13-40', '1'])('is not named by "%s"', (text) =>
    expect(parseSince(text, now)).toBeNull(),
  );
});

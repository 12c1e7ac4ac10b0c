import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ANSWERING } from '../../../domain/evidence/answering.ts';
import { ANSWERING_SETTINGS } from '../../../domain/evidence/answering-settings.ts';
import { levelByPeople, levelOfLine, peopleLevels } from '../../../domain/evidence/judged-by-people.ts';
import { forAll } from '../../../testing/property.ts';

const settings = { ...ANSWERING_SETTINGS, judgements: 20, rightShare: 0.8 };

it.each([
  [19, 19, null],
  [20, 20, 'high'],
  [20, 18, 'some'],
  [20, 4, 'doubtful'],
  [100, 90, 'high'],
  [100, 60, 'doubtful'],
] as const)('of %d judged lines %d are right: the others are %s', (judged, right, level) =>
  expect(levelByPeople({ judged, right }, settings)).toBe(level),
);

it('more right lines never make the others worse', () =>
  forAll([fc.integer({ min: 20, max: 400 }), fc.nat(400)], (judged, some) => {
    const right = Math.min(some, judged - 1);
    const rank = (count: number): number =>
      ANSWERING.indexOf(levelByPeople({ judged, right: count }, settings) ?? 'doubtful');
    expect(rank(right + 1)).toBeLessThanOrEqual(rank(right));
  }));

it('the level of a kind holds for lines of the same model on the same subject, and never for the built-in reader', () => {
  const kind = { digest: 'sha256:a', subject: 'question/moat', judged: 20, right: 20 };
  const levels = peopleLevels([kind, { ...kind, subject: 'question/team', judged: 19, right: 19 }], settings);
  const model = { engineKind: 'ollama', modelDigest: 'sha256:a' };
  expect(levelOfLine(levels, model, 'question/moat')).toBe('high');
  expect(levelOfLine(levels, model, 'question/team')).toBeNull();
  expect(levelOfLine(levels, { ...model, modelDigest: 'sha256:b' }, 'question/moat')).toBeNull();
  expect(levelOfLine(levels, { ...model, engineKind: 'rules' }, 'question/moat')).toBeNull();
  expect(levelOfLine(levels, null, 'question/moat')).toBeNull();
});

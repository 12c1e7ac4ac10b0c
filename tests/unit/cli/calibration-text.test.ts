import { expect, it } from 'vitest';
import { renderCalibration } from '../../../cli/decks/calibration-text.ts';

const PLAIN = { colours: false, width: 100 };
const nothing = { questions: [], values: [] };

it('the calibration has a row for each engine and level, with the interval of its share', () => {
  const level = { engine: 'rules', model: 'reader', judged: 20, right: 19, share: 0.95, low: 0.764, high: 0.991 };
  const answering = [
    { ...level, level: 'high' as const },
    { ...level, engine: 'ollama', model: 'qwen', level: null, judged: 2, right: 1, share: 0.5, low: 0.1, high: 0.9 },
  ];
  const [head, first, second] = renderCalibration({ ...nothing, answering }, PLAIN).split('\n');
  expect(head).toMatch(/^engine +said of the best quote +judged/u);
  expect(first).toMatch(/^built-in reader +answers the question +20 +19 +95 % +76 % to 99 %$/u);
  expect(second).toMatch(/^qwen +not judged whether it answers +2 +1 +50 % +10 % to 90 %$/u);
});

it('a calibration without a judgement says so', () =>
  expect(renderCalibration({ ...nothing, answering: [] }, PLAIN)).toBe(
    'People have not judged any claim of a review yet.\n',
  ));

/** Which slides a value of a report is said to lack. */
import { expect, it } from 'vitest';
import { slidesLacked } from '../../../api/decks/report/parts.ts';

const modelCalls = [
  { contentKey: 'without slides 30 and 7', computedWithout: [30, 7] },
  { contentKey: 'without slide 7', computedWithout: [7] },
];

it('are those of the results it stands on, in order and each once', () => {
  const results = modelCalls.toReversed().map(({ contentKey }) => ({ contentKey }));
  expect(slidesLacked({ modelCalls }, results)).toEqual([7, 30]);
});

it('are none where the call was made anew with them, although the one without them is still there', () =>
  expect(slidesLacked({ modelCalls }, [{ contentKey: 'with every slide' }])).toEqual([]));

it('are none where there is no value', () => expect(slidesLacked({ modelCalls }, [null, undefined])).toEqual([]));

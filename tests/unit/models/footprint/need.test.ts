/** Facts that have to be known before a machine is rented for a model, and how a need is compared with the memory that the model takes. */
import { expect, it } from 'vitest';
import { modelsToSetUp } from '../../../../domain/models/catalog/lookup.ts';
import { PRESETS } from '../../../../domain/models/catalog/presets.ts';
import {
  assertNeedsKnown,
  checkNeed,
  missingOf,
  type ConfiguredNeed,
} from '../../../../domain/models/footprint/need.ts';
import { GPU_CLASSES } from '../../../../domain/models/model-tasks.ts';
import { refusalOf } from '../../../../testing/refusal.ts';

const GIB = 1024 ** 3;
const GEMMA: ConfiguredNeed = { name: 'gemma3:12b', digest: 'a'.repeat(64), weightsGib: 7.6, kvCacheGibPerSlot: 2.5 };

it.each([
  ['everything', {}, []],
  ['no digest', { digest: null }, ['its digest']],
  ['an empty digest', { digest: '' }, ['its digest']],
  ['no weights', { weightsGib: null }, ['the size of its weights']],
  ['weights of nothing', { weightsGib: 0 }, ['the size of its weights']],
  ['no cache', { kvCacheGibPerSlot: 0 }, ['the cache of a call']],
  [
    'a name',
    { digest: null, weightsGib: null, kvCacheGibPerSlot: null },
    ['its digest', 'the size of its weights', 'the cache of a call'],
  ],
  // Rules need no graphics memory and have no file that is pulled.
  ['that it needs nothing', { digest: null, weightsGib: 0, kvCacheGibPerSlot: 0 }, []],
])('of a model of which %s is known, what is missing is named', (_, known, missing) => {
  expect(missingOf({ ...GEMMA, ...known })).toEqual(missing);
});

it('a model of which too little is known is refused by name, with the next step', () => {
  assertNeedsKnown([GEMMA]);
  const models = [GEMMA, { ...GEMMA, name: 'mystery:7b', digest: null, kvCacheGibPerSlot: null }];
  expect(refusalOf(() => assertNeedsKnown(models))).toMatchObject({
    code: 'model_not_configured',
    userMessage: 'No machine is rented or set up for mystery:7b: its digest and the cache of a call are not known.',
    hint: expect.stringContaining('./deckhand models add mystery:7b --pool'),
  });
});

it('what machines are set up with is known of every preset, or refused by name', () => {
  const unknown = PRESETS.models.filter((model) => missingOf(model).length > 0).map(({ name }) => name);
  for (const { name, models } of PRESETS.profiles) {
    const lacking = Object.values(models).find((model) => model !== undefined && unknown.includes(model));
    const setUp = (): unknown => modelsToSetUp(PRESETS, name, GPU_CLASSES);
    if (lacking === undefined) expect(setUp()).not.toEqual([]);
    else expect(refusalOf(setUp).userMessage).toContain(lacking);
  }
  expect(unknown).not.toContain('gemma3:12b');
});

const measured = (gib: number, outsideGib = 0): Parameters<typeof checkNeed>[1] => ({
  sizeBytes: gib * GIB,
  vramBytes: (gib - outsideGib) * GIB,
  slots: 4,
});

it.each([17.6, 15, 20.2])('%d GiB where 17.6 are configured is what was said', (gib) => {
  expect(checkNeed(GEMMA, measured(gib))).toBeNull();
});

it('a model that takes another amount of memory is a finding in words', () => {
  expect(checkNeed(GEMMA, measured(22))).toMatchObject({
    name: 'gemma3:12b',
    neededGib: 17.6,
    measuredGib: 22,
    message: expect.stringContaining(
      'gemma3:12b takes 22.0 GiB with 4 parallel calls; 17.6 GiB are configured, 25 % too little.',
    ),
  });
  expect(checkNeed(GEMMA, measured(11))?.message).toContain('17.6 GiB are configured, 38 % too much.');
  expect(checkNeed(GEMMA, measured(22, 4))?.message).toContain(
    '22.0 GiB with 4 parallel calls, of which 4.0 GiB are not in graphics memory;',
  );
});

it('where nothing is configured, or the model is not on a GPU, nothing is said', () => {
  expect(checkNeed({ ...GEMMA, weightsGib: null }, measured(22))).toBeNull();
  expect(checkNeed({ ...GEMMA, weightsGib: 0, kvCacheGibPerSlot: 0 }, measured(22))).toBeNull();
  expect(checkNeed(GEMMA, measured(22, 22))).toBeNull();
});

/** Models as configuration: what a profile resolves to, and what is refused by name. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  catalogSchema,
  modelSchema,
  profileSchema,
  checkedProfile,
  resolveProfile,
  serverSchema,
  serverOfProfile,
  type Catalog,
  type Model,
} from '../../../../domain/models/catalog/catalog.ts';
import { findProfile, mergeCatalogs, modelsToSetUp } from '../../../../domain/models/catalog/lookup.ts';
import { catalogPools, POOLED_PRESETS, poolNameOf } from '../../../../domain/models/catalog/pools.ts';
import { PRESETS } from '../../../../domain/models/catalog/presets.ts';
import { GPU_CLASSES, MODEL_TASK_NAMES, MODEL_TASKS } from '../../../../domain/models/model-tasks.ts';
import { forAll } from '../../../../testing/property.ts';
import { refusalOf } from '../../../../testing/refusal.ts';

const model = (name: string, changes: Partial<Model> = {}): Model => modelSchema.parse({ name, ...changes });
const SEEING = model('eyes:1', { seesPictures: true });
const BLIND = model('words:1');
const profile = (models: Record<string, string>) => profileSchema.parse({ name: 'mine', models });

describe('a profile', () => {
  it('has one configuration for each task, of the model that the task or else its class names', () =>
    forAll(
      [fc.uniqueArray(fc.constantFrom(...MODEL_TASK_NAMES)), fc.integer({ min: 4096, max: 65_536 })],
      (own, window) => {
        const models = [model('eyes:1', { seesPictures: true, window }), model('other:1', { seesPictures: true })];
        const byTask = Object.fromEntries(own.map((task) => [task, 'other:1']));
        const rows = resolveProfile(profile({ 'gpu-visual': 'eyes:1', 'gpu-text': 'eyes:1', ...byTask }), models);
        expect(rows.map(({ task }) => task)).toEqual(MODEL_TASK_NAMES);
        for (const { task, modelName, numCtx, numPredict } of rows) {
          expect(modelName).toBe(own.includes(task) ? 'other:1' : 'eyes:1');
          expect(numCtx).toBe(modelName === 'eyes:1' ? window : 16_384);
          // A prompt has at least as much room as the answer.
          expect(numPredict).toBeLessThanOrEqual(Math.min(MODEL_TASKS[task].numPredict, numCtx / 2));
        }
      },
    ));

  it('whose model sees no pictures is refused where pictures are read', () => {
    const error = refusalOf(() => resolveProfile(profile({ 'gpu-visual': 'words:1', 'gpu-text': 'words:1' }), [BLIND]));
    expect(error).toMatchObject({ code: 'model_lacks_vision' });
    expect(error.message).toContain('describe_slide');
  });

  it('that leaves tasks without a model is refused with what to name', () => {
    const error = refusalOf(() => resolveProfile(profile({ 'gpu-visual': 'eyes:1' }), [SEEING]));
    expect(error.hint).toContain('"gpu-text"');
  });

  it('with a mistyped model is refused with the one that was probably meant', () => {
    const error = refusalOf(() =>
      resolveProfile(profile({ 'gpu-visual': 'eyes:1', 'gpu-text': 'word:1' }), [SEEING, BLIND]),
    );
    expect(error.hint).toContain('Did you mean words:1?');
  });

  it('whose models are on two servers is refused, because the calls of a run go to one', () => {
    const models = [model('eyes:1', { seesPictures: true, server: 'a' }), model('words:1', { server: 'b' })];
    const split = profile({ 'gpu-visual': 'eyes:1', 'gpu-text': 'words:1' });
    expect(refusalOf(() => checkedProfile(split, models)).message).toContain('a and b');
    expect(serverOfProfile(split, models)).toBeNull();
    const whole = profile({ 'gpu-visual': 'eyes:1', 'gpu-text': 'eyes:1' });
    expect(serverOfProfile(whole, models)).toBe('a');
    expect(checkedProfile(whole, models)).toEqual(resolveProfile(whole, models));
  });

  it('says of a model whether its digest and its need of memory are known', () => {
    const known = model('eyes:1', { seesPictures: true, digest: 'a'.repeat(64), weightsGib: 5, kvCacheGibPerSlot: 1 });
    const wanted = profile({ 'gpu-visual': 'eyes:1', 'gpu-text': 'eyes:1' });
    expect(resolveProfile(wanted, [known]).every(({ isNeedKnown }) => isNeedKnown)).toBe(true);
    expect(resolveProfile(wanted, [SEEING]).some(({ isNeedKnown }) => isNeedKnown)).toBe(false);
    const unpinned = resolveProfile(wanted, [{ ...known, digest: null }]);
    expect(unpinned.some(({ isNeedKnown }) => isNeedKnown)).toBe(false);
  });
});

describe('presets', () => {
  it.each(PRESETS.profiles)('$name resolves, and has a reason', (preset) => {
    expect(resolveProfile(preset, PRESETS.models)).toHaveLength(MODEL_TASK_NAMES.length);
    expect(preset.reason?.length).toBeGreaterThan(40);
  });

  it('name the licence of every model that is no rule of ours', () => {
    const unnamed = PRESETS.models.filter(({ licence }) => licence === null).map(({ name }) => name);
    expect(unnamed).toEqual(['reader-vision:1', 'reader-text:1']);
  });

  it('keep what stored reviews and fleet files name', () => {
    for (const name of ['reader', 'ollama']) expect(findProfile(PRESETS, name).name).toBe(name);
    expect(modelsToSetUp(PRESETS, 'ollama', GPU_CLASSES).map(({ modelName }) => modelName)).toEqual([
      'gemma3:12b',
      'phi4:latest',
    ]);
  });
});

describe('a catalogue', () => {
  it('refuses two entries of a name', () => {
    const parsed = catalogSchema.safeParse({ models: [{ name: 'a:1' }, { name: 'a:1' }] });
    expect(parsed.error?.issues[0]?.message).toContain('a:1 stands there twice');
  });

  it('refuses a setting that does not exist, with the one that was probably meant', () => {
    const parsed = catalogSchema.safeParse({ models: [{ name: 'a:1', windw: 4096 }] });
    expect(parsed.error?.issues[0]?.message).toContain('did you mean "window"?');
  });

  it('that comes later replaces entries of the same name and keeps the others', () => {
    const own: Catalog = catalogSchema.parse({ models: [{ name: 'gemma3:12b', window: 8192 }] });
    const merged = mergeCatalogs(PRESETS, own);
    expect(merged.models).toHaveLength(PRESETS.models.length);
    expect(merged.models.find(({ name }) => name === 'gemma3:12b')?.window).toBe(8192);
  });
});

describe('the URL of a server', () => {
  const parsed = (url: string) => serverSchema.safeParse({ name: 'box', url });

  it.each([
    ['http://h:21434/', 'http://h:21434'],
    ['HTTP://LOCALHOST:21436', 'http://localhost:21436'],
    ['https://Gpu.example:443/ollama//', 'https://gpu.example/ollama'],
    ['http://[::1]:11434', 'http://[::1]:11434'],
  ])('%s is stored as %s', (url, known) => {
    expect(parsed(url).data?.url).toBe(known);
    expect(parsed(known).data?.url).toBe(known);
  });

  it.each(['http://h:1/?x=1', 'http://h:1/#x', 'http://u:p@h:1', 'http://u@h:1'])('%s is refused', (url) => {
    const issues = parsed(url).error?.issues ?? [];
    expect(issues.map(({ message }) => message)).toEqual(['must have no user, password, query or fragment']);
  });

  it('a text that is no URL is refused with what is wrong', () =>
    expect(parsed('127.0.0.1:11434').error?.issues).toMatchObject([{ message: expect.stringContaining('http://') }]));
});

describe('the pool of a profile', () => {
  it('has a name that hosts can have and no other pool has', () =>
    forAll(
      [fc.stringMatching(/^[a-z][a-z0-9._-]{0,39}$/u), fc.array(fc.stringMatching(/^[a-z][a-z0-9]{0,11}$/u))],
      (name, others) => {
        const taken = new Set(others);
        const pool = poolNameOf(name, taken);
        expect(pool).toMatch(/^[a-z][a-z0-9]{0,11}$/u);
        expect(taken.has(pool)).toBe(false);
      },
    ));

  it('stands on its server with queues of its own, unless the profile is that of the installation', () => {
    const catalog = mergeCatalogs(
      PRESETS,
      catalogSchema.parse({
        servers: [{ name: 'box', url: 'http://box:11434', keyFile: '/run/key', parallel: 2, dataLeavesHost: true }],
        models: [{ name: 'qwen3-vl:8b-instruct', server: 'box', seesPictures: true }],
      }),
    );
    const [own] = catalogPools(catalog, POOLED_PRESETS, 'reader');
    expect(own).toMatchObject({
      name: 'qwen3vl',
      models: 'qwen3-vl',
      ownQueues: true,
      endpoint: { url: 'http://box:11434', keyFile: '/run/key', slotsPerReplica: 2, dataLeavesHost: true },
    });
    expect(catalogPools(catalog, POOLED_PRESETS, 'qwen3-vl')[0]?.ownQueues).toBeUndefined();
    expect(catalogPools(PRESETS, POOLED_PRESETS, 'reader')).toEqual([]);
  });
});

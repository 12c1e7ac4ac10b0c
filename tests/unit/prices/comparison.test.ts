/** Prices side by side: the lines, their order, and what the command prints. */
import fc from 'fast-check';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { priceTable, type PriceDocument } from '../../../cli/fleet/price-table.ts';
import { priceDocument, pricesInsteadOfPlan } from '../../../cli/fleet/prices.ts';
import { catalogSchema } from '../../../domain/models/catalog/catalog.ts';
import { mergeCatalogs } from '../../../domain/models/catalog/lookup.ts';
import { PRESETS } from '../../../domain/models/catalog/presets.ts';
import { readSnapshot } from '../../../clouds/prices/snapshot.ts';
import { DeckhandError } from '../../../domain/errors.ts';
import {
  comparePrices,
  type PriceRow,
  rowsOfGpu,
  rowsOfProviders,
} from '../../../domain/fleet/selection/price-comparison.ts';
import { COMMAND, runCommand } from '../../../testing/command.ts';
import { forAll } from '../../../testing/property.ts';

const row = (changes: Partial<PriceRow> = {}): PriceRow => ({
  provider: 'datacrunch',
  instanceType: '1L40S.20V',
  gpu: 'L40S',
  gpuCount: 1,
  vramGib: 48,
  vcpu: 20,
  memoryGib: 60,
  locations: ['FIN-01'],
  onDemandUsdPerHour: 1.5,
  spotUsdPerHour: null,
  takenOn: '2026-10-10',
  ...changes,
});

const A100 = { gpu: 'A100', vramGib: 80 };
const GH200 = { gpu: 'GH200', vramGib: 96 };
const ROWS: readonly PriceRow[] = [
  row({ spotUsdPerHour: 0.75 }),
  row({ locations: ['FIN-02', 'FIN-03'], onDemandUsdPerHour: 1.4 }),
  row({ ...A100, provider: 'azure', instanceType: 'NC24', onDemandUsdPerHour: 3.6, spotUsdPerHour: 0.7 }),
  row({ provider: 'lambda', instanceType: 'gpu_8x', gpu: 'A100', gpuCount: 8, vramGib: 320, onDemandUsdPerHour: 16 }),
  row({ ...GH200, provider: 'vast', instanceType: 'GH200 96GB', onDemandUsdPerHour: 2, takenOn: '2026-10-04' }),
];
const GEMMA = { modelName: 'gemma3:12b', weightsGib: 30, kvCacheGibPerSlot: 5 };
const WISH = { hours: 1, models: [GEMMA], slots: 4, onlyFitting: false, keptDiskUsdPerMonth: () => null };

describe('comparing prices', () => {
  it('makes a line per provider, type and market, at the cheapest location', () => {
    const lines = comparePrices(ROWS, { ...WISH, hours: 10, keptDiskUsdPerMonth: (p) => (p === 'azure' ? 7 : null) });
    expect(lines.map((l) => [l.provider, l.market, l.usdPerHour, l.cheapestLocation, l.locations])).toEqual([
      ['azure', 'spot', 0.7, 'FIN-01', 1],
      ['datacrunch', 'spot', 0.75, 'FIN-01', 1],
      ['datacrunch', 'ondemand', 1.4, 'FIN-02', 3],
      ['azure', 'ondemand', 3.6, 'FIN-01', 1],
      ['lambda', 'ondemand', 16, 'FIN-01', 1],
      ['vast', 'ondemand', 2, 'FIN-01', 1],
    ]);
    expect(lines[0]).toMatchObject({ usdForHours: 7, spotShare: 0.7 / 3.6, keptDiskUsdPerMonth: 7, tier: 'a100-80' });
    expect(lines[2]).toMatchObject({ spotShare: null, keptDiskUsdPerMonth: null, tier: 'l40s' });
    // An estimate needs the GPU's bandwidth.
    expect(lines.at(-1)).toMatchObject({ usdPerSlide: null, takenOn: '2026-10-04' });
  });

  it('tells which machines hold the models, and leaves out the others when asked', () => {
    // (30 + 4 × 5) × 1.1 = 55 GiB.
    const fits = comparePrices(ROWS, WISH).map((l) => [l.gpu, l.fits]);
    expect(fits).toContainEqual(['L40S', false]);
    expect(fits).toContainEqual(['A100', true]);
    expect(comparePrices(ROWS, { ...WISH, onlyFitting: true }).map((l) => l.gpu)).not.toContain('L40S');
  });

  it('shows the lowest price of each type and market, sorted by the price per slide, whatever the order of rows', async () => {
    const { rows } = readSnapshot();
    await forAll([fc.shuffledSubarray([...rows], { minLength: 1 })], (some) => {
      const lines = comparePrices(some, WISH);
      expect(lines).toEqual(comparePrices(some.toReversed(), WISH));
      for (const line of lines) {
        const same = some.filter((r) => r.provider === line.provider && r.instanceType === line.instanceType);
        const prices = same.flatMap((r) => (line.market === 'spot' ? (r.spotUsdPerHour ?? []) : r.onDemandUsdPerHour));
        expect(line.usdPerHour).toBe(Math.min(...prices));
      }
      const perSlide = lines.map((l) => l.usdPerSlide ?? Infinity);
      expect(perSlide).toEqual(perSlide.toSorted((a, b) => a - b));
      expect(lines.filter((l) => l.market === 'ondemand')).toHaveLength(
        new Set(some.map((r) => `${r.provider}/${r.instanceType}`)).size,
      );
    });
  });
});

describe('choosing a GPU', () => {
  const gpusOf = (gpu: string) => [...new Set(rowsOfGpu(ROWS, gpu).map((r) => `${r.gpu} ${r.vramGib / r.gpuCount}`))];

  it.each([
    ['L40S', ['L40S 48']],
    ['l40s', ['L40S 48']],
    ['A100', ['A100 80', 'A100 40']],
    ['a100-80', ['A100 80']],
    ['A100 40GB', ['A100 40']],
    ['NVIDIA A100', ['A100 80', 'A100 40']],
    ['GH200', ['GH200 96']],
    ['1A100.80S.22V', ['A100 80']],
    ['8xA100 40GB', ['A100 40']],
  ])('%s', (gpu, expected) => expect(gpusOf(gpu)).toEqual(expected));

  it('refuses a GPU and a provider without prices, with the nearest name and all that there are', () => {
    expect(() => rowsOfGpu(ROWS, 'L4OS')).toThrow(
      expect.objectContaining({
        code: 'selector_unknown',
        userMessage: 'There is no price of a GPU "L4OS". Did you mean L40S?',
        hint: 'There are prices of A100, GH200, L40S.',
      }),
    );
    expect(() => rowsOfGpu(ROWS, 'b300')).toThrow('no price of GPU "b300"');
    for (const [gpu, why] of [
      ['K80', 'compute capability of 3.7'],
      ['p2.xlarge', 'compute capability of 3.7'],
      ['MI300X', "NVIDIA's driver only"],
    ] as const)
      expect(() => rowsOfGpu(ROWS, gpu)).toThrow(
        expect.objectContaining({ code: 'selector_unknown', userMessage: expect.stringContaining(why) }),
      );
    expect(() => rowsOfProviders(ROWS, ['azur'])).toThrow(
      expect.objectContaining({ code: 'not_found', userMessage: expect.stringContaining('Did you mean azure?') }),
    );
    expect(rowsOfProviders(ROWS, [])).toBe(ROWS);
  });
});

describe('deckhand prices', () => {
  const CONFIG = { models: 'reader', modelConcurrency: 4, catalog: PRESETS } as const;
  const ENVIRONMENT = { PATH: path.dirname(COMMAND), DECKHAND_HOME: path.join(import.meta.dirname, 'none') };
  const document = (hours: number): PriceDocument => ({
    sources: [],
    hours,
    models: ['gemma3:12b'],
    slots: 4,
    neededVramGib: 55,
    items: comparePrices(ROWS, { ...WISH, hours, keptDiskUsdPerMonth: (p) => (p === 'datacrunch' ? 10 : null) }),
  });

  it('prints plain columns to a pipe', () => expect(priceTable(document(8))).toMatchFileSnapshot('snapshots/pipe.txt'));

  it('prints bars on a terminal', () =>
    expect(priceTable(document(1), { colours: false, width: 160 })).toMatchFileSnapshot('snapshots/terminal.txt'));

  it('says what is needed when nothing fits', () =>
    expect(priceTable({ ...document(1), items: [] })).toBe(
      'No machine fits. gemma3:12b with 4 parallel calls need 55.0 GiB of graphics memory.',
    ));

  it('compares with the models that a GPU is rented for, or the named one', () => {
    const all = (rows: readonly PriceRow[]) => rows;
    expect(priceDocument(all, {}, CONFIG).models).toEqual(['qwen3-vl:8b-instruct']);
    expect(priceDocument(all, { fits: 'phi4' }, CONFIG).models).toEqual(['phi4:latest']);
    expect(priceDocument(all, { fits: 'ollama' }, CONFIG).items.every((i) => i.fits)).toBe(true);
    expect(() => priceDocument(all, { fits: 'gema3' }, CONFIG)).toThrow(
      expect.objectContaining({ code: 'not_found', userMessage: expect.stringContaining('Did you mean gemma3?') }),
    );
  });

  it('knows models and profiles of the catalogue that it is given, and refuses one whose memory is not known', () => {
    const models = [
      { name: 'house:12b', seesPictures: true, weightsGib: 7.5, kvCacheGibPerSlot: 2.5 },
      { name: 'other:1', weightsGib: 5 },
    ];
    const house = { name: 'house', models: { 'gpu-visual': 'house:12b', 'gpu-text': 'house:12b' } };
    const catalog = mergeCatalogs(PRESETS, catalogSchema.parse({ models, profiles: [house] }));
    const priced = (fits: string) => priceDocument((rows) => rows, { fits }, { ...CONFIG, catalog });
    for (const name of ['house', 'house:12b']) {
      expect(priced(name).models).toEqual(['house:12b']);
      expect(priced(name).neededVramGib).toBeCloseTo(1.1 * (7.5 + 4 * 2.5));
      expect(priced(name).items.length).toBeGreaterThan(0);
    }
    expect(() => priced('other')).toThrow(
      expect.objectContaining({
        code: 'model_not_configured',
        userMessage: expect.stringContaining('the cache of a call'),
      }),
    );
  });

  it('knows what a kept disk costs where Deckhand knows the provider', () => {
    const { items } = priceDocument((rows) => rows, {}, CONFIG);
    const costs = (provider: string) =>
      new Set(items.filter((i) => i.provider === provider).map((i) => i.keptDiskUsdPerMonth));
    expect(costs('datacrunch')).toEqual(new Set([10]));
    expect(costs('coreweave')).toEqual(new Set([null]));
  });

  it.each([
    ['NOPE', 'Name two analyses by their ids'],
    ['T4', 'There are prices of'],
    ['K80', 'Tiers that can be taken'],
  ])('compare %s says what to do next', async (gpu, words) => {
    const { code, stdout, stderr } = await runCommand(['compare', gpu], ENVIRONMENT);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(words);
  });

  it('runs without a running Deckhand, and every item has its day', async () => {
    const { code, stdout, stderr } = await runCommand(['prices', 'h100', '-P', 'verda', 'aws', '--json'], ENVIRONMENT);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const { items } = JSON.parse(stdout) as PriceDocument;
    expect(new Set(items.map((i) => i.provider))).toEqual(new Set(['datacrunch', 'aws']));
    expect(items.filter((i) => !/^2026-\d\d-\d\d$/u.test(i.takenOn))).toEqual([]);
  });
});

describe('a plan without a provider', () => {
  it('shows what the selector takes at the prices of the snapshot, with their days', async () => {
    const missing = new DeckhandError('credentials_missing', 'none', { userMessage: 'There are no credentials.' });
    const text = await pricesInsteadOfPlan(missing, { selector: 'ANY_8H100' });
    expect(text).toContain('There are no credentials.\n');
    expect(text).toMatch(/Prices of 2026-\d\d-\d\d.*, from a snapshot; nothing is bought by them\./u);
    expect(text).toContain('p5.48xlarge');
    expect(text).not.toContain('p5.4xlarge');
  });

  it('shows those of the provider that is asked for where the fleet does not have it', async () => {
    const missing = new DeckhandError('not_found', 'none', { userMessage: 'The fleet has no provider google.' });
    const text = await pricesInsteadOfPlan(missing, { selector: 'ANY_8H100', provider: 'google' });
    expect(text).toContain('a3-highgpu-8g');
    expect(text).not.toContain('p5.48xlarge');
    await expect(pricesInsteadOfPlan(missing, { selector: 'ANY_8H100' })).rejects.toBe(missing);
  });

  it('fails as before for another reason, and without a selector', async () => {
    const busy = new DeckhandError('provider_throttled', 'busy');
    await expect(pricesInsteadOfPlan(busy, { selector: 'h100' })).rejects.toBe(busy);
    const missing = new DeckhandError('credentials_missing', 'none');
    await expect(pricesInsteadOfPlan(missing, { selector: undefined })).rejects.toBe(missing);
  });
});

/** What a price list's rows have to pass, and the committed snapshot. */
import { readFileSync, statSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildSnapshot, snapshotText } from '../../../cli/maintenance/price-snapshot/build.ts';
import { type ListedPrice, soundPrices } from '../../../clouds/prices/checks.ts';
import { STATIC } from '../../../clouds/fleet.ts';
import { PROVIDERS } from '../../../clouds/providers.ts';
import { SNAPSHOT_FILE, snapshotSchema } from '../../../clouds/prices/snapshot.ts';
import { forAll } from '../../../testing/property.ts';

const row = (changes: Partial<ListedPrice> = {}): ListedPrice => ({
  provider: 'lambda',
  instanceType: 'gpu_1x_l40s',
  gpuModel: 'L40S',
  gpuCount: 1,
  statedVramGib: 48,
  vcpu: 8,
  memoryGib: 64,
  location: 'north-1',
  onDemandUsdPerHour: 1.5,
  spotUsdPerHour: 0.6,
  ...changes,
});

/** Reasons for which a row is dropped, and what is left. */
const check = (...rows: readonly ListedPrice[]) => {
  const { sound, dropped } = soundPrices(rows);
  return { sound, reasons: [...dropped.keys()] };
};

describe('a row of a price list', () => {
  it.each([
    ['no price', { onDemandUsdPerHour: null }],
    ['no price', { onDemandUsdPerHour: 0 }],
    ['memory that this GPU does not have', { statedVramGib: 80 / 1024 }],
    ['memory that this GPU does not have', { statedVramGib: 24 }],
    ['memory that this GPU does not have', { gpuModel: 'A100', statedVramGib: null }],
    ['no whole GPU', { gpuCount: 0 }],
    ['no whole GPU', { gpuCount: 0.17 }],
    ['GPU that is not compared', { gpuModel: 'RTX 3070' }],
    ['GPU that is not compared', { gpuModel: 'L400' }],
    ['part of a GPU', { gpuModel: 'L40S MIG 1g' }],
    ['part of a GPU', { instanceType: 'NVIDIA L40S MIG 1g.12gb' }],
    ['type no longer sold', { provider: 'aws', instanceType: 'p3.2xlarge', gpuModel: 'V100', statedVramGib: 16 }],
    [
      'type no longer sold',
      { provider: 'azure', instanceType: 'Standard_NC6s_v3', gpuModel: 'V100', statedVramGib: 16 },
    ],
    ['price of one GPU for a machine with several', { instanceType: 'BM.GPU.L40S.4' }],
    ['price of one GPU for a machine with several', { instanceType: '8L40S.160V' }],
  ] as const)('is dropped: %s (%j)', (reason, changes) =>
    expect(check(row(changes))).toEqual({ sound: [], reasons: [reason] }),
  );

  it('keeps its memory whether the list states one GPU or all, and takes what a machine reports', () => {
    const vramOf = (changes: Partial<ListedPrice>) => check(row(changes)).sound.map((sound) => sound.vramGib);
    expect(vramOf({ instanceType: 'x', gpuCount: 4, statedVramGib: 48 })).toEqual([192]);
    expect(vramOf({ instanceType: 'x', gpuCount: 4, statedVramGib: 192 })).toEqual([192]);
    expect(vramOf({ statedVramGib: 45 })).toEqual([45]);
    expect(vramOf({ statedVramGib: null })).toEqual([48]);
    expect(vramOf({ gpuModel: 'A100-80GB-PCIe', statedVramGib: null })).toEqual([80]);
  });

  it('keeps types that are still sold and look like retired ones', () => {
    const sold = [
      row({ provider: 'aws', instanceType: 'p3dn.24xlarge', gpuModel: 'V100', gpuCount: 8, statedVramGib: 32 }),
      row({ provider: 'azure', instanceType: 'Standard_NC24ads_A100_v4', gpuModel: 'A100', statedVramGib: 80 }),
    ];
    expect(check(...sold).reasons).toEqual([]);
  });

  it('has no spot price where that is not below the price on demand', async () => {
    const price = fc.double({ min: 0.01, max: 9, noNaN: true });
    await forAll([price, fc.double({ min: -1, max: 9, noNaN: true })], (usd, spot) => {
      const { sound } = check(row({ onDemandUsdPerHour: usd, spotUsdPerHour: spot }));
      expect(sound.map((s) => s.spotUsdPerHour)).toEqual([spot > 0 && spot < usd ? spot : null]);
    });
  });

  it('is dropped where its price is far from that of the same GPU at other providers, however many locations one of them has', () => {
    const dear = Array.from({ length: 9 }, (_, i) =>
      row({ provider: 'azure', location: `r${i}`, onDemandUsdPerHour: 7 }),
    );
    const others = [
      row({ provider: 'aws', onDemandUsdPerHour: 1.9 }),
      row({ provider: 'google', onDemandUsdPerHour: 1.5 }),
    ];
    const cheap = row({ provider: 'runpod', instanceType: 'L40S', onDemandUsdPerHour: 0.8 });
    const misprint = row({ provider: 'vast', instanceType: 'L40S', onDemandUsdPerHour: 0.05 });
    const { sound, reasons } = check(...dear, ...others, cheap, misprint);
    expect(sound).toHaveLength(12);
    expect(reasons).toEqual(['price far from that of the same GPU at other providers']);
  });
});

const source = (version: string) => ({ name: 'observations', version, takenOn: '2026-10-10' });

it('building the snapshot puts locations with the same prices into one row, and takes a type that two lists have from the later one', () => {
  const first = [row({ location: 'b' }), row({ location: 'a' }), row({ location: 'c', onDemandUsdPerHour: 2 })];
  const second = [row({ provider: 'aws', instanceType: 'x' })];
  const { snapshot } = buildSnapshot([
    { source: source('old'), listed: [row({ provider: 'aws', instanceType: 'x', onDemandUsdPerHour: 1 })] },
    { source: source('new'), listed: [...first, ...second] },
  ]);
  expect(snapshot.rows.map((r) => [r.provider, r.locations, r.onDemandUsdPerHour, r.source])).toEqual([
    ['aws', ['north-1'], 1.5, 1],
    ['lambda', ['a', 'b'], 1.5, 1],
    ['lambda', ['c'], 2, 1],
  ]);
});

describe('the committed snapshot', () => {
  const text = readFileSync(SNAPSHOT_FILE, 'utf8');
  const snapshot = snapshotSchema.parse(JSON.parse(text));
  const listed = snapshot.rows.flatMap(({ gpu, vramGib, locations, ...rest }) =>
    locations.map((location): ListedPrice => ({ ...rest, gpuModel: gpu, statedVramGib: vramGib, location })),
  );

  it('passes every check', () => {
    expect(listed.length).toBeGreaterThan(100);
    expect([...soundPrices(listed).dropped]).toEqual([]);
    const spotsAbove = listed.filter((r) => (r.spotUsdPerHour ?? 0) >= (r.onDemandUsdPerHour ?? 0));
    expect(spotsAbove).toEqual([]);
  });

  it('is written by the script, small, and has each type once per location', () => {
    expect(text).toBe(snapshotText(snapshot));
    expect(statSync(SNAPSHOT_FILE).size).toBeLessThan(200_000);
    const places = listed.map((r) => `${r.provider}/${r.instanceType}/${r.location}`);
    expect(places.length).toBe(new Set(places).size);
  });

  it('names for each row a source with its day, and no source without rows', () => {
    const used = new Set(snapshot.rows.map((r) => r.source));
    expect(used).toEqual(new Set(snapshot.sources.keys()));
  });

  it('has every provider that machines are rented from, by the name that it has here, and the clouds that are asked for most', () => {
    const providers = new Set(snapshot.rows.map((r) => r.provider));
    expect(
      [...Object.keys(PROVIDERS).filter((p) => p !== STATIC), 'lambda', 'nebius', 'runpod'].filter(
        (p) => !providers.has(p),
      ),
    ).toEqual([]);
  });
});

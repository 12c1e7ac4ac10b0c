/** From checked price lists to the snapshot: equal prices share a row, in an order that a diff can be read in. */
import { type ListedPrice, soundPrices, type SoundPrice } from '../../../clouds/prices/checks.ts';
import type { Snapshot } from '../../../clouds/prices/snapshot.ts';

/** A price list with where it is from. */
export interface PriceList {
  readonly source: Snapshot['sources'][number];
  readonly listed: readonly ListedPrice[];
}

/** The snapshot of several lists, and how many rows were dropped by reason. A type that two lists have is taken from the later one. */
export function buildSnapshot(lists: readonly PriceList[]): {
  readonly snapshot: Snapshot;
  readonly dropped: ReadonlyMap<string, number>;
} {
  const sourceOf = new Map(lists.flatMap(({ listed }, source) => listed.map((row) => [nameOf(row), source] as const)));
  const kept = lists.flatMap(({ listed }, source) => listed.filter((row) => sourceOf.get(nameOf(row)) === source));
  const { sound, dropped } = soundPrices(kept);
  const groups = Map.groupBy(sound, ({ location: _location, ...rest }) => JSON.stringify(rest));
  const rows = [...groups.values()].flatMap((same) => {
    const [first] = same;
    return first === undefined ? [] : [rowOf(first, sourceOf.get(nameOf(first)) ?? 0, same)];
  });
  const sortKey = (row: Snapshot['rows'][number]): string =>
    [row.provider, row.gpu, String(row.vramGib).padStart(5, '0'), row.instanceType, row.locations[0]].join('\u0000');
  const sorted = rows.toSorted((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1));
  return { snapshot: { sources: lists.map(({ source }) => source), rows: sorted }, dropped };
}

const nameOf = ({ provider, instanceType }: ListedPrice): string => `${provider}/${instanceType}`;

const rowOf = (row: SoundPrice, source: number, same: readonly SoundPrice[]): Snapshot['rows'][number] => ({
  source,
  provider: row.provider,
  instanceType: row.instanceType,
  gpu: row.gpu,
  gpuCount: row.gpuCount,
  vramGib: Math.round(row.vramGib * 10) / 10,
  vcpu: row.vcpu,
  memoryGib: row.memoryGib,
  locations: same.map(({ location }) => location).toSorted(),
  onDemandUsdPerHour: row.onDemandUsdPerHour,
  spotUsdPerHour: row.spotUsdPerHour,
});

/** The snapshot as a file: JSON with a row per line. */
export function snapshotText({ sources, rows }: Snapshot): string {
  const list = (items: readonly unknown[]): string => items.map((item) => `    ${JSON.stringify(item)}`).join(',\n');
  return `{\n  "sources": [\n${list(sources)}\n  ],\n  "rows": [\n${list(rows)}\n  ]\n}\n`;
}

/**
 * The price snapshot: prices of GPU machines at many providers on a day that is past, for people without credentials. `npm run
 * price-snapshot` makes it. Only what shows prices may read it; offers, ladders and the ledger take theirs from the provider.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import type { PriceRow } from '../../domain/fleet/selection/price-comparison.ts';

/** Where the committed snapshot lies. */
export const SNAPSHOT_FILE = path.join(import.meta.dirname, 'snapshot.json');

const price = z.number().positive();

export const snapshotSchema = z.strictObject({
  sources: z.array(
    z.strictObject({
      /** Who collected the prices. */
      name: z.string().min(1),
      /** Version, or commit and file. */
      version: z.string().min(1),
      /** Day on which the prices were seen. */
      takenOn: z.iso.date(),
    }),
  ),
  rows: z.array(
    z.strictObject({
      /** Index in `sources`. */
      source: z.int().nonnegative(),
      provider: z.string().min(1),
      instanceType: z.string().min(1),
      gpu: z.string().min(1),
      gpuCount: z.int().positive(),
      vramGib: z.number().positive(),
      vcpu: z.number().positive().nullable(),
      memoryGib: z.number().positive().nullable(),
      locations: z.array(z.string().min(1)).min(1),
      onDemandUsdPerHour: price,
      spotUsdPerHour: price.nullable(),
    }),
  ),
});
/** The snapshot as it is stored. */
export type Snapshot = z.infer<typeof snapshotSchema>;

/** The rows of the committed snapshot, each with the day of its source. */
export function readSnapshot(): { readonly sources: Snapshot['sources']; readonly rows: readonly PriceRow[] } {
  const { sources, rows } = snapshotSchema.parse(JSON.parse(readFileSync(SNAPSHOT_FILE, 'utf8')));
  return { sources, rows: rows.map(({ source, ...row }) => ({ ...row, takenOn: sources[source]?.takenOn ?? '' })) };
}

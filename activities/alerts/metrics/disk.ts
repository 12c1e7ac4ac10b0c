/** Metric of the disk that PDFs and slide images are on, and of what they may take of it. */
import type { StatsFs } from 'node:fs';
import { statfs } from 'node:fs/promises';
import path from 'node:path';
import { INSTALLATION } from '../../../domain/alerts/metrics.ts';
import { quotaUse } from '../../../platform/blobs/quota.ts';
import { percent, type MetricReader } from './reader.ts';

const GIBIBYTE = 1024 ** 3;

/** What is free for us, of what there is: of the disk, or of our quota on it where that is nearer to its end. */
export const readDiskSpace: MetricReader = async ({ blobDir, blobQuotaBytes }) => {
  const [stats, quota] = await Promise.all([statfsAbove(blobDir), quotaUse(blobDir, blobQuotaBytes ?? null)]);
  const spaces = [
    { what: 'disk', freeBytes: stats.bavail * stats.bsize, bytes: stats.blocks * stats.bsize },
    ...(quota === null
      ? []
      : [{ what: 'quota', freeBytes: Math.max(0, quota.limitBytes - quota.usedBytes), bytes: quota.limitBytes }]),
  ].map((space) => ({ ...space, value: space.bytes === 0 ? 0 : space.freeBytes / space.bytes }));
  // A file system that does not say how large it is; a quota of nothing is used up.
  const [least] = spaces
    .filter(({ what, bytes }) => what === 'quota' || bytes > 0)
    .toSorted((a, b) => a.value - b.value);
  if (least === undefined) return [];
  const { what, freeBytes, value } = least;
  const freeGib = (freeBytes / GIBIBYTE).toFixed(1);
  const message = `${freeGib} GiB are free for PDFs and slide images (${percent(value)} of the ${what}).`;
  return [{ subject: INSTALLATION, value, message }];
};

/** The directory is made with the first deck: until then what it will be made in counts. */
async function statfsAbove(directory: string): Promise<StatsFs> {
  try {
    return await statfs(directory);
  } catch (error) {
    const above = path.dirname(directory);
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || above === directory) throw error;
    return statfsAbove(above);
  }
}

/** Metric of the disk that PDFs and slide images are on. */
import type { StatsFs } from 'node:fs';
import { statfs } from 'node:fs/promises';
import path from 'node:path';
import { INSTALLATION } from '../../../domain/alerts/metrics.ts';
import { percent, type MetricReader } from './reader.ts';

const GIBIBYTE = 1024 ** 3;

/** What is free for us, of what there is. */
export const readDiskSpace: MetricReader = async ({ blobDir }) => {
  const stats = await statfsAbove(blobDir);
  // A file system that does not say how large it is.
  if (stats.blocks === 0) return [];
  const value = stats.bavail / stats.blocks;
  const freeGib = (stats.bavail * stats.bsize) / GIBIBYTE;
  const message = `${freeGib.toFixed(1)} GiB are free for PDFs and slide images (${percent(value)} of the disk).`;
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

/** Metric of the disk that PDFs and slide images are on. */
import { statfs } from 'node:fs/promises';
import { INSTALLATION } from '../../../domain/alerts/metrics.ts';
import { percent, type MetricReader } from './reader.ts';

const GIBIBYTE = 1024 ** 3;

/** What is free for us, of what there is. A directory that is not there yet holds nothing and is no concern. */
export const readDiskSpace: MetricReader = async ({ blobDir }) => {
  const stats = await statfs(blobDir).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (stats === null || stats.blocks === 0) return [];
  const value = stats.bavail / stats.blocks;
  const freeGib = (stats.bavail * stats.bsize) / GIBIBYTE;
  const message = `${freeGib.toFixed(1)} GiB are free for PDFs and slide images (${percent(value)} of the disk).`;
  return [{ subject: INSTALLATION, value, message }];
};

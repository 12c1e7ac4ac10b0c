/** Worker process `convert`: rendering, on CPU machines, never where the models run. Process entry. */
import { availableParallelism } from 'node:os';
import { Worker } from '@temporalio/worker';
import { createConvertActivities } from '../activities/convert/activities.ts';
import { createSecondReadingActivities } from '../activities/convert/second-reading.ts';
import { closeRenderer, prepareRenderer } from '../activities/convert/render/window.ts';
import { sweepScratch } from '../platform/scratch.ts';
import { CONVERT_QUEUE, SECOND_READING_QUEUE } from '../contracts/queues.ts';
import { runUntilStopped, runWorkerProcess } from './support/worker-process.ts';

await runWorkerProcess('convert', async ({ config, db, blobs, options, stopping }) => {
  const { renderer, maxUploadBytes, home } = config;
  await sweepScratch(home);
  const worker = await Worker.create({
    ...options,
    taskQueue: CONVERT_QUEUE,
    activities: {
      ...createConvertActivities({ db, blobs, renderer, maxUploadBytes, home }),
    },
    maxConcurrentActivityTaskExecutions: config.convertConcurrency ?? availableParallelism(),
  });
  const { secondReadingMs: timeMs } = config;
  const secondReader = await Worker.create({
    ...options,
    taskQueue: SECOND_READING_QUEUE,
    activities: { ...createSecondReadingActivities({ db, blobs, renderer, home, timeMs }) },
    // Decks that are drawn need the other cores.
    maxConcurrentActivityTaskExecutions: Math.ceil(availableParallelism() / 2),
  });
  prepareRenderer(renderer);
  try {
    await runUntilStopped([worker, secondReader], stopping);
  } finally {
    closeRenderer();
  }
});

/**
 * How fast each GPU is, from the results that are stored: which machine made a call, and on which offer that machine was then.
 */
import {
  learnSecondsPerSlide,
  secondsPerSlideTable,
  speedKey,
  type SecondsPerSlide,
} from '../../../domain/fleet/selection/slide-cost.ts';
import { parseOfferKey } from '../../../domain/fleet/selection/offer.ts';
import type { CatalogueType } from '../../../domain/fleet/selection/tiers.ts';
import { MODEL_TASK_NAMES, MODEL_TASKS } from '../../../domain/models/model-tasks.ts';
import type { PrismaClient } from '../../../generated/prisma/client.ts';

/** Newest visual results that are looked at. */
const MAX_RESULTS = 5000;

interface Row {
  readonly task: string;
  readonly host: string;
  readonly createdAt: Date;
  readonly durationMs: number;
  readonly offerKey: string;
}

/** Seconds per slide of every known GPU: learned where there are calls of these models, else a prior. */
export async function readSecondsPerSlide(
  db: PrismaClient,
  catalogue: readonly CatalogueType[],
  modelNames: readonly string[],
): Promise<SecondsPerSlide> {
  const tasks: string[] = MODEL_TASK_NAMES.filter((task) => MODEL_TASKS[task].gpuClass === 'gpu-visual');
  const rows = await db.$queryRaw<Row[]>`
    SELECT r.task, r.host, r."createdAt", r."durationMs", ran."offerKey"
    FROM "ModelResult" r
    JOIN LATERAL (
      SELECT t."offerKey" FROM "InstanceTransition" t
      WHERE t."instanceName" = r.host AND t.at <= r."createdAt" AND t."offerKey" IS NOT NULL
      ORDER BY t.position DESC LIMIT 1
    ) ran ON true
    WHERE r.task = ANY(${tasks}) AND r."modelName" = ANY(${[...modelNames]})
    ORDER BY r."createdAt" DESC LIMIT ${MAX_RESULTS}`;
  const keys = new Map(catalogue.map((type) => [type.instanceType, speedKey(type)]));
  const calls = rows.flatMap((row) => {
    const key = keys.get(parseOfferKey(row.offerKey).instanceType);
    // A type that left the catalogue is not offered either.
    if (key === undefined) return [];
    const countsSlide = row.task === 'describe_slide';
    return [{ speedKey: key, host: row.host, endMs: row.createdAt.getTime(), durationMs: row.durationMs, countsSlide }];
  });
  return secondsPerSlideTable(learnSecondsPerSlide(calls));
}

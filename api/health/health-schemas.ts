/** Documents of an instance's health. */
import { z } from '@hono/zod-openapi';
import { INSTANCE_PHASES } from '../../domain/fleet/phases.ts';
import { HEALTH_LEVELS } from '../../domain/health/types.ts';

const time = z.iso.datetime();

export const instanceHealthSchema = z
  .object({
    level: z.enum(HEALTH_LEVELS),
    since: time,
    reason: z.string(),
    failure: z.string().nullable().openapi({ description: 'Kind of fault, where there is one.' }),
    lastSampleAt: time.nullable(),
    lastProbeAt: time.nullable(),
    probeMs: z.int().nullable().openapi({ description: 'Duration of the last probe that was answered.' }),
    baselineProbeMs: z.int().nullable().openapi({ description: 'Usual duration of a probe on it.' }),
    quarantinedAt: time.nullable().openapi({ description: 'Since when it is quarantined.' }),
  })
  .openapi('InstanceHealth');

const sampleSchema = z
  .object({
    at: time,
    gpu: z.int(),
    level: z.string().openapi({ description: 'Of the instance, after the sample.' }),
    missing: z.boolean().openapi({ description: 'The machine did not answer; there are no figures.' }),
    message: z.string().nullable(),
    utilRatio: z.number().nullable(),
    memoryUsedBytes: z.number().nullable(),
    memoryTotalBytes: z.number().nullable(),
    temperatureC: z.number().nullable(),
    slowdownMarginC: z.number().nullable(),
    throttleReasons: z.array(z.string()),
    xids: z.array(z.int()),
    eccUncorrected: z.number().nullable(),
    rowRemapPending: z.boolean().nullable(),
    rowRemapFailed: z.boolean().nullable(),
    modelBytes: z.number().nullable(),
    modelVramBytes: z.number().nullable(),
    diskFreeBytes: z.number().nullable(),
    diskTotalBytes: z.number().nullable(),
    probeMs: z.int().nullable(),
  })
  .openapi('HealthSample');

export const healthHistorySchema = z
  .object({
    name: z.string(),
    pool: z.string(),
    phase: z.enum(INSTANCE_PHASES),
    health: instanceHealthSchema.nullable().openapi({
      description: 'As it was judged last, also before it went to sleep; null = never judged.',
    }),
    changes: z
      .array(
        z.object({
          at: time,
          from: z.string().nullable(),
          to: z.string(),
          failure: z.string().nullable(),
          reason: z.string(),
          action: z.string().openapi({
            description: 'none (the level changed), quarantine, restart, reboot, replace or release.',
          }),
        }),
      )
      .openapi({ description: 'Newest first; the last hundred.' }),
    samples: z.array(sampleSchema).openapi({ description: 'Newest first, one for each GPU.' }),
    nextCursor: z.string().nullable(),
  })
  .openapi('HealthHistory');
export type HealthHistoryDocument = z.infer<typeof healthHistorySchema>;

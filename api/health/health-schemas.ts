/** Documents of an instance's health. */
import { z } from '@hono/zod-openapi';
import { INSTANCE_PHASES } from '../../domain/fleet/phases.ts';
import { HEALTH_LEVELS } from '../../domain/health/types.ts';
import { ENGINE_NAMES } from '../../domain/health/gpu/diagnosis/engines.ts';
import { FINDING_AREAS, FINDING_LEVELS } from '../../domain/health/gpu/diagnosis/finding.ts';
import { json, nameParam, problems, route } from '../http/definition.ts';

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

export const sampleSchema = z
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

export const gpuDiagnosisSchema = z
  .object({
    target: z.string(),
    atMs: z.number(),
    level: z.enum(['ok', 'warn', 'fail']).openapi({ description: 'The worst of its findings.' }),
    findings: z.array(
      z.object({
        area: z.enum(FINDING_AREAS),
        name: z.string(),
        level: z.enum(FINDING_LEVELS),
        found: z.string(),
        fix: z.string().nullable(),
        share: z.number().nullable().openapi({ description: 'How much of what there is is used or needed; 1 = all.' }),
      }),
    ),
    engines: z
      .array(
        z.object({
          engine: z.enum(ENGINE_NAMES),
          title: z.string(),
          version: z.string(),
          needs: z.object({
            driver: z.number().openapi({ description: 'Least branch of the NVIDIA driver.' }),
            cuda: z.string().openapi({ description: 'CUDA version that the driver has to support at least.' }),
            computeCapability: z.number(),
          }),
          has: z.object({
            driver: z.string().nullable(),
            cuda: z.string().nullable(),
            gpus: z.array(z.object({ name: z.string(), computeCapability: z.number().nullable() })),
          }),
          amd: z
            .object({
              needs: z.object({
                rocm: z.string().openapi({ description: 'Least version of ROCm.' }),
                targets: z.array(z.string()).openapi({ description: 'Instruction sets that the engine is built for.' }),
              }),
              has: z.object({
                gpus: z.array(z.object({ name: z.string(), target: z.string().nullable() })),
                driver: z.string().nullable(),
                rocm: z.string().nullable(),
              }),
            })
            .optional()
            .openapi({ description: 'Instead of needs and has on a machine with GPUs of AMD and none of NVIDIA.' }),
          suffices: z.boolean().nullable().openapi({ description: 'Null = not known.' }),
          reason: z.string().nullable(),
          next: z.string().nullable().openapi({ description: 'What to do when it does not suffice.' }),
        }),
      )
      .openapi({ description: 'Whether each engine runs on the machine; says nothing of the level.' }),
  })
  .openapi('GpuDiagnosis');

export const diagnosisRoute = route('post', '/fleet/instances/{name}/diagnosis', {
  summary: 'Look into an instance: driver, CUDA, GPU, model server and its settings, disk, and whether the models fit.',
  description: 'Its gateway looks, and has a model generate where a slot is free. Nothing is changed.',
  request: { params: nameParam },
  responses: { 200: json(gpuDiagnosisSchema, 'What was found.'), ...problems(400, 404, 409, 500, 503) },
});

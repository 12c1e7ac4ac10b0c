/** Documents of the reaper, and the definition of its route. */
import { z } from '@hono/zod-openapi';
import { REAPABLE_KINDS } from '../../domain/fleet/provider/reaper.ts';
import { json, problems, route } from '../http/definition.ts';

const verdictSchema = z.object({
  resource: z.object({
    kind: z.enum(REAPABLE_KINDS),
    resourceId: z.string(),
    name: z.string(),
    instanceName: z.string().nullable(),
    createdAtMs: z.number().nullable(),
    disk: z.object({ hostname: z.string(), location: z.string(), attachedTo: z.string().nullable() }).nullable(),
    deployment: z
      .object({ pool: z.string(), isPaused: z.boolean() })
      .optional()
      .openapi({ description: 'Of a deployment: its pool, and whether it is paused and costs nothing.' }),
  }),
  verdict: z.enum(['keep', 'quarantine', 'reap']),
  reason: z.string(),
  disksToo: z.array(z.string()).openapi({ description: 'Ids of the ownerless disks that go with a machine.' }),
});

export const reapReportSchema = z
  .object({
    dryRun: z.boolean(),
    kept: z.int(),
    foreign: z.int(),
    quarantined: z.array(verdictSchema),
    reaped: z.array(verdictSchema.extend({ removed: z.boolean(), message: z.string().nullable() })),
    lost: z.array(z.object({ name: z.string(), reason: z.string() })),
    unanswered: z
      .array(z.object({ provider: z.string(), message: z.string() }))
      .default([])
      .openapi({ description: 'Providers that did not answer: nothing of theirs was looked at.' }),
  })
  .openapi('ReapReport');
export type ReapReportDocument = z.infer<typeof reapReportSchema>;

export const reapRoute = route('post', '/fleet/reap', {
  summary: 'One round of the reaper: removes resources at the provider that were found without an owner twice.',
  request: {
    query: z.object({
      dryRun: z.enum(['true', 'false']).default('false').openapi({ description: 'Only report what would be removed.' }),
    }),
  },
  responses: {
    200: json(reapReportSchema, 'What the round found and did.'),
    ...problems(400, 402, 403, 422, 500, 502, 503),
  },
});

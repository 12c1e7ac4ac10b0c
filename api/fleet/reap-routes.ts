/** The reaper on demand: finds resources without an owner at the provider, and removes them. */
import { randomUUID } from 'node:crypto';
import { createRoute, z } from '@hono/zod-openapi';
import { REAPABLE_KINDS } from '../../domain/fleet/provider/reaper.ts';
import { DeckhandError } from '../../domain/errors.ts';
import { loadFleet } from '../../clouds/fleet-file.ts';
import { CONTROL_QUEUE } from '../../contracts/queues.ts';
import { makeReapWorkflowId, REAPER_WORKFLOW, type ReapReport, type ReapRoundInput } from '../../contracts/reaper.ts';
import { workflowFailure } from '../http/workflow-failure.ts';
import type { RouteDeps } from '../context.ts';
import { createRoutes, json, problems, type Routes } from '../http/routes.ts';

/** A round asks for a few lists; longer means that the provider or the control worker is away. */
const ROUND_LIMIT = '3m';

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

const reapRoute = createRoute({
  method: 'post',
  path: '/fleet/reap',
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

/** The route of the reaper. */
export function reapRoutes({ temporal, config }: RouteDeps): Routes {
  const routes = createRoutes();
  routes.openapi(reapRoute, async (c) => {
    if (loadFleet(config).provider === 'static') {
      throw new DeckhandError('usage', 'the fleet is static', {
        userMessage: 'This fleet rents no machines, so there is nothing to reap.',
        hint: 'Set "provider" in the fleet file.',
      });
    }
    const input: ReapRoundInput = { dryRun: c.req.valid('query').dryRun === 'true' };
    const report = await temporal.workflow
      .execute<(input: ReapRoundInput) => Promise<ReapReport>>(REAPER_WORKFLOW, {
        workflowId: makeReapWorkflowId(randomUUID()),
        taskQueue: CONTROL_QUEUE,
        workflowExecutionTimeout: ROUND_LIMIT,
        args: [input],
        staticSummary: `A requested round${input.dryRun ? ' (dry run)' : ''}`,
      })
      .catch((error: unknown) => {
        throw workflowFailure(error, {
          what: 'the round of the reaper',
          lateMessage: 'The round of the reaper did not end in time.',
          lateHint:
            'Check with `./deckhand doctor` that the control process runs and with `./deckhand credentials test` that the provider answers.',
        });
      });
    return c.json(reapReportSchema.parse(report), 200);
  });
  return routes;
}

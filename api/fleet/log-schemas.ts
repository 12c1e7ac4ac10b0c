/** Documents of the logs of an endpoint pool, and the definition of their route. */
import { z } from '@hono/zod-openapi';
import { json, pathId, problems, route } from '../http/definition.ts';

/** The provider keeps its logs for seven days. */
const LONGEST_MINUTES = 7 * 24 * 60;

const poolLogsSchema = z
  .object({
    pool: z.string(),
    lines: z.array(
      z.object({
        at: z.iso.datetime().nullable().openapi({ description: 'Null where the provider does not say.' }),
        replica: z.string().nullable().openapi({ description: 'Null for a line of the deployment as a whole.' }),
        source: z.enum(['server', 'provider']).openapi({
          description: '`server`: the container wrote it; `provider`: the provider says it of a replica.',
        }),
        message: z.string(),
      }),
    ),
  })
  .openapi('PoolLogs');
export type PoolLogsDocument = z.infer<typeof poolLogsSchema>;

export const logsRoute = route('get', '/fleet/pools/{pool}/logs', {
  summary: 'The newest lines that the deployment of an endpoint pool has logged, the oldest of them first.',
  request: {
    params: z.object({ pool: pathId }),
    query: z.object({
      minutes: z.coerce
        .number()
        .int()
        .min(1)
        .max(LONGEST_MINUTES)
        .default(60)
        .openapi({ description: 'How far to look back, at most seven days.' }),
      limit: z.coerce
        .number<number>()
        .int()
        .min(1)
        .max(1000)
        .default(200)
        .openapi({ description: 'Most lines: the newest.' }),
    }),
  },
  responses: { 200: json(poolLogsSchema, 'The lines.'), ...problems(400, 402, 403, 404, 422, 500, 502, 503) },
});

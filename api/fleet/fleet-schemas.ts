/** Documents of the fleet routes. */
import { z } from '@hono/zod-openapi';
import { INSTANCE_PHASES } from '../../domain/fleet/phases.ts';
import { OPERATOR_REQUESTS } from '../../domain/fleet/pool/pool-state.ts';
import { instanceHealthSchema, healthHistorySchema } from '../health/health-schemas.ts';
import { json, nameParam, pageQuery, problems, route } from '../http/definition.ts';

const time = z.iso.datetime();

/** Report of the gateway that serves an instance. */
export const servingSchema = z.object({
  gateway: z.string(),
  state: z.string().openapi({ description: 'connecting, pulling, proving, serving, watching or draining' }),
  message: z.string().nullable(),
  pullPercent: z.number().nullable(),
  /** Null when the last report of the gateway is too old. */
  inFlight: z.int().nullable(),
  finishedCalls: z.int(),
  slots: z.int(),
  models: z.array(z.string()),
  lastCallAt: time.nullable(),
  seenAt: time,
});

export const fleetInstanceSchema = z
  .object({
    name: z.string(),
    pool: z.string(),
    provider: z.string(),
    phase: z.enum(INSTANCE_PHASES),
    since: time,
    reason: z.string(),
    /** provider/location/type/market of the machine it has or last had. */
    offer: z.string().nullable(),
    priceUsdPerHour: z.number().nullable(),
    setupVersion: z.string().nullable().openapi({
      description:
        'Startup script, model server, models and image that its disk was set up with, as one short hash; null: not known.',
    }),
    /** Creates so far. */
    attempts: z.int(),
    costUsd: z.number().openapi({
      description:
        'Machines and disks so far, settled in the ledger or not yet, at the prices frozen when each was first seen.',
    }),
    serving: servingSchema.nullable(),
    /** Null while it is not awake, and before it was ever judged. */
    health: instanceHealthSchema.nullable(),
    createdAt: time,
    endedAt: time.nullable(),
  })
  .openapi('FleetInstance');
export type FleetInstanceDocument = z.infer<typeof fleetInstanceSchema>;

/** What is not tried again for a while after a provider refused it. */
export const offerBlockSchema = z
  .object({
    scope: z.string().openapi({
      description:
        'An offer (provider/location/type/market), a market in a location (provider/location/*/market), a location or a provider.',
    }),
    errorClass: z.string(),
    message: z.string().openapi({ description: 'Message of the provider.' }),
    /** Failures in a row. */
    repeats: z.int(),
    lastFailureAt: time,
    blockedUntil: time,
  })
  .openapi('OfferBlock');
export type OfferBlockDocument = z.infer<typeof offerBlockSchema>;

export const offerBlockListSchema = z.object({ items: z.array(offerBlockSchema) }).openapi('OfferBlockList');
export type OfferBlockList = z.infer<typeof offerBlockListSchema>;

const demandSchema = z.object({ openCalls: z.int(), openSeconds: z.number(), oldestAgeMs: z.number().nullable() });

export const poolSchema = z.object({
  name: z.string(),
  provider: z.string(),
  providers: z.array(z.string()).openapi({ description: 'Providers that it rents from, best first.' }),
  classes: z.array(z.string()),
  selector: z.string(),
  min: z.int(),
  max: z.int(),
  target: z.int(),
  wish: z.int().openapi({ description: 'Instances wanted for the open work alone.' }),
  reasons: z.array(z.string()).openapi({ description: 'Of the last decision, most important first.' }),
  demand: demandSchema,
  decidedAt: time,
  nextLookAt: time.nullable(),
  costUsd: z.number().openapi({ description: 'Of all instances the pool ever had.' }),
  instances: z.array(fleetInstanceSchema),
});

export const fleetSchema = z
  .object({
    at: time,
    pools: z.array(poolSchema),
    costUsd: z.number(),
    blocks: z.array(offerBlockSchema).openapi({ description: 'What is blocked now. DELETE /fleet/blocks lifts it.' }),
    openAlerts: z.object({ info: z.int(), warning: z.int(), critical: z.int() }),
  })
  .openapi('Fleet');
export type FleetDocument = z.infer<typeof fleetSchema>;

export const instanceHistorySchema = fleetInstanceSchema
  .extend({
    transitions: z.array(
      z.object({
        at: time,
        from: z.string().nullable(),
        to: z.string(),
        reason: z.string(),
        priceUsdPerHour: z.number().nullable(),
        offer: z.string().nullable(),
        providerId: z.string().nullable(),
      }),
    ),
  })
  .openapi('FleetInstanceHistory');
export type InstanceHistoryDocument = z.infer<typeof instanceHistorySchema>;

export const operatorRequestSchema = z.enum(OPERATOR_REQUESTS);

export const fleetRoute = route('get', '/fleet', {
  summary: 'Pools with their last decision and its reasons; instances with their state and cost so far.',
  responses: { 200: json(fleetSchema, 'The fleet.') },
});

export const instanceRoute = route('get', '/fleet/instances/{name}', {
  summary: 'One instance with its history.',
  request: { params: nameParam },
  responses: { 200: json(instanceHistorySchema, 'The instance.'), ...problems(400, 404) },
});

export const healthRoute = route('get', '/fleet/instances/{name}/health', {
  summary: 'Health of an instance: level, changes and samples, newest first.',
  request: {
    params: nameParam,
    query: pageQuery.extend({ limit: z.coerce.number<number>().int().min(1).max(2000).default(200) }),
  },
  responses: { 200: json(healthHistorySchema, 'Its health.'), ...problems(400, 404) },
});

export const askRoute = route('post', '/fleet/instances/{name}/{request}', {
  summary: 'Cordon, uncordon, drain, wake, suspend or destroy an instance.',
  description:
    'The pool carries it out. A cordoned or drained instance stays so until it is uncordoned or woken. A suspended instance is woken for new work; for a destroyed one, another is created.',
  request: { params: nameParam.extend({ request: operatorRequestSchema }) },
  responses: {
    202: json(instanceHistorySchema, 'The pool was asked. The instance is shown as it is now.'),
    ...problems(400, 404, 409, 503),
  },
});

export const blocksRoute = route('get', '/fleet/blocks', {
  summary: 'The blocks: what is not tried again for a while after a provider refused it.',
  responses: { 200: json(offerBlockListSchema, 'The present blocks.') },
});

export const unblockRoute = route('delete', '/fleet/blocks', {
  summary: 'Lift blocks early, for example when a quota was raised.',
  description:
    'The failures behind a block are forgotten with it. Instances that wait try again at the end of their pause.',
  request: {
    query: z.object({
      scope: z
        .string()
        .min(1)
        .max(500)
        .optional()
        .openapi({ description: 'As in the answer to GET; if absent, every block.' }),
    }),
  },
  responses: { 200: json(offerBlockListSchema, 'The blocks that were lifted.'), ...problems(400, 404) },
});

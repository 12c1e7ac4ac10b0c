/**
 * Documents of selection: the tiers as the provider sells them, what is available, and the ladder with its reasons.
 */
import { z } from '@hono/zod-openapi';
import { MARKETS } from '../../domain/fleet/selection/offer.ts';
import { GPU_CLASSES } from '../../domain/models/model-tasks.ts';
import { json, problems, route } from '../http/definition.ts';

const market = z.enum(MARKETS);
const time = z.iso.datetime();
const marketChoice = z.enum([...MARKETS, 'any']);
/** `a,b` → `['a', 'b']`. */
const list = z
  .string()
  .transform((text) => text.split(',').flatMap((part) => (part.trim() === '' ? [] : [part.trim()])))
  .openapi({ type: 'string', description: 'Separated by commas.' });
const usd = z.coerce.number<number>().positive();

const soldTypeSchema = z.object({
  instanceType: z.string(),
  gpuModel: z.string(),
  gpuCount: z.int(),
  /** Of all GPUs together. */
  vramGib: z.number(),
  /** Null where the provider does not say. */
  vcpu: z.number().nullable(),
  memoryGib: z.number().nullable(),
  usdPerHour: z.number(),
  spotUsdPerHour: z.number().nullable(),
  /** On demand; null when nothing is known of the GPU's speed. */
  usdPerSlide: z.number().nullable(),
  /** Where it is available now. */
  locations: z.array(z.string()),
  spotLocations: z.array(z.string()),
});

/** Rows of the provider's catalogue that could not be read and are missing here, a sentence each. */
const unreadableRows = z.array(z.string());
/** Providers of the fleet beside the one that was asked. */
const otherProviders = z.array(z.string());

export const tierListSchema = z
  .object({
    provider: z.string(),
    otherProviders,
    catalogueAt: time,
    /** False at a provider that never says what is free: the locations are those where a type is sold. */
    isAvailabilityKnown: z.boolean(),
    unreadableRows,
    /** Best tier first; a tier that is not sold has no types. */
    items: z.array(
      z.object({
        tier: z.string(),
        gpu: z.string(),
        /** Selectors that take types of this tier before those of any other. */
        selectors: z.array(z.string()),
        /** Lowest price on demand; null when it is not sold. */
        fromUsdPerHour: z.number().nullable(),
        types: z.array(soldTypeSchema),
      }),
    ),
    /** GPUs of no tier: to be had by their exact name or a wildcard. */
    others: z.array(soldTypeSchema),
  })
  .openapi('TierList');
export type TierList = z.infer<typeof tierListSchema>;

export const tiersQuerySchema = z.object({
  provider: z.string().optional().openapi({ description: "A provider of the fleet; by default the fleet's own." }),
});

export const capacityQuerySchema = z.object({
  instanceType: z.string().optional().openapi({ description: 'A type, or any selector.' }),
  location: z.string().optional(),
  market: marketChoice.default('ondemand'),
  ...tiersQuerySchema.shape,
});

/** The machine of an offer, and its price. */
const machineFields = {
  market,
  tier: z.string().nullable(),
  gpuModel: z.string(),
  gpuCount: z.int(),
  vramGib: z.number(),
  usdPerHour: z.number(),
};

export const availableSchema = z.object({
  provider: z.string(),
  location: z.string(),
  instanceType: z.string(),
  ...machineFields,
});

export const capacitySchema = z
  .object({
    provider: z.string(),
    otherProviders,
    /** When the provider said so: the older of two markets. */
    seenAt: time,
    /** False at a provider that never says what is free: the items are all that it sells. */
    isAvailabilityKnown: z.boolean(),
    unreadableRows,
    /** Why the selector takes no type at all; null when it takes one, available or not. */
    whyNothing: z.string().nullable(),
    /** What is available, dearest tier first. */
    items: z.array(availableSchema),
  })
  .openapi('Capacity');
export type Capacity = z.infer<typeof capacitySchema>;

export const planQuerySchema = z.object({
  pool: z
    .string()
    .optional()
    .openapi({ description: 'A pool of the fleet file; the other parameters replace its values.' }),
  selector: z.string().optional(),
  provider: z.string().optional().openapi({ description: 'Only offers of this provider.' }),
  market: marketChoice.optional(),
  locations: list.optional(),
  exclude: list.optional().openapi({ description: 'Types that are not taken, separated by commas.' }),
  maxUsdPerHour: usd.optional(),
  maxUsdPerDocument: usd.optional(),
  classes: list.pipe(z.array(z.enum(GPU_CLASSES)).min(1)).optional(),
});
export type PlanQuery = z.input<typeof planQuerySchema>;

export const plannedSchema = z.object({
  /** 1 = tried first; null = refused. */
  rank: z.int().nullable(),
  provider: z.string(),
  instanceType: z.string(),
  location: z.string(),
  ...machineFields,
  usdPerSlide: z.number().nullable(),
  secondsPerSlide: z.number().nullable(),
  fits: z.boolean(),
  /** Null = the provider did not say. */
  available: z.boolean().nullable(),
  refusal: z.string().nullable(),
  reason: z.string(),
  nextTryAt: time.nullable(),
});

export const planSchema = z
  .object({
    provider: z.string(),
    selector: z.string(),
    at: time,
    catalogueAt: time,
    unreadableRows,
    /** When the first refused offer may be tried again; null when waiting changes nothing. */
    nextTryAt: time.nullable(),
    /** What a machine must hold. */
    models: z.array(z.string()),
    slots: z.int(),
    neededVramGib: z.number(),
    /** Providers that did not answer, with their words: nothing is known of their offers. */
    unanswered: z.array(z.object({ provider: z.string(), message: z.string() })),
    /** Tiers of a ladder or tier selector, in the order in which they are tried, sold or not; empty for other selectors. */
    tiers: z.array(z.object({ tier: z.string(), gpu: z.string() })),
    /** Why the selector takes no type at all; null when it takes one, available or not. */
    whyNothing: z.string().nullable(),
    /** Every offer, those to be tried first in front. */
    offers: z.array(plannedSchema),
  })
  .openapi('Plan');
export type PlanDocument = z.infer<typeof planSchema>;

/** Answers of a provider, and of a fleet without one. */
const PROVIDER_PROBLEMS = [400, 402, 403, 422, 500, 502, 503] as const;

export const tiersRoute = route('get', '/fleet/tiers', {
  summary: 'The tiers of GPUs, best first, with the types that are sold in each.',
  request: { query: tiersQuerySchema },
  responses: { 200: json(tierListSchema, 'The tiers.'), ...problems(404, ...PROVIDER_PROBLEMS) },
});

export const capacityRoute = route('get', '/fleet/capacity', {
  summary: 'What is available now.',
  request: { query: capacityQuerySchema },
  responses: { 200: json(capacitySchema, 'What is available.'), ...problems(404, ...PROVIDER_PROBLEMS) },
});

export const planRoute = route('get', '/fleet/plan', {
  summary: 'The ladder of a selector: every offer with its place or the reason it has none.',
  request: { query: planQuerySchema },
  responses: { 200: json(planSchema, 'The ladder.'), ...problems(404, ...PROVIDER_PROBLEMS) },
});

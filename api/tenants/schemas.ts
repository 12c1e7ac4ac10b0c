/** What the routes of tenants take and give. */
import { z } from '@hono/zod-openapi';
import type { Tenant } from '../../generated/prisma/client.ts';
import { json, jsonBody, problems, route } from '../http/definition.ts';

const MAX_NAME = 100;
/** By their numbers: the OpenAPI document knows no flags, and without one there is no `\p{Cc}`. */
// oxlint-disable-next-line no-control-regex
const NO_CONTROL_CHARACTER = /^[^\u0000-\u001F\u007F-\u009F]*$/;

/** A tenant's name for machines: part of ids, search attributes and the fairness key of its work. */
export const tenantSlugSchema = z
  .string()
  .regex(/^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/, 'is not 1 to 40 lower-case letters, digits and inner hyphens');

/** A name for people: it is printed on terminals, which act on control characters. */
export const nameSchema = z
  .string()
  .trim()
  .min(1)
  .max(MAX_NAME)
  .regex(NO_CONTROL_CHARACTER, 'holds a control character');
/** The range that Temporal takes. */
const weightSchema = z.number().min(0.001).max(1000);

export const newTenantSchema = z
  .strictObject({ slug: tenantSlugSchema, name: nameSchema.optional(), weight: weightSchema.optional() })
  .openapi('NewTenant');
export type NewTenant = z.infer<typeof newTenantSchema>;

export const tenantChangeSchema = z
  .strictObject({ name: nameSchema.optional(), weight: weightSchema.optional() })
  .openapi('TenantChange');
export type TenantChange = z.infer<typeof tenantChangeSchema>;

export const tenantSchema = z
  .object({
    slug: z.string(),
    name: z.string(),
    /** Share of the GPUs beside other tenants that have work queued; 2 gets twice what 1 gets. */
    weight: z.number(),
    createdAt: z.string(),
  })
  .openapi('Tenant');
export type TenantDocument = z.infer<typeof tenantSchema>;

export const tenantListSchema = z.object({ items: z.array(tenantSchema) }).openapi('TenantList');

/** The document of a row. */
export function tenantDocument(row: Tenant): TenantDocument {
  return { slug: row.id, name: row.name, weight: row.fairnessWeight, createdAt: row.createdAt.toISOString() };
}

const one = (description: string) => json(tenantSchema, description);

export const createTenantRoute = route('post', '/tenants', {
  summary: 'Make a tenant, with templates, prompts, sectors and model configuration of its own.',
  request: { body: jsonBody(newTenantSchema) },
  responses: { 200: one('It was there already.'), 201: one('It is made.'), ...problems(400, 409) },
});

export const listRoute = route('get', '/tenants', {
  summary: 'All tenants.',
  responses: { 200: json(tenantListSchema, 'All of them.') },
});

export const changeRoute = route('patch', '/tenants/{slug}', {
  summary: 'Change the name or the weight of a tenant. The weight counts for work that is scheduled from then on.',
  request: { params: z.object({ slug: tenantSlugSchema }), body: jsonBody(tenantChangeSchema) },
  responses: { 200: one('It is changed.'), ...problems(400, 404) },
});

/** What the routes of API keys take and give. */
import { z } from '@hono/zod-openapi';
import { ApiRole } from '../../generated/prisma/enums.ts';
import type { ApiKey } from '../../generated/prisma/client.ts';
import { nameSchema, tenantSlugSchema } from '../tenants/schemas.ts';
import { documentOf, idParam, json, jsonBody, problems, route } from '../http/definition.ts';

export const apiRoleSchema = z.enum(ApiRole);

export const newKeySchema = z
  .strictObject({
    /** Its owner or purpose, for people. */
    name: nameSchema,
    role: apiRoleSchema,
    /** By default the tenant of the request. */
    tenant: tenantSlugSchema.optional(),
  })
  .openapi('NewApiKey');
export type NewApiKey = z.infer<typeof newKeySchema>;

export const apiKeySchema = z
  .object({
    id: z.string(),
    name: z.string(),
    role: apiRoleSchema,
    tenantId: z.string(),
    /** Its first characters, to tell keys apart. */
    prefix: z.string(),
    createdAt: z.string(),
    /** To the minute; null when it was never used. */
    lastUsedAt: z.string().nullable(),
    revokedAt: z.string().nullable(),
  })
  .openapi('ApiKey');
export type ApiKeyDocument = z.infer<typeof apiKeySchema>;

/** With the key itself. */
export const createdKeySchema = apiKeySchema.extend({ key: z.string() }).openapi('CreatedApiKey');
export type CreatedApiKeyDocument = z.infer<typeof createdKeySchema>;

export const apiKeyListSchema = z.object({ items: z.array(apiKeySchema) }).openapi('ApiKeyList');

/** The document of a row. */
export const apiKeyDocument = (row: ApiKey): ApiKeyDocument => documentOf(apiKeySchema, row);

export const createKeyRoute = route('post', '/keys', {
  summary: 'Make an API key. The key itself is shown only in this answer.',
  request: { body: jsonBody(newKeySchema) },
  responses: { 201: json(createdKeySchema, 'It is made.'), ...problems(400, 404) },
});

export const listRoute = route('get', '/keys', {
  summary: 'API keys of all tenants, also revoked ones, oldest first.',
  responses: { 200: json(apiKeyListSchema, 'All of them.') },
});

export const revokeRoute = route('delete', '/keys/{id}', {
  summary: 'Revoke an API key, with effect at once. Its sessions end with it.',
  request: {
    params: idParam,
    query: z.object({
      /** Also the last key of an operator. */
      force: z.stringbool().default(false).openapi({ type: 'boolean' }),
    }),
  },
  responses: { 200: json(apiKeySchema, 'It is revoked.'), ...problems(400, 404, 409) },
});

/** What the routes of sessions take and give. */
import { z } from '@hono/zod-openapi';
import { apiRoleSchema } from '../keys/schemas.ts';

const MAX_KEY = 200;
const MAX_NEXT = 2000;

/** A sign-in: as JSON by a program, as a form by the sign-in page. */
export const signInSchema = z
  .object({ key: z.string().trim().min(1).max(MAX_KEY), next: z.string().max(MAX_NEXT).optional() })
  .openapi('SignIn');

export const sessionSchema = z
  .object({
    tenantId: z.string(),
    role: apiRoleSchema,
    /** Id of the key; null where the API is open. */
    keyId: z.string().nullable(),
    /** Name of the key. */
    name: z.string(),
    /** When the session ends; null for a request with a key, and where the API is open. */
    expiresAt: z.string().nullable(),
  })
  .openapi('Session');
export type SessionDocument = z.infer<typeof sessionSchema>;

/** Which page a link that signs in leads to; by default the start page. */
export const newSignInLinkSchema = z.object({ next: z.string().max(MAX_NEXT).optional() }).openapi('NewSignInLink');

export const signInLinkSchema = z
  .object({
    /** For one browser on the machine that Deckhand runs on. */
    url: z.string(),
    /** Until when it works; null where the API is open, which needs no token. */
    expiresAt: z.iso.datetime().nullable(),
  })
  .openapi('SignInLink');
export type SignInLinkDocument = z.infer<typeof signInLinkSchema>;

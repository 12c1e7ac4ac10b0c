/** How the OpenAPI document describes an answer in JSON. */
import type { z } from '@hono/zod-openapi';

/** An answer whose body is of this schema. */
export const json = <S extends z.ZodType>(schema: S, description: string) => ({
  description,
  content: { 'application/json': { schema } },
});

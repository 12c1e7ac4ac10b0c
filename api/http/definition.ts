/** Parts of route definitions: how the OpenAPI document and the client see requests and answers. */
import { createRoute, type RouteConfig, z } from '@hono/zod-openapi';
import { ERROR_KINDS } from '../../domain/errors.ts';

export const PROBLEM_CONTENT_TYPE = 'application/problem+json';

export const problemSchema = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    /** One of the error codes. */
    code: z.string(),
    hint: z.string().optional(),
    /** Path of the request. */
    instance: z.string(),
  })
  .openapi('Problem');
export type Problem = z.infer<typeof problemSchema>;

/** A schema of the domain, named for the document. Made anew: whether the original knows `openapi` depends on which file was loaded first. */
export const named = <S extends z.ZodRawShape>({ shape }: z.ZodObject<S>, name: string) =>
  z.object(shape).openapi(name);

/** Values of a document as rows hold them: times, and numbers that may be large. */
type Stored<T> = {
  readonly [K in keyof T]: T[K] | (string extends T[K] ? Date : never) | (number extends T[K] ? bigint : never);
};

/** The document of a row: the values that its schema names, as JSON has them. Other columns of the row are left out. */
export function documentOf<S extends z.ZodRawShape>(
  schema: z.ZodObject<S>,
  row: Stored<z.output<z.ZodObject<S>>>,
): z.output<z.ZodObject<S>> {
  const shown = (value: unknown): unknown =>
    value instanceof Date ? value.toISOString() : typeof value === 'bigint' ? Number(value) : value;
  const values: Readonly<Record<string, unknown>> = { ...row };
  const entries = Object.keys(schema.shape).map((name) => [name, shown(values[name])]);
  return Object.fromEntries(entries) as z.output<z.ZodObject<S>>;
}

/** Parameter of a path. */
export const pathId = z.string().min(1).max(100);
/** Parameters of a path with an id. */
export const idParam = z.object({ id: pathId });
/** Parameters of a path with a name. */
export const nameParam = z.object({ name: pathId });

/** Parameters of a list that is read page by page. */
export const pageQuery = z.object({
  limit: z.coerce.number<number>().int().min(1).max(200).default(50),
  /** From `nextCursor` of the page before. */
  cursor: z.string().max(200).optional(),
});

/** The definition of a route, with its types to the last name: the client's types are derived from it. @param path below the prefix of its group */
export const route = <
  M extends RouteConfig['method'],
  P extends string,
  R extends Omit<RouteConfig, 'method' | 'path'>,
>(
  method: M,
  path: P,
  rest: R,
) => createRoute({ method, path, ...rest });

/** A request body in JSON that may not be left out. */
export const jsonBody = <S extends z.ZodType>(schema: S) => ({
  required: true as const,
  content: { 'application/json': { schema } },
});

/** A request body in JSON that may be left out. */
export const optionalJsonBody = <S extends z.ZodType>(schema: S) => ({ ...jsonBody(schema), required: false as const });

/** An answer in JSON. */
export const json = <S extends z.ZodType>(schema: S, description: string) => ({
  description,
  content: { 'application/json': { schema } },
});

/** An answer in JSON, or as content of other types. */
export const jsonOr = <S extends z.ZodType, C extends object>(schema: S, description: string, others: C) => ({
  description,
  content: { 'application/json': { schema }, ...others },
});

const contentOf = <T extends string>(types: readonly T[], schema: z.ZodString) =>
  // `fromEntries` forgets which keys it was given.
  Object.fromEntries(types.map((type) => [type, { schema }])) as Record<T, { schema: z.ZodString }>;

/** Content that is text of one of these types. */
export const texts = <T extends string>(...types: readonly T[]) => contentOf(types, z.string());

/** Content that is a file of one of these types. */
export const files = <T extends string>(...types: readonly T[]) =>
  contentOf(types, z.string().openapi({ format: 'binary' }));

/** Answers with a problem document, for the given error statuses. */
export function problems<S extends number>(
  ...statuses: readonly S[]
): Record<S, { description: string; content: { [PROBLEM_CONTENT_TYPE]: { schema: typeof problemSchema } } }> {
  const entry = (status: S) => {
    const codes = Object.entries(ERROR_KINDS).filter(([, kind]) => kind.httpStatus === status);
    const description = `Problem: ${codes.map(([code]) => code).join(', ')}`;
    return [status, { description, content: { [PROBLEM_CONTENT_TYPE]: { schema: problemSchema } } }] as const;
  };
  // `fromEntries` forgets which keys it was given.
  return Object.fromEntries(statuses.map(entry)) as ReturnType<typeof problems<S>>;
}

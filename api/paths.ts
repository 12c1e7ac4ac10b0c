/**
 * The routes as the client calls them, derived from their definitions: by path and method the parameters and the body that a route takes, and
 * what it answers. In the form of the types that openapi-typescript writes, which openapi-fetch reads.
 */
import type { z } from 'zod';

/** The modules that export definitions. */
type Modules =
  | typeof import('./alerts/schemas.ts')
  | typeof import('./calibration/schemas.ts')
  | typeof import('./companies/schemas.ts')
  | typeof import('./costs/budgets/schemas.ts')
  | typeof import('./costs/forecast-schemas.ts')
  | typeof import('./costs/report-schemas.ts')
  | typeof import('./costs/schemas.ts')
  | typeof import('./decks/analyses/schemas.ts')
  | typeof import('./decks/compare/schemas.ts')
  | typeof import('./decks/files/schemas.ts')
  | typeof import('./decks/list/schemas.ts')
  | typeof import('./decks/replays/schemas.ts')
  | typeof import('./decks/report/schemas.ts')
  | typeof import('./decks/schemas.ts')
  | typeof import('./decks/verdicts/schemas.ts')
  | typeof import('./events/schemas.ts')
  | typeof import('./fleet/fleet-schemas.ts')
  | typeof import('./fleet/log-schemas.ts')
  | typeof import('./fleet/reap-schemas.ts')
  | typeof import('./fleet/selection-schemas.ts')
  | typeof import('./fleet/volume-schemas.ts')
  | typeof import('./health/health-schemas.ts')
  | typeof import('./http/liveness-schemas.ts')
  | typeof import('./keys/schemas.ts')
  | typeof import('./models/schemas.ts')
  | typeof import('./people/schemas.ts')
  | typeof import('./rollouts/schemas.ts')
  | typeof import('./samples/schemas.ts')
  | typeof import('./schedules/schemas.ts')
  | typeof import('./session/schemas.ts')
  | typeof import('./targets/schemas.ts')
  | typeof import('./tenants/schemas.ts')
  | typeof import('./views/schemas.ts')
  | typeof import('./webhooks/schemas.ts');

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** Parts of a definition that the client uses. */
interface Definition {
  readonly method: Method;
  readonly path: string;
  readonly responses: object;
}

/** Every definition that one of the modules exports. */
type Known<M = Modules> = M extends unknown
  ? { [Name in keyof M]: M[Name] extends Definition ? M[Name] : never }[keyof M]
  : never;

type RequestOf<D> = D extends { readonly request: infer Request } ? Request : {};

/** A part of the parameters, which may be left out where nothing in it is required. */
type ParametersOf<Request, From extends string, Name extends string> =
  Request extends Record<From, infer Schema extends z.ZodType>
    ? {} extends z.input<Schema>
      ? { readonly [N in Name]?: z.input<Schema> }
      : { readonly [N in Name]: z.input<Schema> }
    : {};

type BodyOf<Request> = Request extends {
  readonly body: { readonly required?: infer Required; readonly content: infer C };
}
  ? false extends Required
    ? { readonly requestBody?: { readonly content: Sent<C> } }
    : { readonly requestBody: { readonly content: Sent<C> } }
  : {};

/** Bodies that a client sends, by content type: before the defaults and transformations of the schema. */
type Sent<Content> = {
  [Type in keyof Content]: Type extends 'multipart/form-data'
    ? FormData
    : Content[Type] extends { readonly schema: infer Schema extends z.ZodType }
      ? z.input<Schema>
      : never;
};

/** Bodies that the API answers, by content type. */
type Answered<Content> = {
  [Type in keyof Content]: Content[Type] extends { readonly schema: infer Schema extends z.ZodType }
    ? z.output<Schema>
    : never;
};

interface Operation<D extends Definition> {
  parameters: ParametersOf<RequestOf<D>, 'params', 'path'> &
    ParametersOf<RequestOf<D>, 'query', 'query'> &
    ParametersOf<RequestOf<D>, 'headers', 'header'>;
  responses: {
    [Status in keyof D['responses']]: D['responses'][Status] extends { readonly content: infer Content }
      ? { readonly content: Answered<Content> }
      : { readonly content?: never };
  };
}

/** The routes that have a method, by their path below `/api/v1`. */
export type Routes<M extends Method> = {
  [D in Extract<Known, { readonly method: M }> as D['path']]: Record<M, Operation<D> & BodyOf<RequestOf<D>>>;
};

/** The JSON that a route answers. */
export type Answer<M extends Method, P extends keyof Routes<M>> =
  Extract<Known, { readonly method: M; readonly path: P }> extends {
    readonly responses: {
      readonly 200: { readonly content: { readonly 'application/json': { readonly schema: infer S } } };
    };
  }
    ? z.output<S>
    : never;

/**
 * The routes as the client calls them, derived from their definitions: by path and method the parameters and the body that a route takes, and
 * what it answers. In the form of the types that openapi-typescript writes, which openapi-fetch reads.
 */
import type { z } from 'zod';
import type * as alerts from './alerts/schemas.ts';
import type * as calibration from './calibration/schemas.ts';
import type * as companies from './companies/schemas.ts';
import type * as budgets from './costs/budgets/schemas.ts';
import type * as costForecast from './costs/forecast-schemas.ts';
import type * as costReports from './costs/report-schemas.ts';
import type * as costs from './costs/schemas.ts';
import type * as analyses from './decks/analyses/schemas.ts';
import type * as comparison from './decks/compare/schemas.ts';
import type * as deckFiles from './decks/files/schemas.ts';
import type * as deckList from './decks/list/schemas.ts';
import type * as replays from './decks/replays/schemas.ts';
import type * as reports from './decks/report/schemas.ts';
import type * as decks from './decks/schemas.ts';
import type * as verdicts from './decks/verdicts/schemas.ts';
import type * as events from './events/schemas.ts';
import type * as fleet from './fleet/fleet-schemas.ts';
import type * as logs from './fleet/log-schemas.ts';
import type * as reaper from './fleet/reap-schemas.ts';
import type * as selection from './fleet/selection-schemas.ts';
import type * as volumes from './fleet/volume-schemas.ts';
import type * as health from './health/health-schemas.ts';
import type * as liveness from './http/liveness-schemas.ts';
import type * as keys from './keys/schemas.ts';
import type * as models from './models/schemas.ts';
import type * as people from './people/schemas.ts';
import type * as rollouts from './rollouts/schemas.ts';
import type * as samples from './samples/schemas.ts';
import type * as schedules from './schedules/schemas.ts';
import type * as session from './session/schemas.ts';
import type * as targets from './targets/schemas.ts';
import type * as tenants from './tenants/schemas.ts';
import type * as views from './views/schemas.ts';
import type * as webhooks from './webhooks/schemas.ts';

/** The modules that export definitions. */
type Modules =
  | typeof alerts
  | typeof calibration
  | typeof companies
  | typeof budgets
  | typeof costForecast
  | typeof costReports
  | typeof costs
  | typeof analyses
  | typeof comparison
  | typeof deckFiles
  | typeof deckList
  | typeof replays
  | typeof reports
  | typeof decks
  | typeof verdicts
  | typeof events
  | typeof fleet
  | typeof logs
  | typeof reaper
  | typeof selection
  | typeof volumes
  | typeof health
  | typeof liveness
  | typeof keys
  | typeof models
  | typeof people
  | typeof rollouts
  | typeof samples
  | typeof schedules
  | typeof session
  | typeof targets
  | typeof tenants
  | typeof views
  | typeof webhooks;

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

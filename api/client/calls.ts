/**
 * Calls of the API with the types of its routes, over openapi-fetch: `GET('/decks/{id}', { params: { path: { id } } })` takes and answers what the
 * definition of the route says. Runs in the browser as well, so it imports nothing else of this API but types.
 */
import createClient, { type ClientOptions, type FetchResponse, type MaybeOptionalInit } from 'openapi-fetch';
import type { Method, Routes } from '../paths.ts';

type Json = 'application/json';

/** The error that an answer that is not 2xx stands for. `body` is its JSON, or its text where it is none. */
export type ErrorOf = (response: Response, body: unknown) => Error;

type RequiredKeys<T> = { [K in keyof T]: {} extends Pick<T, K> ? never : K }[keyof T];
/** The options of a call in the form that openapi-fetch gives them: they may be left out where none is required. */
type Options<Init> = (RequiredKeys<Init> extends undefined ? never : RequiredKeys<Init>) extends never
  ? [(Init & { [key: string]: unknown })?]
  : [Init & { [key: string]: unknown }];

type Operations<M extends Method> = Record<string, Record<M, object>>;
type Send<M extends Method, All extends Operations<M>> = <
  P extends keyof All,
  Init extends MaybeOptionalInit<All[P], M>,
>(
  path: P,
  ...options: Options<Init>
) => Promise<FetchResponse<All[P][M], Init, Json>>;

/** A method of openapi-fetch that answers the document alone and throws what is refused. Its parameters and its body are checked to the last name. */
function answering<M extends Method, All extends Operations<M>, Extra>(send: Send<M, All>, errorOf: ErrorOf) {
  return async <P extends keyof All>(path: P, ...options: Options<MaybeOptionalInit<All[P], M> & Extra>) => {
    const answer = await send<P, MaybeOptionalInit<All[P], M> & Extra>(path, ...options);
    if ('error' in answer) throw errorOf(answer.response, answer.error);
    return answer.data;
  };
}

/** Calls of every route. They throw what `errorOf` and `options.fetch` say. */
export type Calls = ReturnType<typeof createCalls>;

/** Makes the calls. @param options address with the prefix, and the fetch */
export function createCalls(options: ClientOptions, errorOf: ErrorOf) {
  const settings = { ...options, headers: { accept: 'application/json' } };
  const get = createClient<Routes<'get'>, Json>(settings).GET;
  return {
    GET: answering<'get', Routes<'get'>, unknown>(get, errorOf),
    POST: answering<'post', Routes<'post'>, unknown>(createClient<Routes<'post'>, Json>(settings).POST, errorOf),
    PUT: answering<'put', Routes<'put'>, unknown>(createClient<Routes<'put'>, Json>(settings).PUT, errorOf),
    PATCH: answering<'patch', Routes<'patch'>, unknown>(createClient<Routes<'patch'>, Json>(settings).PATCH, errorOf),
    DELETE: answering<'delete', Routes<'delete'>, unknown>(
      createClient<Routes<'delete'>, Json>(settings).DELETE,
      errorOf,
    ),
    /** A document that is no JSON. */
    text: answering<'get', Routes<'get'>, { readonly parseAs: 'text' }>(get, errorOf),
    /** A file. */
    blob: answering<'get', Routes<'get'>, { readonly parseAs: 'blob' }>(get, errorOf),
    /** The body of an answer while it arrives. */
    stream: answering<'get', Routes<'get'>, { readonly parseAs: 'stream' }>(get, errorOf),
  };
}

/**
 * The network's other end for tests of the Google provider: a `fetch` that answers from a script by route, and a virtual clock.
 */
import { GOOGLE, type GoogleProviderOptions } from '../../../../clouds/google/provider.ts';
import { googleSettingsSchema } from '../../../../clouds/google/settings.ts';
import type { AuthorizedUser } from '../../../../clouds/google/credentials.ts';
import type { CloudProvider, ImageRequest } from '../../../../clouds/provider.ts';
import { makeImageRequest } from '../../../../testing/image-request.ts';
import { virtualClock, type ScriptedAnswer, type VirtualClock } from '../scripted-api.ts';

/** A request as it was sent. */
export interface SeenCall {
  readonly method: string;
  /** Below the project, or the whole path of another service. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: unknown;
  readonly headers: Headers;
}

/** Answers by `METHOD path`, in which `*` stands for one part; `nth` counts the calls of that route, from 1. */
export type GoogleScript = Readonly<Record<string, (call: SeenCall, nth: number) => ScriptedAnswer>>;

export interface GoogleRig {
  readonly provider: CloudProvider;
  readonly clock: VirtualClock;
  readonly seen: readonly SeenCall[];
  /** Calls of a route. */
  readonly of: (route: string) => readonly SeenCall[];
}

export const PROJECT = 'deckhand-tests';
export const SECRET = 'a-very-secret-refresh-token';
export const CREDENTIALS: AuthorizedUser = {
  kind: 'authorized_user',
  clientId: 'an-id',
  clientSecret: 'a-very-secret-client-secret',
  refreshToken: SECRET,
  tokenUrl: 'https://oauth2.googleapis.com/token',
};
export const TOKEN = 'ya29.a-very-secret-access-token';
export const ZONE = 'europe-west4-a';

/** A refusal as an answer. */
export const refusal = (status: number, reason: string, message = 'no'): ScriptedAnswer => ({
  status,
  body: { error: { code: status, message, errors: [{ message, domain: 'global', reason }] } },
});

/** An operation of a zone. */
export const operation = (fields: Readonly<Record<string, unknown>> = {}): ScriptedAnswer => ({
  body: {
    kind: 'compute#operation',
    name: 'operation-1',
    zone: `https://www.googleapis.com/compute/v1/projects/${PROJECT}/zones/${ZONE}`,
    operationType: 'insert',
    targetLink: `https://www.googleapis.com/compute/v1/projects/${PROJECT}/zones/${ZONE}/instances/dh-test1-visual-1`,
    status: 'DONE',
    insertTime: '2026-10-01T00:00:00.000-00:00',
    ...fields,
  },
});

/** An operation that ended with an error. */
export const failed = (code: string, message = 'no', more: Readonly<Record<string, unknown>> = {}): ScriptedAnswer =>
  operation({ error: { errors: [{ code, message, ...more }] }, endTime: '2026-10-01T00:00:00.000-00:00' });

const asPattern = (route: string): RegExp =>
  new RegExp(`^${route.replaceAll(/[.+?^${}()|[\]\\]/gu, '\\$&').replaceAll('*', '[^/]+')}$`, 'u');

/** The provider, answered by a script. */
export function scriptedGoogle(script: GoogleScript, options: Partial<GoogleProviderOptions> = {}): GoogleRig {
  const clock = virtualClock();
  const seen: SeenCall[] = [];
  const routes = Object.entries(script).map(([route, answer]) => ({
    route,
    pattern: asPattern(route),
    answer,
    nth: 0,
  }));
  const answered = (input: string, init: RequestInit): Response => {
    const url = new URL(input);
    const path = url.pathname.replace(`/compute/v1/projects/${PROJECT}`, '');
    const method = init.method ?? 'GET';
    if (path === '/token' && script['POST /token'] === undefined)
      return Response.json({ access_token: TOKEN, expires_in: 3600, token_type: 'Bearer' });
    const text = typeof init.body === 'string' ? init.body : '';
    const call: SeenCall = {
      method,
      path,
      query: url.searchParams,
      body:
        path === '/token' ? Object.fromEntries(new URLSearchParams(text)) : text === '' ? undefined : JSON.parse(text),
      headers: new Headers(init.headers),
    };
    seen.push(call);
    const found = routes.find(({ pattern }) => pattern.test(`${method} ${path}`));
    if (found === undefined) throw new Error(`the script has no answer to ${method} ${path}`);
    found.nth += 1;
    const { status = 200, body = {}, headers = {}, drop = false } = found.answer(call, found.nth);
    if (drop) throw new TypeError('fetch failed');
    return new Response(typeof body === 'string' ? body : JSON.stringify(body), { status, headers });
  };
  const provider = GOOGLE.open({
    settings: googleSettingsSchema.parse({ regions: ['europe-west4'] }),
    project: PROJECT,
    credentials: CREDENTIALS,
    installationId: 'test1',
    fetch: (input, init) => Promise.resolve().then(() => answered(input, init)),
    now: clock.now,
    pause: clock.pause,
    random: () => 0.5,
    ...options,
  });
  return {
    provider,
    clock,
    seen,
    of: (route) => seen.filter(({ method, path }) => asPattern(route).test(`${method} ${path}`)),
  };
}

/** What prepareCreate gives. */
export const PREPARATION = {
  network: 'global/networks/default',
  subnetwork: '',
  networkTag: 'dh-test1',
  image: 'projects/images/global/images/ubuntu-v1',
  osVolumeGib: '100',
  disk: '',
};

export const requestOf = (change: Partial<ImageRequest> = {}): ImageRequest =>
  makeImageRequest({
    description: 'Deckhand visual-1, pool visual',
    instanceType: 'g2-standard-4',
    location: ZONE,
    boot: {
      image: 'images/ubuntu',
      sshKey: { id: null, text: 'ssh-ed25519 AAAA deckhand' },
      startupScript: { id: null, text: '#!/bin/sh\ntrue\n' },
    },
    tags: { instance: 'visual-1', intent: 'visual-1/1' },
    ...change,
  });

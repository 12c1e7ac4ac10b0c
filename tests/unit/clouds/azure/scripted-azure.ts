/**
 * The network's other end for tests of the Azure provider: one address for all services over real sockets, which answers from a script by
 * method and path.
 */
import type { IncomingMessage } from 'node:http';
import { createAzureTransport, type AzureTransport } from '../../../../clouds/azure/http/transport.ts';
import type { ConnectionOptions } from '../../../../clouds/http/connection.ts';
import { AZURE, type AzureProviderOptions } from '../../../../clouds/azure/provider.ts';
import { azureSettingsSchema } from '../../../../clouds/azure/settings.ts';
import type { CloudProvider, ImageRequest } from '../../../../clouds/provider.ts';
import { makeImageRequest } from '../../../../testing/image-request.ts';
import { clockOptions, scriptedServer, virtualClock, type ScriptedAnswer, type VirtualClock } from '../scripted-api.ts';

/** A request as the server got it. */
export interface SeenCall {
  /** Method and the end of the path: `GET virtualMachines/dh-abc1-visual-1-1`, `POST token`, `GET prices`. */
  readonly route: string;
  readonly url: URL;
  readonly text: string;
  readonly headers: IncomingMessage['headers'];
}

/** Answers by route; `nth` counts the calls of that route, from 1. A route that ends with `*` stands for all that begin so. */
export type AzureScript = Readonly<Record<string, (call: SeenCall, nth: number) => ScriptedAnswer>>;

export interface ScriptedAzure {
  readonly baseUrl: string;
  readonly seen: readonly SeenCall[];
  /** Calls of a route, which may end with `*`. */
  readonly of: (route: string) => readonly SeenCall[];
}

export const SECRET = 'a-very-secret-client-secret';
export const CREDENTIALS = {
  tenantId: 'tenant-1',
  clientId: 'client-1',
  clientSecret: SECRET,
  subscriptionId: 'sub-1',
};
export const TOKEN = 'a-very-secret-access-token';

/** A refusal as the management API writes it. */
export const refusal = (code: string, message = 'no', status = 409): ScriptedAnswer => ({
  status,
  body: { error: { code, message } },
});

const routeOf = (method: string, path: string): string => {
  if (path.endsWith('/token')) return 'POST token';
  if (path.includes('/retail/')) return 'GET prices';
  return `${method} ${path.replace(/^.*\/providers\/Microsoft\.\w+\//iu, '').replace(/^\/subscriptions\/sub-1\/?/u, '')}`;
};

const fits = (pattern: string, route: string): boolean =>
  pattern.endsWith('*') ? route.startsWith(pattern.slice(0, -1)) && route.length >= pattern.length : pattern === route;

/** Starts a server that ends with the test. It gives tokens by itself; what has no script is answered by 501. */
export async function scriptedAzure(script: AzureScript): Promise<ScriptedAzure> {
  const seen: SeenCall[] = [];
  const origin = await scriptedServer(({ url: path = '', method = '', headers }, text) => {
    const url = new URL(path, 'http://127.0.0.1');
    const call = { route: routeOf(method, url.pathname), url, text, headers };
    seen.push(call);
    const nth = seen.filter(({ route }) => route === call.route).length;
    const found = Object.entries(script).find(([pattern]) => fits(pattern, call.route))?.[1];
    const isToken = call.route === 'POST token';
    const given: ScriptedAnswer =
      found?.(call, nth) ??
      (isToken
        ? { body: { access_token: TOKEN, expires_in: 3599 } }
        : { status: 501, body: `no script for ${call.route}` });
    return { ...given, headers: { 'content-type': 'application/json', ...given.headers } };
  });
  return {
    baseUrl: origin,
    seen,
    of: (pattern) => seen.filter(({ route }) => fits(pattern, route)),
  };
}

/** The transport of a scripted server on a virtual clock, with pauses that do not vary. */
export const transportOf = (
  { baseUrl }: Pick<ScriptedAzure, 'baseUrl'>,
  clock: VirtualClock = virtualClock(),
  options: ConnectionOptions = {},
): AzureTransport => createAzureTransport({ baseUrl, credentials: CREDENTIALS, ...clockOptions(clock), ...options });

/** A provider of a scripted server. */
export const providerOf = (
  { baseUrl }: Pick<ScriptedAzure, 'baseUrl'>,
  clock: VirtualClock = virtualClock(),
  options: Partial<AzureProviderOptions> = {},
): CloudProvider =>
  AZURE.open({
    settings: azureSettingsSchema.parse({ locations: ['northeurope', 'westeurope'], baseUrl }),
    credentials: CREDENTIALS,
    installationId: 'abc1',
    ...clockOptions(clock),
    ...options,
  });

/** A create of a first boot. */
export const requestOf = (change: Partial<ImageRequest> = {}): ImageRequest =>
  makeImageRequest({
    hostname: 'dh-abc1-visual-1-1',
    instanceType: 'Standard_NC24ads_A100_v4',
    location: 'northeurope',
    boot: {
      image: 'microsoft-dsvm:ubuntu-hpc:2204:latest',
      sshKey: { id: null, text: 'ssh-ed25519 AAAA test' },
      startupScript: { id: null, text: '#!/bin/sh\ntrue\n' },
    },
    tags: { instance: 'visual-1', intent: 'visual-1/1' },
    ...change,
  });

/** What a prepared create has. */
export const PREPARATION = {
  image: 'microsoft-dsvm:ubuntu-hpc:2204:latest',
  osDiskId: '',
  subnetId: '/subscriptions/sub-1/resourceGroups/g/providers/Microsoft.Network/virtualNetworks/v/subnets/machines',
  securityGroupId: '/subscriptions/sub-1/resourceGroups/g/providers/Microsoft.Network/networkSecurityGroups/s',
};

export const idOf = (type: string, name: string, group = 'deckhand-abc1'): string =>
  `/subscriptions/sub-1/resourceGroups/${group}/providers/${type}/${name}`;

/** A piece of a network that is ready. */
export const piece = (type: string, name: string): ScriptedAnswer => ({
  body: { id: idOf(`Microsoft.Network/${type}`, name), name, properties: { provisioningState: 'Succeeded' } },
});

/** Answers to everything that a create asks before the machine. */
export const NETWORK: AzureScript = {
  'PUT publicIPAddresses/*': () => piece('publicIPAddresses', 'ip'),
  'PUT networkInterfaces/*': () => piece('networkInterfaces', 'nic'),
  'DELETE publicIPAddresses/*': () => ({ status: 202 }),
  'DELETE networkInterfaces/*': () => ({ status: 202 }),
};

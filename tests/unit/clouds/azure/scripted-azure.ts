/**
 * The network's other end for tests of the Azure provider: one address for all services over real sockets, which answers from a script by
 * method and path.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text as readAll } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { createMemoryRateLimit } from '../../../../clouds/call-rate-limit.ts';
import { createAzureTransport, type AzureTransport } from '../../../../clouds/azure/http/transport.ts';
import type { OnRows } from '../../../../clouds/http/connection.ts';
import { AZURE, type AzureProviderOptions } from '../../../../clouds/azure/provider.ts';
import { azureSettingsSchema } from '../../../../clouds/azure/settings.ts';
import type { CloudProvider, ImageRequest } from '../../../../clouds/provider.ts';
import { virtualClock, type VirtualClock } from '../scripted-api.ts';

/** A request as the server got it. */
export interface SeenCall {
  /** Method and the end of the path: `GET virtualMachines/dh-abc1-visual-1-1`, `POST token`, `GET prices`. */
  readonly route: string;
  readonly url: URL;
  readonly text: string;
  readonly headers: IncomingMessage['headers'];
}

/** What it answers: JSON of a 200, or all of it; `drop` closes the connection without an answer. */
export interface ScriptedAnswer {
  readonly status?: number;
  readonly body?: unknown;
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly drop?: boolean;
}

/** Answers by route; `nth` counts the calls of that route, from 1. A route that ends with `/*` stands for all names. */
export type AzureScript = Readonly<Record<string, (call: SeenCall, nth: number) => ScriptedAnswer>>;

export interface ScriptedAzure {
  readonly baseUrl: string;
  readonly seen: readonly SeenCall[];
  /** Calls of a route, which may end with `/*`. */
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
  pattern.endsWith('/*') ? route.startsWith(pattern.slice(0, -1)) && route.length >= pattern.length : pattern === route;

/** Starts a server that ends with the test. It gives tokens by itself; what has no script is answered by 501. */
export async function scriptedAzure(script: AzureScript): Promise<ScriptedAzure> {
  const seen: SeenCall[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '', 'http://127.0.0.1');
    const call = {
      route: routeOf(request.method ?? '', url.pathname),
      url,
      text: await readAll(request),
      headers: request.headers,
    };
    seen.push(call);
    const nth = seen.filter(({ route }) => route === call.route).length;
    const found = Object.entries(script).find(([pattern]) => fits(pattern, call.route))?.[1];
    const isToken = call.route === 'POST token';
    const given =
      found?.(call, nth) ??
      (isToken
        ? { body: { access_token: TOKEN, expires_in: 3599 } }
        : { status: 501, text: `no script for ${call.route}` });
    if (given.drop === true) {
      response.destroy();
      return;
    }
    response.writeHead(given.status ?? 200, { 'content-type': 'application/json', ...given.headers });
    response.end(given.text ?? (given.body === undefined ? '' : JSON.stringify(given.body)));
  };
  const server = createServer((request, response) => void answer(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  return {
    baseUrl: `http://127.0.0.1:${address.port}`,
    seen,
    of: (pattern) => seen.filter(({ route }) => fits(pattern, route)),
  };
}

/** The transport of a scripted server on a virtual clock, with pauses that do not vary. */
export function transportOf(
  api: Pick<ScriptedAzure, 'baseUrl'>,
  clock: VirtualClock = virtualClock(),
  onRows: OnRows = () => undefined,
): AzureTransport {
  const { now, pause } = clock;
  return createAzureTransport({
    baseUrl: api.baseUrl,
    credentials: CREDENTIALS,
    rateLimit: createMemoryRateLimit({ now, pause }),
    fetch,
    now,
    pause,
    random: () => 0.5,
    onRows,
  });
}

/** A provider of a scripted server. */
export function providerOf(
  api: Pick<ScriptedAzure, 'baseUrl'>,
  clock: VirtualClock = virtualClock(),
  options: Partial<AzureProviderOptions> = {},
): CloudProvider {
  const { now, pause } = clock;
  return AZURE.open({
    settings: azureSettingsSchema.parse({ locations: ['northeurope', 'westeurope'], baseUrl: api.baseUrl }),
    credentials: CREDENTIALS,
    installationId: 'abc1',
    now,
    pause,
    random: () => 0.5,
    ...options,
  });
}

/** A create of a first boot. */
export const requestOf = (change: Partial<ImageRequest> = {}): ImageRequest => ({
  hostname: 'dh-abc1-visual-1-1',
  description: 'a test',
  instanceType: 'Standard_NC24ads_A100_v4',
  location: 'northeurope',
  market: 'ondemand',
  boot: {
    kind: 'image',
    image: 'microsoft-dsvm:ubuntu-hpc:2204:latest',
    osVolumeName: 'dh-abc1-visual-1-1-os',
    osVolumeGib: 100,
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

/** Endpoint pools in the fleet file: what is accepted, what contradicts itself, and the pools that come of it. */
import { expect, it } from 'vitest';
import type { Fleet } from '../../../clouds/fleet.ts';
import {
  endpointOrigin,
  endpointReach,
  endpointSchema,
  endpointServing,
} from '../../../domain/fleet/pool/endpoint-config.ts';
import { poolSetups } from '../../../workers/control/start-pools.ts';
import { loadFleetFile } from './load-fleet-file.ts';

const DIGEST = `registry.example.com/deckhand-visual@sha256:${'a'.repeat(64)}`;

const load = (fleet: object): Fleet => loadFleetFile({ installationId: 'inst', ...fleet });
const pool = (settings: object) => ({ name: 'visual', classes: ['gpu-visual'], ...settings });
const DEPLOYMENT = { image: DIGEST, compute: 'H100' };
const atUrl = { url: 'https://models.example.com/x' };
const setups = (fleet: object) =>
  poolSetups(
    {
      staticHosts: undefined,
      ollamaHost: undefined,
      modelConcurrency: 4,
      fleetFile: 'f',
      temporalUiUrl: undefined,
      models: 'reader',
    },
    load(fleet),
  );

it.each([
  ['neither a URL nor a deployment', { endpoint: {} }, /either "url" or "deployment"/u],
  ['both', { endpoint: { ...atUrl, deployment: DEPLOYMENT } }, /either "url" or "deployment"/u],
  ['a selector', { selector: 'a100-80', endpoint: atUrl }, /"selector" and "endpoint" contradict each other/u],
  ['locations', { locations: ['FIN-01'], endpoint: atUrl }, /"locations" and "endpoint" contradict/u],
  ['providers beside a URL', { providers: ['aws'], endpoint: atUrl }, /"providers" and "endpoint.url" contradict/u],
  ['a moving image', { endpoint: { deployment: { image: 'a/b:latest', compute: 'H100' } } }, /other than latest/u],
  [
    'an image without a tag',
    { endpoint: { deployment: { image: 'a.b:5000/c', compute: 'H100' } } },
    /other than latest/u,
  ],
  ['a key in the file', { endpoint: { ...atUrl, key: 'Bearer abc' } }, /endpoint.key: must be up to 31/u],
  [
    'a secret that is given as well',
    { endpoint: { deployment: { ...DEPLOYMENT, env: { A: '1' }, secrets: { A: 'a' } } } },
    /A is in "env" and in "secrets"/u,
  ],
  [
    'leave for slides to go to a deployment',
    { endpoint: { dataLeavesHost: true, deployment: DEPLOYMENT } },
    /"dataLeavesHost" belongs to "url"/u,
  ],
  ['an engine', { engine: 'vllm', endpoint: atUrl }, /"engine" and "endpoint" contradict each other/u],
  ['any market', { market: 'any', endpoint: { deployment: DEPLOYMENT } }, /either "ondemand" or "spot"/u],
])('an endpoint pool with %s is refused by name', (_, settings, words) =>
  expect(() => load({ provider: 'datacrunch', pools: [pool(settings)] })).toThrow(words),
);

it('a pool of vLLM with a filesystem of models is refused by name: they are those of Ollama', () => {
  const sharedFilesystem = { volumeId: 'v', mountPath: '/mnt/models' };
  expect(() => load({ provider: 'datacrunch', pools: [pool({ engine: 'vllm', sharedFilesystem })] })).toThrow(
    /"engine": "vllm" and "sharedFilesystem" contradict each other/u,
  );
});

it('results say what is known of an endpoint: an image by digest, an image by name only, or nothing but its own word', () => {
  const deployed = (image: string) => endpointOrigin(endpointSchema.parse({ deployment: { image, compute: 'H100' } }));
  expect(deployed(DIGEST)).toBe(`image ${DIGEST}`);
  expect(deployed('a/b:1')).toBe('image a/b:1, by name only');
  expect(endpointOrigin(endpointSchema.parse(atUrl))).toBe('at https://models.example.com/x, by its own word');
});

it.each([
  [atUrl, 'inside'],
  [{ ...atUrl, dataLeavesHost: true }, 'allowed'],
  [{ deployment: DEPLOYMENT }, 'ours'],
])('the endpoint %j may be %s', (endpoint, reach) => {
  expect(endpointReach(endpointSchema.parse(endpoint))).toBe(reach);
});

const plain = { kind: 'endpoint', key: null, keyHeader: 'authorization', healthPath: null };
it.each([
  [atUrl, { reach: 'inside' }, {}],
  [{ ...atUrl, kind: 'ollama', dataLeavesHost: true }, { reach: 'allowed' }, {}],
  [{ ...atUrl, kind: 'openai', slotsPerReplica: 7 }, { reach: 'inside' }, { serverKind: 'openai', slots: 7 }],
  [
    { ...atUrl, keyFile: '/run/key', keyHeader: 'x-key', healthPath: '/up' },
    { reach: 'inside', keyFile: '/run/key', keyHeader: 'x-key', healthPath: '/up' },
    {},
  ],
  [{ ...atUrl, key: 'dc' }, { reach: 'inside', key: 'dc' }, {}],
  // A replica's health path is asked by Deckhand only at the port of the model server.
  [{ deployment: DEPLOYMENT }, { reach: 'ours' }, {}],
  [
    { deployment: { ...DEPLOYMENT, healthPort: 11_434, healthPath: '/api/version' } },
    { reach: 'ours', healthPath: '/api/version' },
    {},
  ],
])('a gateway serves the endpoint %j with all of its settings', (settings, endpoint, more) => {
  const parsed = endpointSchema.parse(settings);
  const url = 'http://replica.example.com';
  const origin = endpointOrigin(parsed);
  expect(endpointServing(parsed, url)).toEqual({ endpoint: { ...plain, url, origin, ...endpoint }, ...more });
});

it('a deployment is refused at a provider that has none, and where no provider is named', () => {
  const endpoint = { deployment: DEPLOYMENT };
  expect(() =>
    load({ provider: 'aws', providers: { aws: { regions: ['eu-central-1'] } }, pools: [pool({ endpoint })] }),
  ).toThrow(/deployment at aws, which has none/u);
  expect(() => load({ pools: [pool({ endpoint })] })).toThrow(/deployment at static, which has none/u);
});

it('a deployment is rented where the fleet rents, or at the provider that the pool names; also in a fleet without one', () => {
  const endpoint = { deployment: { ...DEPLOYMENT, computeSize: 2 } };
  const expected = {
    provider: 'datacrunch-containers',
    config: { selector: '2xH100', max: 3 },
    capabilities: { billing: { quantumSec: 600, refundsUnused: false } },
    staticHosts: [],
  };
  expect(setups({ provider: 'datacrunch', pools: [pool({ max: 3, endpoint })] })).toMatchObject([expected]);
  const named = pool({ max: 3, providers: ['datacrunch'], endpoint });
  expect(setups({ pools: [named] })).toMatchObject([expected]);
  // Credentials alone rent nothing, and without an installation id nothing is rented.
  expect(() => load({ installationId: null, pools: [named] })).toThrow(/no installationId is set/u);
});

it('an endpoint at a URL is one server that runs already, in a fleet of any provider and in one without', () => {
  const endpoint = { ...atUrl, slotsPerReplica: 9 };
  const rented = setups({ provider: 'datacrunch', pools: [pool({}), pool({ name: 'text', endpoint })] });
  expect(rented).toMatchObject([
    { provider: 'datacrunch', slots: 4, staticHosts: [] },
    { provider: 'static', slots: 9, staticHosts: [atUrl.url], config: { name: 'text', min: 1, max: 1 } },
  ]);
  const alone = setups({ pools: [pool({ endpoint })] });
  expect(alone.map((s) => s.config.name)).toEqual(['visual']);
  const beside = setups({ pools: [pool({ name: 'own' }), pool({ endpoint })] });
  expect(beside.map((s) => [s.config.name, s.staticHosts])).toEqual([
    ['own', ['http://127.0.0.1:11434']],
    ['visual', [atUrl.url]],
  ]);
});

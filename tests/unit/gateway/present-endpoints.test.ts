/** Which settings an attachment goes by: those that its pool has now, and never a permission that was withdrawn. */
import { expect, it } from 'vitest';
import type { ServeInput } from '../../../contracts/instance.ts';
import { endpointSchema, endpointServing } from '../../../domain/fleet/pool/endpoint-config.ts';
import { poolConfigSchema } from '../../../domain/fleet/pool/pool-config.ts';
import { withPresentSettings } from '../../../workers/gateway/present-endpoints.ts';

const url = 'https://models.example.com';
const DEPLOYMENT = { image: 'a/b:1', compute: 'H100' };

const poolOf = (endpoint: object, name = 'visual') =>
  poolConfigSchema.parse({ name, classes: ['gpu-visual'], endpoint });
/** An attachment that began with these settings at an address. */
function inputOf(settings: object, at = url): ServeInput {
  const parsed = endpointSchema.parse(settings);
  return {
    instance: 'visual-0',
    pool: 'visual',
    classes: ['gpu-visual'],
    attachment: 7,
    proveTimeoutMs: 1,
    drainTimeoutMs: 1,
    ...(parsed.url === undefined ? {} : { serverUrl: at }),
    ...endpointServing(parsed, at),
  };
}

it.each([
  ['a permission that is given', { url }, { url, dataLeavesHost: true }],
  ['a permission that is withdrawn', { url, dataLeavesHost: true }, { url }],
  ['another protocol and number of calls', { url }, { url, kind: 'openai', slotsPerReplica: 7 }],
  ['fewer settings', { url, kind: 'openai', slotsPerReplica: 7, keyFile: '/a', healthPath: '/up' }, { url }],
  ['another key', { url, keyFile: '/a' }, { url, key: 'dc', keyHeader: 'x-key' }],
  ['a deployment with another key', { deployment: DEPLOYMENT }, { deployment: DEPLOYMENT, key: 'dc' }],
])('the present settings count: %s', (_what, before, now) => {
  const pools = [poolOf({ url: 'http://other' }, 'other'), poolOf(now)];
  expect(withPresentSettings(inputOf(before), pools)).toEqual(inputOf(now));
});

it('a replica keeps the address that its provider told', () => {
  const at = 'https://replica.example.com';
  const now = { deployment: DEPLOYMENT, slotsPerReplica: 3 };
  expect(withPresentSettings(inputOf({ deployment: DEPLOYMENT }, at), [poolOf(now)])).toEqual(inputOf(now, at));
});

it.each([
  ['is gone', []],
  ['is at another URL', [poolOf({ url: 'https://elsewhere.example.com', dataLeavesHost: true })]],
  ['is a deployment now', [poolOf({ deployment: DEPLOYMENT })]],
  ['has no endpoint any more', [poolConfigSchema.parse({ name: 'visual', classes: ['gpu-visual'] })]],
])('where its pool %s, an attachment goes on as it began, but slides do not leave for it', (_what, pools) => {
  const keyed = { url, kind: 'openai', keyFile: '/a' };
  expect(withPresentSettings(inputOf(keyed), pools)).toEqual(inputOf(keyed));
  expect(withPresentSettings(inputOf({ ...keyed, dataLeavesHost: true }), pools)).toEqual(inputOf(keyed));
});

it('a machine that is no endpoint is served as its workflow says', () => {
  const input: ServeInput = { ...inputOf({ url }), endpoint: { kind: 'url', url } };
  expect(withPresentSettings(input, [poolOf({ url, kind: 'openai' })])).toEqual(input);
});

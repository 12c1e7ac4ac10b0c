/** The default network with its subnetworks, and firewall rules. */
import { z } from 'zod';
import type { Call } from '../account.ts';
import { numericId, REGIONS } from '../catalogue.ts';
import { GoogleError, invalid, notFound } from '../errors.ts';
import { NAME, readBody } from './body.ts';
import { lastPart, linkTo, resourceName, writtenTime } from './links.ts';
import { listAnswer, type Row } from './lists.ts';
import { answerWith, beginOperation } from './operations.ts';

const NETWORK = 'default';

const networkTree = ({ sim }: Call): Row => ({
  kind: 'compute#network',
  id: '4000000000000000001',
  creationTimestamp: '2026-01-01T00:00:00.000-08:00',
  name: NETWORK,
  description: 'Default network for the project',
  autoCreateSubnetworks: true,
  mtu: 1460,
  routingConfig: { routingMode: 'REGIONAL' },
  subnetworks: REGIONS.map(({ name }) => linkTo(sim, `/regions/${name}/subnetworks/${NETWORK}`)),
  selfLink: linkTo(sim, `/global/networks/${NETWORK}`),
});

export function getNetwork(call: Call): unknown {
  if (call.params['name'] !== NETWORK)
    throw notFound(resourceName(call.sim, `/global/networks/${call.params['name']}`));
  return networkTree(call);
}

export const listNetworks = (call: Call): unknown =>
  listAnswer(call, 'compute#networkList', '/global/networks', [networkTree(call)]);

function firewallTree({ sim }: Call, name: string): Row {
  const rule = sim.account.firewalls[name];
  if (rule === undefined) throw notFound(resourceName(sim, `/global/firewalls/${name}`));
  return {
    kind: 'compute#firewall',
    id: rule.id,
    creationTimestamp: writtenTime(rule.createdAtMs),
    priority: 1000,
    direction: 'INGRESS',
    disabled: false,
    ...rule.body,
    network: linkTo(sim, `/global/networks/${NETWORK}`),
    selfLink: linkTo(sim, `/global/firewalls/${name}`),
  };
}

export const getFirewall = (call: Call): unknown => firewallTree(call, call.params['name'] ?? '');

export const listFirewalls = (call: Call): unknown =>
  listAnswer(
    call,
    'compute#firewallList',
    '/global/firewalls',
    Object.keys(call.sim.account.firewalls).map((name) => firewallTree(call, name)),
  );

const newFirewall = z.looseObject({
  name: z.string().regex(NAME),
  network: z.string().default(`global/networks/${NETWORK}`),
  direction: z.enum(['INGRESS', 'EGRESS']).optional(),
  sourceRanges: z.array(z.string()).optional(),
  targetTags: z.array(z.string()).optional(),
  allowed: z.array(z.looseObject({ IPProtocol: z.string(), ports: z.array(z.string()).optional() })).optional(),
});

export function insertFirewall(call: Call): unknown {
  const { sim, nowMs } = call;
  const body = readBody(newFirewall, call.body);
  const target = `/global/firewalls/${body.name}`;
  if (lastPart(body.network) !== NETWORK)
    throw invalid('resource.network', body.network, 'The referenced network resource cannot be found.');
  if (sim.account.firewalls[body.name] !== undefined)
    throw new GoogleError(409, 'alreadyExists', `The resource '${resourceName(sim, target)}' already exists`);
  const id = numericId(sim.cloud.state.random);
  sim.account.firewalls[body.name] = { id, name: body.name, createdAtMs: nowMs, body };
  return answerWith(call, beginOperation(call, { type: 'insert', zone: '', target, targetId: id }));
}

export function deleteFirewall(call: Call): unknown {
  const { sim, params } = call;
  const name = params['name'] ?? '';
  const { id } = firewallTree(call, name);
  delete sim.account.firewalls[name];
  const target = `/global/firewalls/${name}`;
  return answerWith(call, beginOperation(call, { type: 'delete', zone: '', target, targetId: String(id) }));
}

/**
 * Pieces of networks: virtual networks, security groups, public addresses and network interfaces. Each is ready a moment after it was put,
 * and gone a moment after it was deleted.
 */
import { z } from 'zod';
import { draw, drawUuid } from '../../core/random.ts';
import {
  keyOf,
  readResourceId,
  resourceId,
  type Call,
  type Json,
  type MachineRecord,
  type Piece,
  type Simulation,
} from '../account.ts';
import { LOCATIONS } from '../catalogue.ts';
import { ArmError, notFound } from '../errors.ts';
import { groupNamed } from './groups.ts';
import { networkOperation } from './operations.ts';
import { pageOf } from './page.ts';

const NETWORK = 'Microsoft.Network';
const typeOf = (type: string): string => `${NETWORK}/${type}`;

/** Removes what is gone. */
function settle({ account }: Simulation, nowMs: number): void {
  for (const [key, piece] of Object.entries(account.pieces))
    if (piece.goneAtMs !== null && piece.goneAtMs <= nowMs) delete account.pieces[key];
}

/** A piece that exists, also one that is being deleted; null = there is none. */
export function findPiece(
  { sim, nowMs }: Pick<Call, 'sim' | 'nowMs'>,
  type: string,
  group: string,
  name: string,
): Piece | null {
  settle(sim, nowMs);
  return sim.account.pieces[keyOf(group, type, name)] ?? null;
}

const idOf = (sim: Simulation, { group, type, name }: Piece): string => resourceId(sim, group, typeOf(type), name);

/** The machine that a network interface belongs to; null = none. */
export const holderOf = ({ sim }: Pick<Call, 'sim'>, piece: Piece): MachineRecord | null => {
  const id = idOf(sim, piece).toLowerCase();
  return (
    Object.values(sim.account.machines).find((machine) =>
      machine.interfaces.some((one) => one.id.toLowerCase() === id),
    ) ?? null
  );
};

const configurations = z.object({
  ipConfigurations: z
    .array(
      z.looseObject({
        name: z.string(),
        properties: z.looseObject({
          subnet: z.looseObject({ id: z.string() }),
          publicIPAddress: z
            .looseObject({
              id: z.string(),
              properties: z.looseObject({ deleteOption: z.string().optional() }).optional(),
            })
            .nullish(),
        }),
      }),
    )
    .min(1),
  networkSecurityGroup: z.looseObject({ id: z.string() }).nullish(),
});

/** The configuration of an interface that uses an address. */
function userOf(call: Pick<Call, 'sim'>, address: Piece): { readonly id: string } | null {
  const id = idOf(call.sim, address).toLowerCase();
  for (const piece of Object.values(call.sim.account.pieces)) {
    if (piece.type !== 'networkInterfaces') continue;
    const { ipConfigurations } = configurations.parse(piece.properties);
    const user = ipConfigurations.find(({ properties }) => properties.publicIPAddress?.id.toLowerCase() === id);
    if (user !== undefined) return { id: `${idOf(call.sim, piece)}/ipConfigurations/${user.name}` };
  }
  return null;
}

function stateOf({ readyAtMs, goneAtMs }: Piece, { nowMs, statusWord }: Pick<Call, 'nowMs' | 'statusWord'>): string {
  if (statusWord !== null) return statusWord;
  if (goneAtMs !== null) return 'Deleting';
  return readyAtMs > nowMs ? 'Updating' : 'Succeeded';
}

function pieceView(call: Call, piece: Piece): Json {
  const { sim } = call;
  const provisioningState = stateOf(piece, call);
  const id = idOf(sim, piece);
  const holder = piece.type === 'networkInterfaces' ? holderOf(call, piece) : null;
  const user = piece.type === 'publicIPAddresses' ? userOf(call, piece) : null;
  return {
    name: piece.name,
    id,
    etag: `W/"${piece.guid}"`,
    type: typeOf(piece.type),
    location: piece.location,
    tags: piece.tags,
    ...(piece.sku === null ? {} : { sku: piece.sku }),
    properties: {
      ...withIds(piece.properties, id, provisioningState),
      resourceGuid: piece.guid,
      provisioningState,
      ...(piece.ip === null || provisioningState === 'Updating' ? {} : { ipAddress: piece.ip }),
      ...(user === null ? {} : { ipConfiguration: user }),
      ...(holder === null
        ? {}
        : { virtualMachine: { id: resourceId(sim, holder.group, 'Microsoft.Compute/virtualMachines', holder.name) } }),
    },
  };
}

const parts = z.array(z.looseObject({ name: z.string(), properties: z.record(z.string(), z.unknown()).default({}) }));

/** Gives ids to the parts of a piece: subnets, rules, configurations. */
function withIds(properties: Json, id: string, provisioningState: string): Json {
  return Object.fromEntries(
    Object.entries(properties).map(([key, value]) => {
      const list = parts.safeParse(value);
      if (!['subnets', 'securityRules', 'ipConfigurations'].includes(key) || !list.success) return [key, value];
      const privateIp = key === 'ipConfigurations' ? { privateIPAddress: '10.20.0.4' } : {};
      return [
        key,
        list.data.map((part) => ({
          ...part,
          id: `${id}/${key}/${part.name}`,
          properties: { ...part.properties, ...privateIp, provisioningState },
        })),
      ];
    }),
  );
}

const bodySchema = z.looseObject({
  location: z.string(),
  tags: z.record(z.string(), z.string()).nullish(),
  sku: z.looseObject({ name: z.string() }).nullish(),
  properties: z.record(z.string(), z.unknown()).nullish(),
});

function put(call: Call, type: string, group: string, name: string): Response {
  const { sim, nowMs } = call;
  groupNamed(call, group);
  const parsed = bodySchema.safeParse(call.body);
  if (!parsed.success) throw new ArmError('InvalidRequestFormat', 'Cannot parse the request.');
  const { tags, sku, properties } = parsed.data;
  const location = parsed.data.location.toLowerCase().replaceAll(' ', '');
  if (!LOCATIONS.some((one) => one.name === location))
    throw new ArmError(
      'LocationNotAvailableForResourceType',
      `The provided location '${location}' is not available for resource type '${typeOf(type)}'.`,
    );
  const key = keyOf(group, type, name);
  const before = findPiece(call, type, group, name);
  if (before !== null && before.goneAtMs !== null)
    throw new ArmError(
      'AnotherOperationInProgress',
      `Another operation on this or dependent resource is in progress.`,
      429,
    );
  if (before !== null && before.location !== location)
    throw new ArmError(
      'InvalidResourceLocation',
      `The resource '${name}' already exists in location '${before.location}'.`,
      409,
    );
  checkReferences(call, type, properties ?? {});
  const { random } = sim.cloud.state;
  const hasIp = type === 'publicIPAddresses';
  const ip = `198.18.${Math.floor(draw(random) * 256)}.${1 + Math.floor(draw(random) * 254)}`;
  const piece: Piece = {
    group,
    type,
    name,
    location,
    tags: tags ?? {},
    properties: properties ?? {},
    sku: sku ?? null,
    guid: before?.guid ?? drawUuid(random),
    ip: hasIp ? (before?.ip ?? ip) : null,
    readyAtMs: before?.readyAtMs ?? nowMs + sim.dialect.networkSec * 1000,
    goneAtMs: null,
  };
  sim.account.pieces[key] = piece;
  const headers = piece.readyAtMs > nowMs ? networkOperation(call, piece.readyAtMs) : {};
  return Response.json(pieceView(call, piece), { status: before === null ? 201 : 200, headers });
}

/** What an interface refers to has to be there, and ready. */
function checkReferences(call: Call, type: string, properties: Json): void {
  if (type !== 'networkInterfaces') return;
  const parsed = configurations.safeParse(properties);
  if (!parsed.success) throw new ArmError('InvalidRequestFormat', 'Cannot parse the request: ipConfigurations.');
  const { ipConfigurations, networkSecurityGroup } = parsed.data;
  const ids = ipConfigurations.flatMap(({ properties: { subnet, publicIPAddress } }) => [
    { type: 'virtualNetworks', id: subnet.id.replace(/\/subnets\/[^/]+$/u, '') },
    ...(publicIPAddress === null || publicIPAddress === undefined
      ? []
      : [{ type: 'publicIPAddresses', id: publicIPAddress.id }]),
  ]);
  const rules = networkSecurityGroup?.id;
  for (const { type: wanted, id } of [
    ...ids,
    ...(rules === undefined ? [] : [{ type: 'networkSecurityGroups', id: rules }]),
  ]) {
    const at = readResourceId(id, typeOf(wanted));
    const piece = at === null ? null : findPiece(call, wanted, at.group, at.name);
    if (piece === null || piece.goneAtMs !== null)
      throw new ArmError('InvalidResourceReference', `Resource ${id} referenced by resource was not found.`);
    if (piece.readyAtMs > call.nowMs)
      throw new ArmError(
        'ReferencedResourceNotProvisioned',
        `Cannot proceed with operation because resource ${id} is not in Succeeded state. Resource is in Updating state.`,
        429,
      );
  }
}

function remove(call: Call, piece: Piece): Response {
  const holder = piece.type === 'networkInterfaces' ? holderOf(call, piece) : null;
  if (holder !== null)
    throw new ArmError(
      'NicInUse',
      `Network Interface ${idOf(call.sim, piece)} is used by existing resource ${holder.name}.`,
    );
  const user = piece.type === 'publicIPAddresses' ? userOf(call, piece) : null;
  if (user !== null)
    throw new ArmError(
      'PublicIPAddressCannotBeDeleted',
      `Public IP address ${idOf(call.sim, piece)} can not be deleted since it is still allocated to resource ${user.id}.`,
    );
  piece.goneAtMs ??= call.nowMs + call.sim.dialect.networkSec * 1000;
  return new Response(null, { status: 202, headers: networkOperation(call, piece.goneAtMs) });
}

/** The machine is gone: its interfaces go with it where they were told to, and their addresses with them. */
export function releaseInterfaces(sim: Simulation, machine: MachineRecord, atMs: number): void {
  const goneAtMs = atMs + sim.dialect.networkSec * 1000;
  for (const { id, deleteOption } of machine.interfaces) {
    const at = readResourceId(id, typeOf('networkInterfaces'));
    const piece = at === null ? undefined : sim.account.pieces[keyOf(at.group, 'networkInterfaces', at.name)];
    if (piece === undefined || deleteOption !== 'Delete') continue;
    piece.goneAtMs = goneAtMs;
    for (const { properties } of configurations.parse(piece.properties).ipConfigurations) {
      const { publicIPAddress } = properties;
      if (publicIPAddress?.properties?.deleteOption !== 'Delete') continue;
      const address = readResourceId(publicIPAddress.id, typeOf('publicIPAddresses'));
      const found =
        address === null ? undefined : sim.account.pieces[keyOf(address.group, 'publicIPAddresses', address.name)];
      if (found !== undefined) found.goneAtMs = goneAtMs;
    }
  }
}

const TYPES = ['virtualNetworks', 'networkSecurityGroups', 'publicIPAddresses', 'networkInterfaces'];

/** Answers a call on pieces of a network. @throws ArmError */
export function network(call: Call): Response {
  const { sim, method, target } = call;
  const type = TYPES.find((one) => typeOf(one).toLowerCase() === target.type.toLowerCase());
  if (type === undefined)
    throw new ArmError('InvalidResourceType', `The resource type '${target.type}' could not be found.`, 404);
  settle(sim, call.nowMs);
  if (target.name === null) {
    const found = Object.values(sim.account.pieces).filter(
      (piece) =>
        piece.type === type && (target.group === null || piece.group.toLowerCase() === target.group.toLowerCase()),
    );
    return pageOf(
      call,
      found.map((piece) => pieceView(call, piece)),
    );
  }
  const group = groupNamed(call, target.group ?? '').name;
  const piece = findPiece(call, type, group, target.name);
  switch (method) {
    case 'PUT':
      return put(call, type, group, target.name);
    case 'GET':
      if (piece === null) throw notFound(typeOf(type), target.name, group);
      return Response.json(target.action === null ? pieceView(call, piece) : partView(call, piece, target.action));
    case 'DELETE':
      return piece === null ? new Response(null, { status: 204 }) : remove(call, piece);
    default:
      throw new ArmError('MethodNotAllowed', `The simulator does not know ${method} of ${type}.`, 405);
  }
}

/** A subnet alone, as `virtualNetworks/x/subnets/y` names it; all of them without a name. */
function partView(call: Call, piece: Piece, action: string): Json {
  const [kind = '', name] = action.split('/');
  const list = z
    .array(z.looseObject({ name: z.string() }))
    .catch([])
    .parse((pieceView(call, piece)['properties'] as Json)[kind]);
  if (name === undefined) return { value: list };
  const found = list.find((part) => part.name.toLowerCase() === name.toLowerCase());
  if (found === undefined) throw notFound(`${typeOf(piece.type)}/${kind}`, name, piece.group);
  return found;
}

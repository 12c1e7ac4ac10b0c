/** The subscription, its locations and its resource groups. */
import { z } from 'zod';
import { keyOf, type Call, type Json, type Simulation } from '../account.ts';
import { LOCATIONS } from '../catalogue.ts';
import { ArmError } from '../errors.ts';
import { pageOf } from './page.ts';

type Group = Simulation['account']['groups'][string];

/** The group. @throws ArmError `ResourceGroupNotFound` */
export function groupNamed({ sim }: Pick<Call, 'sim'>, name: string): Group {
  const group = sim.account.groups[keyOf(name)];
  if (group !== undefined) return group;
  throw new ArmError('ResourceGroupNotFound', `Resource group '${name}' could not be found.`, 404);
}

const groupView = ({ secrets }: Simulation, { name, location, tags }: Group): Json => ({
  id: `/subscriptions/${secrets.subscriptionId}/resourceGroups/${name}`,
  name,
  type: 'Microsoft.Resources/resourceGroups',
  location,
  tags,
  properties: { provisioningState: 'Succeeded' },
});

const bodySchema = z.looseObject({ location: z.string(), tags: z.record(z.string(), z.string()).nullish() });

/** Answers a call on groups. @throws ArmError */
export function groups(call: Call, name: string | null): Response {
  const { sim, method } = call;
  if (name === null)
    return pageOf(
      call,
      Object.values(sim.account.groups).map((group) => groupView(sim, group)),
    );
  switch (method) {
    case 'GET':
      return Response.json(groupView(sim, groupNamed(call, name)));
    case 'PUT': {
      const parsed = bodySchema.safeParse(call.body);
      if (!parsed.success) throw new ArmError('InvalidRequestContent', 'The request content was invalid: location.');
      const location = parsed.data.location.toLowerCase().replaceAll(' ', '');
      if (!LOCATIONS.some((one) => one.name === location))
        throw new ArmError(
          'LocationNotAvailableForResourceGroup',
          `The provided location '${location}' is not available for resource group.`,
        );
      const before = sim.account.groups[keyOf(name)];
      if (before !== undefined && before.location !== location)
        throw new ArmError(
          'InvalidResourceGroupLocation',
          `Invalid resource group location '${location}'. The Resource group already exists in location '${before.location}'.`,
          409,
        );
      const group: Group = { name: before?.name ?? name, location, tags: parsed.data.tags ?? before?.tags ?? {} };
      sim.account.groups[keyOf(name)] = group;
      return Response.json(groupView(sim, group), { status: before === undefined ? 201 : 200 });
    }
    default:
      throw new ArmError('MethodNotAllowed', `The simulator does not know ${method} of a resource group.`, 405);
  }
}

/** The subscription itself, as `GET /subscriptions/<id>` shows it. */
export const subscription = ({ sim: { secrets } }: Call): Response =>
  Response.json({
    id: `/subscriptions/${secrets.subscriptionId}`,
    subscriptionId: secrets.subscriptionId,
    tenantId: secrets.tenantId,
    displayName: 'Simulated subscription',
    state: 'Enabled',
    subscriptionPolicies: { quotaId: 'PayAsYouGo_2014-09-01', spendingLimit: 'Off' },
  });

/** The locations of the subscription. */
export const locations = (call: Call): Response =>
  pageOf(
    call,
    LOCATIONS.map(({ name, displayName, geography }) => ({
      id: `/subscriptions/${call.sim.secrets.subscriptionId}/locations/${name}`,
      name,
      type: 'Region',
      displayName,
      regionalDisplayName: `(${geography}) ${displayName}`,
      metadata: { regionType: 'Physical', regionCategory: 'Recommended', geography, geographyGroup: geography },
    })),
  );

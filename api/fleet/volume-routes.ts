/** Volumes in the accounts of the fleet; data volumes are attached to instances and detached from them. */
import {
  attachToInstance,
  detachFromInstance,
  listFleetVolumes,
  type ListedVolume,
  type VolumeDeps,
} from '../../activities/fleet/volumes.ts';
import { loadFleet } from '../../clouds/fleet-file.ts';
import { group } from '../http/routes.ts';
import { staticFleet } from './open-selection.ts';
import { type FleetVolumeDocument, listRoute, attachRoute, detachRoute } from './volume-schemas.ts';

const documentOf = ({ attachedTo, ...volume }: ListedVolume): FleetVolumeDocument => ({
  ...volume,
  attachedTo: [...attachedTo],
});

/** The routes of volumes. */
export const volumeRoutes = group(({ db, config, selection }, routes) => {
  const open = (): VolumeDeps => {
    if (selection === undefined) throw staticFleet(config.fleetFile);
    return { db, accounts: selection().accounts, fleet: loadFleet(config) };
  };
  routes.openapi(listRoute, async (c) => {
    const { items, unanswered } = await listFleetVolumes(open());
    return c.json({ items: items.map(documentOf), unanswered: [...unanswered] }, 200);
  });
  routes.openapi(attachRoute, async (c) => {
    const { volume, instance } = c.req.valid('json');
    const changed = await attachToInstance(open(), volume, instance);
    c.get('log').info({ volume, instance }, 'an operator attached a volume');
    return c.json(documentOf(changed), 200);
  });
  routes.openapi(detachRoute, async (c) => {
    const { volume, instance } = c.req.valid('json');
    const changed = await detachFromInstance(open(), volume, instance);
    c.get('log').info({ volume, instance }, 'an operator detached a volume');
    return c.json(documentOf(changed), 200);
  });
});

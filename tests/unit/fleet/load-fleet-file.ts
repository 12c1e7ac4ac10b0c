/** Reads this as the fleet file of a home of its own. @throws DeckhandError as {@link loadFleet} */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { loadFleet } from '../../../clouds/fleet-file.ts';
import type { Fleet } from '../../../clouds/fleet.ts';
import { folderPerTest } from '../../../testing/per-file.ts';

export function loadFleetFile(file: unknown): Fleet {
  const home = folderPerTest();
  const fleetFile = path.join(home, 'fleet.json');
  writeFileSync(fleetFile, JSON.stringify(file));
  return loadFleet({ fleetFile, home, providerUrls: {} });
}

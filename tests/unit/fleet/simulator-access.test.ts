/** How machines of a simulated provider are reached when the fleet file does not say. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { loadFleet } from '../../../clouds/fleet-file.ts';
import { folderPerTest } from '../../../testing/per-file.ts';

function accessOf(file: Record<string, unknown>): string | null {
  const home = folderPerTest();
  const fleetFile = path.join(home, 'fleet.json');
  writeFileSync(fleetFile, JSON.stringify({ provider: 'datacrunch', installationId: 'test', ...file }));
  return loadFleet({ fleetFile, home, providerUrls: {} }).access;
}

it('is simulated with a simulator, ssh otherwise, and always what the file says', () => {
  expect(accessOf({ simulator: {} })).toBe('simulated');
  expect(accessOf({ baseUrl: 'http://127.0.0.1:8425/v1' })).toBe('simulated');
  expect(accessOf({ baseUrl: 'https://api.verda.com/v1' })).toBe('ssh');
  expect(accessOf({ baseUrl: 'http://127.0.0.1:8425/v1', access: 'ssh' })).toBe('ssh');
});

/** The volumes of a fleet of several providers, of which some do not answer. */
import { expect, it } from 'vitest';
import { volumesAt } from '../../../activities/fleet/volumes.ts';
import { unansweredLines } from '../../../cli/fleet/volume-table.ts';
import { providerError } from '../../../clouds/errors.ts';
import type { CloudVolume } from '../../../clouds/provider.ts';

const volume = (id: string, status: CloudVolume['status'] = 'detached'): CloudVolume => ({
  id,
  name: id,
  location: 'FIN-01',
  status,
  rawStatus: status,
  isOsVolume: false,
  sizeGib: 50,
  usdPerMonth: 10,
  instanceId: null,
  tags: {},
  createdAtMs: 0,
});
const DEPS = { fleet: { installationId: 'test1', dataVolumes: ['v1'] } };
const up = { name: 'one', listVolumes: async () => [volume('v1'), volume('v2', 'trashed')] };
const failing = (error: Error) => ({ name: 'two', listVolumes: () => Promise.reject(error) });
const DOWN = failing(providerError('transient', 'GET /volumes: 502: \u001B[31ma page'));

it('those of the providers that answer are listed, and the others are named', async () => {
  const { items, unanswered } = await volumesAt([up, DOWN], DEPS, []);
  expect(items.map(({ id, provider, owner }) => [id, provider, owner])).toEqual([['v1', 'one', 'data']]);
  const [line = ''] = unansweredLines([...unanswered]);
  expect(line).toContain('two does not answer, so its volumes are missing: GET /volumes: 502: ');
  expect(line).not.toMatch(/\p{Cc}/u);
});

it('without any answer the first error is told, and a mistake of ours always', async () => {
  await expect(volumesAt([DOWN], DEPS, [])).rejects.toThrow('GET /volumes: 502');
  await expect(volumesAt([up, failing(new TypeError('ours'))], DEPS, [])).rejects.toThrow('ours');
  await expect(volumesAt([], DEPS, [])).resolves.toEqual({ items: [], unanswered: [] });
});

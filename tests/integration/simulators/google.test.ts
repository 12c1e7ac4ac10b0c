/** The simulated Google as a process: what survives a kill, and a model server that is told by metadata. */
import path from 'node:path';
import { expect, it } from 'vitest';
import { GOOGLE_SIMULATOR_CREDENTIALS } from '../../../clouds/google/credentials.ts';
import { GOOGLE } from '../../../clouds/google/provider.ts';
import { googleSettingsSchema } from '../../../clouds/google/settings.ts';
import { partOf } from '../../../clouds/parts.ts';
import type { CloudProvider, ImageRequest } from '../../../clouds/provider.ts';
import { folderPerTest } from '../../../testing/per-file.ts';
import { QUICK_MACHINES, scenarioFile, startCloud, type CloudProcess } from '../../../testing/simulator-process.ts';
import { until } from '../../../testing/until.ts';

const ZONE = 'europe-west4-a';
const ORDER: ImageRequest = {
  hostname: 'dh-test1-visual-1',
  description: 'a process that is killed',
  instanceType: 'g2-standard-4',
  location: ZONE,
  market: 'ondemand',
  boot: {
    kind: 'image',
    image: 'ubuntu-os-accelerator-images/ubuntu-accelerator-2404-amd64-with-nvidia-580',
    osVolumeName: 'dh-test1-visual-1-os',
    osVolumeGib: 50,
    sshKey: { id: null, text: 'ssh-ed25519 AAAA k' },
    startupScript: null,
  },
  tags: {},
};

const providerAt = ({ port }: CloudProcess): CloudProvider =>
  GOOGLE.open({
    settings: googleSettingsSchema.parse({ regions: ['europe-west4'], baseUrl: `http://127.0.0.1:${port}` }),
    project: 'simulated-project',
    credentials: GOOGLE_SIMULATOR_CREDENTIALS.credentials,
    installationId: 'test1',
  });

it('the simulated Google keeps instances and request ids over kill -9, and models with the disk over a stop', async () => {
  const scenario = scenarioFile({ ...QUICK_MACHINES, dialect: { operationSec: 0.1 } });
  const state = path.join(folderPerTest(), 'state.json');
  const start = (): Promise<CloudProcess> => startCloud('google', '--scenario', scenario, '--state', state);
  let cloud = await start();
  try {
    let provider = providerAt(cloud);
    const id = await provider.createInstance(ORDER, await provider.prepareCreate(ORDER));
    const first = await until(() => provider.getInstance(id)).is((seen) => (seen?.simulatedModelUrl ?? null) !== null);
    const pull = await fetch(`${first?.simulatedModelUrl}/api/pull`, {
      method: 'POST',
      body: JSON.stringify({ model: 'reader-text:1', stream: false }),
    });
    await pull.text();
    // What was pulled is on the disk as soon as the simulator has looked.
    const onDisk = () => cloud.control<{ volumes: Record<string, { models: string[] }> }>('/state');
    await until(onDisk).is(({ volumes }) => Object.values(volumes)[0]?.models.join() === 'reader-text:1');
    await partOf(provider, 'stopping').shutdown(id);
    await until(() => provider.getInstance(id)).is(
      (seen) => seen?.status === 'stopped' && seen.simulatedModelUrl === null,
    );
    await cloud.kill('SIGKILL');

    cloud = await start();
    provider = providerAt(cloud);
    expect(await provider.getInstance(id)).toMatchObject({ status: 'stopped' });
    expect(await provider.createInstance(ORDER, await provider.prepareCreate(ORDER))).toBe(id);
    expect(await provider.listInstances()).toHaveLength(1);
    await partOf(provider, 'stopping').start(id);
    const woken = await until(() => provider.getInstance(id)).is((seen) => (seen?.simulatedModelUrl ?? null) !== null);
    const tags = (await (await fetch(`${woken?.simulatedModelUrl}/api/tags`)).json()) as { models: { name: string }[] };
    expect(tags.models.map(({ name }) => name)).toContain('reader-text:1');
  } finally {
    await cloud.kill('SIGTERM');
  }
});

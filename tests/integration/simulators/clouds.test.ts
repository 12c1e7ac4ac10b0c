/** The simulated AWS, Google and Azure as processes: what survives a kill, and a model server that is told by what a machine has. */
import path from 'node:path';
import { expect, it } from 'vitest';
import { AWS } from '../../../clouds/aws/provider.ts';
import { awsSettingsSchema } from '../../../clouds/aws/settings.ts';
import { AZURE_SIMULATOR_CREDENTIALS } from '../../../clouds/azure/credentials.ts';
import { AZURE } from '../../../clouds/azure/provider.ts';
import { azureSettingsSchema } from '../../../clouds/azure/settings.ts';
import { GOOGLE_SIMULATOR_CREDENTIALS } from '../../../clouds/google/credentials.ts';
import { GOOGLE } from '../../../clouds/google/provider.ts';
import { googleSettingsSchema } from '../../../clouds/google/settings.ts';
import { partOf } from '../../../clouds/parts.ts';
import type { CloudProvider } from '../../../clouds/provider.ts';
import { makeImageRequest } from '../../../testing/image-request.ts';
import { folderPerTest } from '../../../testing/per-file.ts';
import { QUICK_MACHINES, scenarioFile, startCloud, type CloudProcess } from '../../../testing/simulator-process.ts';
import { until } from '../../../testing/until.ts';

const installationId = 'test1';

const CLOUDS = [
  {
    name: 'aws',
    openAt: (baseUrl: string) =>
      AWS.open({
        settings: awsSettingsSchema.parse({ regions: ['eu-west-1'], baseUrl }),
        credentials: { accessKeyId: 'demo', secretAccessKey: 'demo' },
        installationId,
      }),
    instanceType: 'g5.xlarge',
    location: 'eu-west-1a',
    image: 'base-oss-nvidia-driver-gpu-ubuntu-24.04',
    dialect: {},
  },
  {
    name: 'google',
    openAt: (baseUrl: string) =>
      GOOGLE.open({
        settings: googleSettingsSchema.parse({ regions: ['europe-west4'], baseUrl }),
        project: 'simulated-project',
        credentials: GOOGLE_SIMULATOR_CREDENTIALS.credentials,
        installationId,
      }),
    instanceType: 'g2-standard-4',
    location: 'europe-west4-a',
    image: 'ubuntu-os-accelerator-images/ubuntu-accelerator-2404-amd64-with-nvidia-580',
    dialect: { operationSec: 0.1 },
  },
  {
    name: 'azure',
    openAt: (baseUrl: string) =>
      AZURE.open({
        settings: azureSettingsSchema.parse({ locations: ['northeurope'], baseUrl }),
        credentials: AZURE_SIMULATOR_CREDENTIALS.credentials,
        installationId,
      }),
    instanceType: 'Standard_NC4as_T4_v3',
    location: 'northeurope',
    image: 'microsoft-dsvm:ubuntu-hpc:2204:latest',
    dialect: { networkSec: 0.1 },
  },
] as const;

it.each(CLOUDS)(
  'the simulated $name keeps instances and what makes a create happen once over kill -9, and models with the disk over a stop',
  async ({ name, openAt, instanceType, location, image, dialect }) => {
    const order = makeImageRequest({ instanceType, location, boot: { image } });
    const visibility = { listLagSec: 0, getLagSec: 0 };
    const scenario = scenarioFile({ ...QUICK_MACHINES, visibility, dialect });
    const state = path.join(folderPerTest(), 'state.json');
    const start = async (): Promise<readonly [CloudProcess, CloudProvider]> => {
      const process = await startCloud(name, '--scenario', scenario, '--state', state);
      return [process, openAt(`http://127.0.0.1:${process.port}`)];
    };
    const create = async (provider: CloudProvider) =>
      provider.createInstance(order, await provider.prepareCreate(order));
    const modelUrlOf = async (provider: CloudProvider, id: string): Promise<string> => {
      const seen = await until(() => provider.getInstance(id)).is((one) => (one?.simulatedModelUrl ?? null) !== null);
      expect(seen?.status).toBe('running');
      return seen?.simulatedModelUrl ?? '';
    };
    let [cloud, provider] = await start();
    try {
      const id = await create(provider);
      const pull = await fetch(`${await modelUrlOf(provider, id)}/api/pull`, {
        method: 'POST',
        body: JSON.stringify({ model: 'reader-text:1', stream: false }),
      });
      await pull.text();
      expect(pull.status).toBe(200);
      // The pulled model is on the disk as soon as the simulator has looked.
      const onDisk = async () =>
        Object.values((await cloud.control<{ volumes: Record<string, { models: string[] }> }>('/state')).volumes)
          .flatMap(({ models }) => models)
          .join();
      await until(onDisk).is((models) => models === 'reader-text:1');
      await partOf(provider, 'stopping').shutdown(id);
      await until(() => provider.getInstance(id)).is(
        (seen) => seen?.status === 'stopped' && seen.simulatedModelUrl === null,
      );
      await cloud.kill('SIGKILL');

      [cloud, provider] = await start();
      expect(await provider.getInstance(id)).toMatchObject({ status: 'stopped' });
      expect(await create(provider)).toBe(id);
      expect(await provider.listInstances()).toHaveLength(1);
      await partOf(provider, 'stopping').start(id);
      const url = await modelUrlOf(provider, id);
      expect(await onDisk()).toBe('reader-text:1');
      const tags = (await (await fetch(`${url}/api/tags`)).json()) as { models: { name: string }[] };
      expect(tags.models.map((model) => model.name)).toContain('reader-text:1');
    } finally {
      await cloud.kill('SIGTERM');
    }
  },
);

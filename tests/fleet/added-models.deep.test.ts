/**
 * Models that were added by configuration alone, on rented machines: nothing in the code names them. A pool whose model has a known need boots a
 * machine that pulls it, proves it and answers with it; one without is refused by name before anything is rented.
 */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { modelDigest, rulesDigest } from '../../simulators/ollama/catalog.ts';
import {
  type FleetRig,
  type FleetRigOptions,
  QUICK_SCENARIO,
  quickPool,
  startFleetRig,
} from '../../testing/fleet-rig.ts';
import { folderPerFile, perFile } from '../../testing/per-file.ts';
import { drawPlainDeck, plainSlides } from '../../testing/plain-deck.ts';
import { sharedServers } from '../../testing/test-servers.ts';
import { until } from '../../testing/until.ts';

/** A model in the registry of the simulated machines; none of them has it before it is pulled. */
const QUILL = 'quill:1';
/** A model of which nobody has said what it needs. */
const GHOST = 'ghost:1';
/** The digest under which a machine lists what it has pulled. */
const digest = modelDigest(rulesDigest(), {
  name: QUILL,
  capabilities: ['completion', 'vision'],
  sizeBytes: 0,
  installed: false,
});

const profile = (name: string, model: string) => ({ name, models: { 'gpu-visual': model, 'gpu-text': model } });
const FILE = {
  models: [
    { name: QUILL, digest, window: 8192, seesPictures: true, weightsGib: 6, kvCacheGibPerSlot: 1 },
    { name: GHOST, digest, seesPictures: true },
  ],
  profiles: [profile('quill', QUILL), profile('ghost', GHOST)],
};
const folder = folderPerFile();
const modelsFile = path.join(folder, 'models.json');

/** A rig whose models file is the one above. */
function startWith(options: Pick<FleetRigOptions, 'models' | 'pools'>): Promise<FleetRig> {
  writeFileSync(modelsFile, JSON.stringify(FILE));
  return startFleetRig({
    servers: sharedServers,
    scenario: QUICK_SCENARIO,
    template: 'short',
    readerArgs: ['--also', `${QUILL}=vision-pull,${GHOST}=vision-pull`],
    environment: { DECKHAND_MODELS_FILE: modelsFile },
    ...options,
  });
}

/** Uploads a deck of two slides. */
const upload = async (rig: FleetRig, company: string): Promise<string> =>
  rig.upload(await drawPlainDeck(plainSlides(company).slice(0, 2)), `${company}.pdf`);
const created = ({ provider }: FleetRig): string[] => provider.calls.filter((call) => call === 'POST /instances');

/** A deck by the profile boots a machine of this pool, which pulls the model, proves it and answers with it alone. */
async function answersAlone(rig: FleetRig, company: string, pool: string): Promise<void> {
  expect((await rig.machineModels.stats()).loadsByModel[QUILL]).toBeUndefined();
  const report = await rig.review(await upload(rig, company), { models: 'quill' });
  expect(report.status).toBe('completed');
  expect(report.slides.map((slide) => slide.descriptionProvenance)).toMatchObject([
    { model: QUILL, modelDigest: digest },
    { model: QUILL, modelDigest: digest },
  ]);
  const attempts = await rig.db.callAttempt.findMany({ where: { analysisId: report.analysisId, outcome: 'stored' } });
  expect(new Set(attempts.map(({ modelName }) => modelName))).toEqual(new Set([QUILL]));
  expect(new Set(attempts.map(({ instanceName }) => instanceName.split('-')[0]))).toEqual(new Set([pool]));
  expect((await rig.machineModels.stats()).loadsByModel[QUILL]).toBeGreaterThan(0);
  const tasks = await rig.db.modelConfiguration.findMany({ where: { profile: 'quill' } });
  expect(tasks.every(({ pinnedDigest, pinnedAt }) => pinnedDigest === digest && pinnedAt !== null)).toBe(true);
  const { models } = await rig.client.GET('/models/probes', { params: { query: { model: QUILL } } });
  expect(models).toMatchObject([{ model: QUILL, digest }]);
  expect(created(rig)).not.toEqual([]);
}

describe('pools with queues of their own', () => {
  const rig = perFile(() =>
    startWith({
      pools: [
        quickPool({ name: 'blue' }),
        quickPool({ name: 'inkwell', ownQueues: true, models: 'quill' }),
        quickPool({ name: 'haunted', ownQueues: true, models: 'ghost' }),
      ],
    }),
  );

  it('a model whose need is not known is refused by name, and nothing is rented for it', async () => {
    const { analysisId } = await rig.client.startAnalysis(await upload(rig, 'Geisterhof'), { models: 'ghost' });
    const refused = await until(() => rig.db.fleetInstance.findFirst({ where: { pool: 'haunted' } })).is(
      (instance) => instance !== null && instance.endedAt !== null,
    );
    expect(refused?.reason).toContain(
      `No machine is rented or set up for ${GHOST}: the size of its weights and the cache of a call are not known`,
    );
    expect(created(rig)).toEqual([]);
    await rig.client.POST('/analyses/{id}/cancel', { params: { path: { id: analysisId } } });
    await rig.ended(analysisId);
  });

  it('a deck by an added model boots a machine that pulls it, pins it and answers with it alone', async () => {
    await answersAlone(rig, 'Federkiel', 'inkwell');
    expect(await rig.db.fleetInstance.count({ where: { pool: 'blue' } })).toBe(0);
  });
});

describe('pools of the queues of all', () => {
  const rig = perFile(() => startWith({ models: 'quill', pools: [quickPool({ name: 'blue' })] }));

  it('hold an added model that is the profile of the installation', () => answersAlone(rig, 'Tintenfass', 'blue'));
});

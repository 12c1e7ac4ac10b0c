/**
 * A pool whose machines run vLLM, through Temporal, gateways and simulated machines that serve what their startup script says: a first boot that
 * fetches weights, readiness, answers, a drain, a sleep and a wake with the same identity, and a server that hangs and is restarted.
 */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { revisionDigest } from '../../activities/models/client/revision-digest.ts';
import { quickPool } from '../../testing/fleet-rig.ts';
import { startMachineRig } from '../../testing/fleet/machine-rig.ts';
import { folderPerFile, perFile } from '../../testing/per-file.ts';
import { drawPlainDeck, plainSlides } from '../../testing/plain-deck.ts';
import { sharedServers } from '../../testing/test-servers.ts';
import { until } from '../../testing/until.ts';

const MODEL = 'reader-vision:1';
const REPOSITORY = 'Deckhand/Reader-Vision';
const REVISION = '0123456789abcdef0123456789abcdef01234567';
const DIGEST = revisionDigest(MODEL, `${REPOSITORY}@${REVISION}`);
const POOL = quickPool({ name: 'house', engine: 'vllm', ownQueues: true, models: 'house', max: 1 });

const folder = folderPerFile();
const modelsFile = path.join(folder, 'models.json');

const rig = perFile(() => {
  const need = { seesPictures: true, window: 32_768, weightsGib: 0, kvCacheGibPerSlot: 0 };
  const models = [{ name: MODEL, repository: REPOSITORY, revision: REVISION, ...need }];
  const profiles = [{ name: 'house', models: { 'gpu-visual': MODEL, 'gpu-text': MODEL } }];
  writeFileSync(modelsFile, JSON.stringify({ models, profiles }));
  return startMachineRig({
    servers: sharedServers,
    scenario: {
      name: 'vllm',
      boot: { orderedSec: 0.1, provisioningSec: [0.1, 0.4], startSec: 0.2 },
      end: { stopSec: 0.1, deleteSec: [0.1, 0.4], diskLingerSec: 0 },
      stock: [{ types: '*', count: null }],
      modelServer: { pullMs: 6000, loadMs: 10, callSeconds: 0.4 },
    },
    pools: [POOL],
    health: { sampleIntervalMs: 1000, probeIdleMs: 6000, probeTimeoutMs: 10_000 },
    environment: {
      DECKHAND_MODELS_FILE: modelsFile,
      DECKHAND_MODEL_CONCURRENCY: '2',
      DECKHAND_SLOWEST_TOKENS_PER_SEC: '5000',
      // No other machine takes over: a call that was cut once has twice as long for the restart.
      DECKHAND_LEAST_SILENCE_SEC: '15',
    },
  });
});

const upload = async (company: string): Promise<string> =>
  rig.upload(await drawPlainDeck(plainSlides(company).slice(0, 2)), `${company}.pdf`);
const instances = () => rig.db.fleetInstance.findMany({ where: { pool: 'house' } });
const stateOf = async (): Promise<string | undefined> => (await rig.db.instanceServing.findFirst())?.state;
const asleep = () =>
  until(async () => (await instances()).map(({ phase }) => phase)).is((now) => now.join() === 'suspended');
/** Reviews a deck by the pool's profile. Every slide was described by the model with the identity of the commit. */
async function reviewed(company: string): Promise<void> {
  const { status, slides } = await rig.review(await upload(company), { models: 'house' });
  expect(status).toBe('completed');
  const answered = slides.map(({ descriptionProvenance: by }) => [by?.model, by?.modelDigest].join());
  expect(new Set(answered)).toEqual(new Set([[MODEL, DIGEST].join()]));
}

it('a machine fetches the weights at its first boot, says how far it is, and answers with the identity of the commit', async () => {
  const review = reviewed('Federkiel');
  const fetching = await until(() => rig.db.instanceServing.findFirst()).is((row) => row?.state === 'pulling');
  expect(fetching?.message).toBe(`downloading the weights of ${MODEL}`);
  await review;
  const tasks = await rig.db.modelConfiguration.findMany({ where: { profile: 'house' } });
  expect(new Set(tasks.map(({ pinnedDigest }) => pinnedDigest))).toEqual(new Set([DIGEST]));
});

it('the machine is drained, sleeps, and wakes for a second deck from its disk, without another download', async () => {
  await asleep();
  const before = await instances();
  const seen = new Set<string | undefined>();
  const watching = setInterval(() => void stateOf().then((state) => seen.add(state)), 100);
  await reviewed('Tintenfass');
  clearInterval(watching);
  expect((await instances()).map(({ name }) => name)).toEqual(before.map(({ name }) => name));
  expect([seen.has('serving'), seen.has('pulling')]).toEqual([true, false]);
});

it('a server that hangs while it answers is restarted over the host queue, and no slide is lost', async () => {
  await asleep();
  const [instance] = await instances();
  const { analysisId } = await rig.client.startAnalysis(await upload('Siegelwachs'), { models: 'house' });
  await until(() => rig.db.instanceServing.findFirst()).is((row) => (row?.inFlight ?? 0) > 0);
  await rig.setFaults(instance?.name ?? '', [{ kind: 'wedged' }]);
  await rig.ended(analysisId);
  const { status } = await rig.db.analysis.findUniqueOrThrow({ where: { id: analysisId } });
  expect(status).toBe('completed');
  const actions = await rig.db.healthTransition.findMany({
    where: { failure: 'runner_wedged', action: { not: 'none' } },
  });
  expect(actions.map(({ action }) => action)).toEqual(['restart']);
});

it('the diagnosis of the machine names the unit of vLLM and finds its model', async () => {
  const review = reviewed('Pergament');
  await until(() => rig.db.instanceServing.findFirst()).is((row) => row?.state === 'serving');
  const [instance] = await instances();
  const diagnosis = await rig.client.POST('/fleet/instances/{name}/diagnosis', {
    params: { path: { name: instance?.name ?? '' } },
  });
  expect(diagnosis.findings.map(({ name }) => name)).toContain('vLLM');
  await review;
});

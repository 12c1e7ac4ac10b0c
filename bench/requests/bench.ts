/**
 * `deckhand bench requests`: 200 requests for GPU work at the same moment, over HTTP, at a pool without a machine: pictures to be described, each
 * answered when its result is stored. Deckhand's processes, Postgres and Temporal are real; provider and model servers are simulated.
 */
import sharp from 'sharp';
import { clientApiKey } from '../../platform/own-api-key.ts';
import { startFleetRig, type FleetRig } from '../../testing/fleet-rig.ts';
import { drawPlainDeck, plainSlides } from '../../testing/plain-deck.ts';
import { readPages } from '../../testing/read-pdf.ts';
import { until } from '../../testing/until.ts';
import { percentile, type Figures } from '../figures.ts';

const REQUESTS = 200;
const MACHINES = 4;
const POOL = 'gpu';
const CALL_SECONDS = 0.5;
/** The longest that an endpoint keeps a request waiting. */
const WAIT_SEC = 300;

/** A machine boots in half a second, because the provider's time is not measured. */
const SCENARIO = {
  name: 'bench',
  boot: { orderedSec: 0.1, provisioningSec: 0.3, startSec: 0.2 },
  end: { stopSec: 0.1, deleteSec: 0.2, diskLingerSec: 0 },
  stock: [{ types: '*', count: null }],
};

/** Runs the benchmark. */
export async function benchRequests(figures: Figures, tell: (line: string) => void): Promise<void> {
  tell('starting the runtime and the simulated provider');
  const rig = await startFleetRig({
    scenario: SCENARIO,
    readerArgs: ['--call-seconds', String(CALL_SECONDS)],
    pools: [
      {
        name: POOL,
        classes: ['gpu-visual', 'gpu-text'],
        max: MACHINES,
        sleepPolicy: 'never',
        timing: { tickMs: 1_000, upDelayMs: 0, bootPollMs: 200, bootPollMaxMs: 500 },
      },
    ],
  });
  try {
    await until(() => rig.db.fleetPool.findFirst({ where: { name: POOL, nextLookAt: { not: null } } })).is(
      (row) => row !== null,
    );
    const pictures = await makePictures();
    tell(`${REQUESTS} requests at once`);
    const beganAt = new Date();
    const answers = await Promise.all(pictures.map((picture) => ask(rig, picture)));
    const done = answers.filter(({ status }) => status === 200);
    const seconds = done.map(({ tookMs }) => tookMs / 1000);
    figures.add('requests answered with a result', done.length, 'requests', `>= ${REQUESTS}`);
    figures.add('time to the result: median', percentile(seconds, 0.5), 's');
    figures.add('time to the result: p95', percentile(seconds, 0.95), 's', `<= ${WAIT_SEC}`);
    const intents = await rig.db.createIntent.findMany({ orderBy: { createdAt: 'asc' } });
    figures.add('machines bought', intents.length, 'machines', `<= ${MACHINES}`);
    const first = intents[0]?.createdAt.getTime() ?? Infinity;
    figures.add('first request to the first create', (first - beganAt.getTime()) / 1000, 's', '<= 120');
    const calls = await rig.db.modelCall.groupBy({ by: ['state'], _count: true });
    const stored = calls.find(({ state }) => state === 'stored')?._count ?? 0;
    figures.add('model calls stored', stored, 'calls', `>= ${REQUESTS}`);
  } finally {
    await rig.stop();
  }
}

interface Answer {
  readonly status: number;
  readonly tookMs: number;
}

async function ask(rig: FleetRig, image: string): Promise<Answer> {
  const beganMs = performance.now();
  const response = await fetch(`${rig.runtime.apiUrl}/api/visual-analysis?waitSec=${WAIT_SEC}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${clientApiKey(rig.config) ?? ''}`, 'content-type': 'application/json' },
    body: JSON.stringify({ image }),
  });
  await response.arrayBuffer();
  return { status: response.status, tookMs: performance.now() - beganMs };
}

/** Pictures of a slide that differ in one pixel, so that each is a deck of its own. */
async function makePictures(): Promise<readonly string[]> {
  const [page] = await readPages(await drawPlainDeck(plainSlides('Zelvarion').slice(1, 2)));
  if (page === undefined) throw new Error('the deck has no page');
  const { rgb, widthPx: width, heightPx: height } = page.raster;
  const pictures: string[] = [];
  for (let index = 0; index < REQUESTS; index += 1) {
    const pixels = Uint8Array.from(rgb);
    pixels[0] = index;
    const png = await sharp(pixels, { raw: { width, height, channels: 3 } })
      .png()
      .toBuffer();
    pictures.push(png.toString('base64'));
  }
  return pictures;
}

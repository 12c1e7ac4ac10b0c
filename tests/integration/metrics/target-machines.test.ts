/** What targets about machines are judged by, from the rows of a period. */
import { expect } from 'vitest';
import { readTargetFacts } from '../../../activities/metrics/targets.ts';
import { itWithFreshDatabase as it } from '../../../testing/database.ts';
import { aHistory, anAnalysis, anInstance } from '../../../testing/make.ts';

const AT_MS = Date.parse('2026-03-01T12:00:00Z');
const at = (seconds: number): Date => new Date(AT_MS + seconds * 1000);
const SPAN = { from: at(-3600), until: at(36_000) };

it('starts of woken and of new machines, responses to requests and answered looks are told apart', async ({ db }) => {
  await anAnalysis(db, { createdAt: at(0), status: 'completed' });
  await anInstance(db, { name: 'a' });
  await aHistory(db, 'a', [
    { toPhase: 'planned', at: at(10) },
    { fromPhase: 'planned', toPhase: 'creating', at: at(12) },
    // The first offer was refused.
    { fromPhase: 'creating', toPhase: 'creating', at: at(40) },
    { fromPhase: 'creating', toPhase: 'booting', at: at(60) },
    { fromPhase: 'booting', toPhase: 'ready', at: at(312) },
    // Attached again after its gateway was lost: no start.
    { fromPhase: 'ready', toPhase: 'booting', at: at(400) },
    { fromPhase: 'booting', toPhase: 'ready', at: at(450) },
    { fromPhase: 'ready', toPhase: 'suspended', at: at(900) },
    // Nobody asked for hours.
    { fromPhase: 'suspended', toPhase: 'waking', at: at(8000) },
    { fromPhase: 'waking', toPhase: 'booting', at: at(8010) },
    { fromPhase: 'booting', toPhase: 'ready', at: at(8090) },
  ]);
  await anInstance(db, { name: 'static-1', pool: 'static', provider: 'static' });
  await aHistory(db, 'static-1', [{ fromPhase: 'booting', toPhase: 'ready', at: at(20) }]);
  await db.healthSample.createMany({
    data: [0, 60, 120, 180].map((seconds) => ({
      id: `sample-${seconds}`,
      instanceName: 'a',
      gpuIndex: 0,
      at: at(seconds),
      level: 'healthy',
      missing: seconds === 60,
    })),
  });
  const facts = await readTargetFacts(db, SPAN, 600_000, at(36_000));
  expect(facts).toMatchObject({
    boots: { count: 1, meanSeconds: 300 },
    wakes: { count: 1, meanSeconds: 90 },
    responses: { count: 1, meanSeconds: 10 },
    looks: { count: 4, answered: 3 },
    saving: { rentals: 0, share: null },
  });
});

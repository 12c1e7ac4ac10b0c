/** What alert rules look at in detail: which rows count, and what their messages say. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect } from 'vitest';
import type { PrismaClient } from '../../../generated/prisma/client.ts';
import { itWithFreshDatabase as it } from '../../../testing/database.ts';
import { aDeck, aHistory, anAnalysis, anInstance, aPool, modelCalls, NOW } from '../../../testing/make.ts';
import { folderPerTest } from '../../../testing/per-file.ts';
import { alertsOf, before, healthOf, HOUR_MS, MINUTE_MS, round, served } from './rounds.ts';

it.beforeEach(async ({ db }) => {
  await aPool(db, { reasons: ['work waits'], nextLookAt: NOW });
});

it('an instance that is ordered again and again is coming up since its first order, and anew after it slept', async ({
  db,
}) => {
  await anInstance(db, { name: 'visual-1', phase: 'booting', phaseSince: before(5 * MINUTE_MS), reason: 'ordered' });
  const steps = [
    ['creating', 90],
    ['booting', 80],
    ['ready', 70],
    ['suspended', 40],
    ['waking', 25],
    // No machine came; the next offer is looked for.
    ['planned', 20],
    ['creating', 15],
    ['booting', 5],
  ] as const;
  await aHistory(
    db,
    'visual-1',
    steps.map(([toPhase, minutes]) => ({ toPhase, at: before(minutes * MINUTE_MS) })),
  );
  await round(db, NOW);
  expect(await alertsOf(db, 'stuck-boot')).toMatchObject([
    {
      subject: 'visual-1',
      value: 25 * 60,
      message: 'visual-1 has been coming up for 25 min, after other attempts, and booting for 5 min: ordered.',
    },
  ]);
});

it('an instance that serves and was never measured is told of', async ({ db }) => {
  await served(db, 'visual-1', NOW, { readyAt: before(6 * MINUTE_MS) });
  for (const minutes of [0, 2]) await round(db, before(-minutes * MINUTE_MS));
  expect(await alertsOf(db, 'health-unmeasured')).toMatchObject([
    { subject: 'visual-1', message: 'visual-1 has served for 8 min and was never measured.' },
  ]);
});

it('no alert says that a machine cordoned by an operator is not looked at; one says so of a quarantined machine', async ({
  db,
}) => {
  await served(db, 'visual-1', NOW, { phase: 'cordoned' });
  await served(db, 'visual-2', NOW, { phase: 'cordoned' });
  await healthOf(db, 'visual-1', before(10 * MINUTE_MS));
  await healthOf(db, 'visual-2', before(10 * MINUTE_MS), { quarantinedAt: before(20 * MINUTE_MS) });
  for (const minutes of [0, 2]) await round(db, before(-minutes * MINUTE_MS));
  expect((await alertsOf(db, 'health-unmeasured')).map(({ subject }) => subject)).toEqual(['visual-2']);
});

it('the space for PDFs and slide images is the quota’s where that is nearer to its end than the disk', async ({
  db,
}) => {
  const directory = folderPerTest();
  await db.alertRule.updateMany({ where: { id: { not: 'disk-space' } }, data: { enabled: false } });
  mkdirSync(path.join(directory, 'deck'));
  writeFileSync(path.join(directory, 'deck', 'slide.webp'), Buffer.alloc(9500));
  await round(db, NOW, { blobDir: directory, blobQuotaBytes: 10_000 });
  const told = await alertsOf(db, 'disk-space');
  expect(told).toMatchObject([{ subject: '*', message: expect.stringContaining('(5 % of the quota)') as string }]);
  expect(told[0]?.value).toBeCloseTo(0.05, 9);
  // The file in the store decides, as it does for writes.
  writeFileSync(path.join(directory, '!quota'), '1000000');
  await round(db, before(-MINUTE_MS), { blobDir: directory, blobQuotaBytes: 10_000 });
  const condition = await db.alertCondition.findFirstOrThrow({ where: { ruleId: 'disk-space' } });
  expect(condition.value).toBeGreaterThan(0.05);
});

describe('an analysis stands still', () => {
  const stillSeconds = async (db: PrismaClient): Promise<number | undefined> => {
    await round(db, NOW);
    const where = { ruleId_subject: { ruleId: 'analysis-still', subject: '*' } };
    return (await db.alertCondition.findUniqueOrThrow({ where })).value;
  };
  const MINUTES = 60;

  it('since its last page, planned call or call that ended, whichever came last; a paused or finished one does not', async ({
    db,
  }) => {
    expect(await stillSeconds(db)).toBe(0);
    const { id: deckId } = await aDeck(db, { pageCount: 1, drawn: 1 });
    await db.slide.updateMany({ data: { createdAt: before(20 * MINUTE_MS) } });
    const started = { createdAt: before(HOUR_MS), startedAt: before(HOUR_MS) };
    await anAnalysis(db, { deckId, ...started, pausedAt: before(HOUR_MS) });
    await anAnalysis(db, { deckId, ...started, status: 'failed' });
    expect(await stillSeconds(db)).toBe(0);
    const analysis = await anAnalysis(db, { deckId, ...started });
    expect(await stillSeconds(db)).toBe(20 * MINUTES);
    await modelCalls(db, analysis, 1, { createdAt: before(10 * MINUTE_MS) });
    expect(await stillSeconds(db)).toBe(10 * MINUTES);
    await modelCalls(db, analysis, 1, {
      state: 'stored',
      createdAt: before(HOUR_MS),
      finishedAt: before(2 * MINUTE_MS),
    });
    expect(await stillSeconds(db)).toBe(2 * MINUTES);
  });

  it('is raised also where no call is open and every machine is well', async ({ db }) => {
    await served(db, 'visual-1', NOW);
    await healthOf(db, 'visual-1', NOW);
    const { id } = await anAnalysis(db, {
      deck: { pageCount: 12 },
      createdAt: before(4 * MINUTE_MS),
      announcedPages: 12,
    });
    await round(db, NOW);
    const { raised } = await round(db, before(-MINUTE_MS));
    expect(raised).toMatchObject([
      { rule: 'analysis-still', subject: '*', message: expect.stringContaining(id) as string },
    ]);
  });
});

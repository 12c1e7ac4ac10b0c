/** Targets and the performance of model calls, as the API answers them from rows. */
import { writeFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import type { PerformanceDocument, TargetList } from '../../../api/client.ts';
import { serveApi, startTestApi } from '../api/support.ts';
import { FLEET, healthRows, INSTANCE, ledgerRows, machineRows, reviewRows } from './installation.ts';
import { perFile } from '../../../testing/per-file.ts';
import { aRental, aLedgerEntry, aHistory, anAnalysis, anInstance } from '../../../testing/make.ts';

/** Noon of a day long over, so that the period is whole. */
const NOON_MS = Date.UTC(2026, 2, 29, 12);
const DAY = '2026-03-29';

const api = perFile(startTestApi);
beforeAll(async () => {
  writeFileSync(api.config.fleetFile, FLEET);
});

/** An answer of an API whose accounting has this time zone. */
async function inZone<T>(timezone: string, path: string): Promise<T> {
  writeFileSync(api.config.fleetFile, JSON.stringify({ accounting: { timezone } }));
  const served = await serveApi(api);
  try {
    return (await (await fetch(`${served.url}/api/v1${path}`, { headers: api.authorization })).json()) as T;
  } finally {
    await served.close();
    writeFileSync(api.config.fleetFile, FLEET);
  }
}

const verdicts = async (query = `?period=${DAY}`): Promise<Map<string, TargetList['items'][number]>> => {
  const { status, body } = await api.call('GET', `/targets${query}`);
  expect(status).toBe(200);
  return new Map((body as TargetList).items.map((item) => [item.target, item]));
};

describe('GET /targets', () => {
  it('GET /targets has no data of a time in which nothing happened', async () => {
    const found = [...(await verdicts()).values()];
    expect(found.map(({ state, value, samples }) => [state, value, samples])).toEqual(
      found.map(() => ['no_data', null, 0]),
    );
  });

  it('GET /targets judges a day by what happened in it', async () => {
    await machineRows(api.db, NOON_MS);
    await healthRows(api.db, NOON_MS);
    const review = await reviewRows(api.db, NOON_MS, 'one');
    await ledgerRows(api.db, NOON_MS, review);
    const at = (minutes: number): Date => new Date(NOON_MS - minutes * 60_000);
    const analyses = [
      // A file that cannot be reviewed, one that was cancelled, one that failed of itself, and one that took longer than it should.
      { id: 'bad', status: 'failed', failureCode: 'pdf_damaged', createdAt: at(50), finishedAt: at(49) },
      { id: 'gone', status: 'cancelled', createdAt: at(50), finishedAt: at(49) },
      { id: 'broken', status: 'failed', failureCode: 'internal', createdAt: at(50), finishedAt: at(49) },
      { id: 'slow', status: 'completed', createdAt: at(30), finishedAt: at(10) },
      // The next day's.
      { id: 'later', status: 'completed', createdAt: at(-800), finishedAt: at(-810) },
    ] as const;
    for (const values of analyses)
      await anAnalysis(api.db, { deckId: review.deckId, workflowId: values.id, ...values });
    const found = await verdicts();
    const figures = Object.fromEntries([...found].map(([target, v]) => [target, [v.value, v.state, v.samples]]));
    // Those of starts, looks and savings: target-machines.test.ts.
    expect(figures).toMatchObject({
      wait_mean: [60, 'met', 1],
      wait_within_10_min: [1, 'met', 1],
      done_within_sla: [1 / 3, 'not_met', 3],
      call_success: [0.75, 'not_met', 4],
      analysis_success: [2 / 3, 'not_met', 3],
      // Of two machines the second was to be replaced for its health.
      instance_failure: [0.5, 'not_met', 2],
      cost_per_month: [0.06, 'met', 1],
      cost_per_document_vision: [0.03, 'met', 1],
      cost_per_document_total: [0.06, 'told', 1],
    });
  });

  it('GET /targets counts a machine that served all of a period and has ended since', async () => {
    const failures = async () => (await verdicts('?period=2026-03-31')).get('instance_failure');
    const before = await failures();
    const day = (days: number): Date => new Date(NOON_MS + days * 86_400_000);
    await aRental(api.db, { instanceName: INSTANCE, billedFrom: day(0), billedUntil: day(4) });
    await aRental(api.db, { instanceName: INSTANCE, billedFrom: day(-1), billedUntil: day(0) });
    expect((await failures())?.samples).toBe((before?.samples ?? 0) + 1);
  });

  it('counts no server that runs already, though it came, served and ended in the period', async () => {
    const of = async () => {
      const found = await verdicts('?period=2026-06-30');
      return [found.get('instance_failure')?.samples, found.get('cost_per_month')?.samples];
    };
    const before = await of();
    const day = new Date('2026-06-30T12:00:00Z');
    const own = { provider: 'static', providerId: 'own-1' };
    await anInstance(api.db, { name: 'own-1', pool: 'own', ...own, phaseSince: day, billedSince: day });
    const phases = ['booting', 'ready', 'booting', 'ready', 'gone'];
    const steps = phases.map((toPhase, position) => ({
      at: day,
      fromPhase: phases[position - 1] ?? 'planned',
      toPhase,
      providerId: 'own-1',
    }));
    await aHistory(api.db, 'own-1', steps);
    const free = { provider: 'static', priceUsdPerHour: 0 };
    await aRental(api.db, { id: 'own-1', instanceName: 'own-1', ...free, billedFrom: day });
    await aLedgerEntry(api.db, { rentalId: 'own-1', provider: 'static', kind: 'idle', amountUsd: '0', fromAt: day });
    expect(await of()).toEqual(before);
  });

  it('GET /targets counts an analysis that still waits with its wait so far, and not one that is held or needed no call', async () => {
    const before = (await verdicts('?period=24h')).get('wait_mean')?.samples;
    const createdAt = new Date(Date.now() - 3 * 3_600_000);
    const since = { deckId: 'deck-one', createdAt };
    await anAnalysis(api.db, { id: 'waits', ...since });
    await anAnalysis(api.db, { id: 'held', ...since, pausedAt: createdAt });
    await anAnalysis(api.db, { id: 'stored', ...since, status: 'completed', finishedAt: createdAt });
    const found = await verdicts('?period=24h');
    expect([before, found.get('wait_mean')?.samples]).toEqual([0, 1]);
    expect(found.get('wait_mean')?.value).toBeGreaterThanOrEqual(3 * 3600);
    expect(found.get('wait_within_10_min')).toMatchObject({ value: 0, state: 'not_met' });
  });

  it('GET /targets takes a period in words or by its ends, in the time zone of accounting, and refuses what is none', async () => {
    const { body } = await api.call('GET', `/targets?from=2026-03-29T00:00:00%2B02:00&to=2026-03-29T14:00:00Z`);
    expect(body).toMatchObject({ from: '2026-03-28T22:00:00.000Z', until: '2026-03-29T14:00:00.000Z' });
    // The day on which clocks go forward has 23 hours.
    expect(await inZone('Europe/Berlin', `/targets?period=${DAY}`)).toMatchObject({
      from: '2026-03-28T23:00:00.000Z',
      until: '2026-03-29T22:00:00.000Z',
      timezone: 'Europe/Berlin',
    });
    for (const query of [
      'period=soon',
      'from=2200-01-01T00:00:00Z',
      'period=24h&from=2026-01-01T00:00:00Z',
      'from=2020-01-01T00:00:00Z',
      'from=yesterday',
    ]) {
      expect((await api.call('GET', `/targets?${query}`)).status, query).toBe(400);
    }
  });

  it('GET /targets is an operator’s', async () => {
    const { key } = await api.client.POST('/keys', { body: { name: 'reader', role: 'analyst' } });
    for (const path of ['/targets', '/performance']) {
      const answer = await api.call('GET', path, { headers: { authorization: `Bearer ${key}` } });
      expect(answer.status).toBe(403);
    }
  });
});

describe('GET /performance', () => {
  const series = async (query: string): Promise<PerformanceDocument> => {
    const { status, body } = await api.call('GET', `/performance?${query}`);
    expect(status).toBe(200);
    return body as PerformanceDocument;
  };

  it('GET /performance tells calls apart by stage, task or model, with durations of those that stored an answer', async () => {
    const byModel = await series(`period=${DAY}&by=model`);
    expect(
      byModel.items.map(({ group, stored, failed, cut, meanSeconds }) => [group, stored, failed, cut, meanSeconds]),
    ).toEqual([
      ['text:1', 1, 1, 1, 12],
      ['eyes:1', 2, 0, 0, 12],
    ]);
    expect(byModel.items[0]?.failureRate).toBe(0.5);
    expect((await series(`period=${DAY}&by=task`)).items).toHaveLength(5);
    const byStage = await series(`period=${DAY}&by=stage`);
    expect(byStage.items.map(({ group }) => group).toSorted()).toEqual(['extraction', 'scoring', 'slides', 'template']);
    expect(byStage.items[0]?.points).toEqual([
      {
        at: '2026-03-29T00:00:00.000Z',
        stored: 2,
        failed: 0,
        cut: 0,
        meanSeconds: 12,
        medianSeconds: 12,
        p95Seconds: 12,
        failureRate: 0,
      },
    ]);
  });

  it('GET /performance has every hour of a day, in that of the calls their figures', async () => {
    const [slides] = (await series(`period=${DAY}&bucket=hour`)).items.filter(({ group }) => group === 'slides');
    expect(slides?.points).toHaveLength(24);
    expect(slides?.points.filter(({ stored }) => stored > 0).map(({ at }) => at)).toEqual(['2026-03-29T11:00:00.000Z']);
  });

  it('GET /performance begins days at midnight of the zone', async () => {
    const document = await inZone<PerformanceDocument>('Pacific/Auckland', '/performance?period=2026-03-29/2026-03-30');
    const [slides] = document.items.filter(({ group }) => group === 'slides');
    expect(slides?.points.map(({ at, stored }) => [at, stored])).toEqual([
      ['2026-03-28T11:00:00.000Z', 0],
      ['2026-03-29T11:00:00.000Z', 2],
    ]);
  });

  it('GET /performance is empty, and no error, without a call', async () => {
    expect((await series('period=2026-01-01')).items).toEqual([]);
  });
});

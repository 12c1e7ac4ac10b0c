/**
 * A stack that runs, on rented (simulated) machines: one scrape holds everything, Prometheus' own tool takes it, what rules and dashboard show is
 * in it, and what a worker counts does not go down when decks are reviewed or deleted, or the API is killed.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TargetList } from '../../api/client.ts';
import { isMetricName, METRIC_NAMES } from '../../domain/metrics/catalogue.ts';
import { clientApiKey } from '../../platform/own-api-key.ts';
import { fallen, growing, namesOf, seriesOf, typesOf, type Series } from '../integration/metrics/exposition.ts';
import { runCommand, type CommandRun } from '../../testing/command.ts';
import { QUICK_SCENARIO, startFleetRig, type FleetRig } from '../../testing/fleet-rig.ts';
import { plainDeck } from '../../testing/plain-deck.ts';
import { until } from '../../testing/until.ts';
import { metricsIn, readDashboard, readRules, withoutVariables } from './files.ts';
import { promtool, promtoolBinary, tell } from './promtool.ts';

/** Reviews that have ended: the control process counts them. */
const ENDED = 'deckhand_analysis_seconds_count{process="control",task_type="full_review",outcome="completed"}';

let rig: FleetRig;

/** A scrape, by the key of the data directory. Scrapes within two seconds are one. */
async function scrape(): Promise<string> {
  await delay(2100);
  const headers = { authorization: `Bearer ${clientApiKey(rig.config) ?? ''}` };
  return until(async () => {
    try {
      const response = await fetch(`${rig.runtime.apiUrl}/metrics`, { headers });
      return response.ok ? await response.text() : '';
    } catch {
      // It is just being started again.
      return '';
    }
  }).is((text) => text !== '');
}

const review = async (company: string): Promise<string> => {
  const deckId = await rig.upload(await plainDeck(company), `${company}.pdf`);
  await rig.review(deckId);
  return deckId;
};

/** Kills a process with -9 and waits until another one is in its place. */
async function killed(service: string): Promise<void> {
  const pid = await rig.pidOf(service);
  await rig.kill(service);
  await until(() => rig.pidOf(service).catch(() => pid)).is((now) => now !== pid);
}

const isOurs = (name: string): boolean =>
  isMetricName(name) || METRIC_NAMES.some((own) => name.replace(/_(bucket|sum|count)$/u, '') === own);
/** Counters and histograms of ours that a process counts which is not the API. */
const ofWorkers = (text: string): Series =>
  new Map([...growing(text, isOurs)].filter(([key]) => !key.includes('process="api"')));

beforeAll(async () => {
  await promtoolBinary(tell);
  rig = await startFleetRig({
    scenario: QUICK_SCENARIO,
    pools: [
      {
        name: 'both',
        classes: ['gpu-visual', 'gpu-text'],
        selector: 'cheapest',
        timing: { tickMs: 500, bootPollMs: 200, minIdleMs: 1000 },
      },
    ],
  });
}, 900_000);
afterAll(() => rig.stop());

describe('a stack that runs', () => {
  it('shows everything in one scrape that promtool takes', async () => {
    await review('Alpha');
    // A worker or a group that is late in one scrape is shown as such.
    const text = await until(scrape).is((shown) => {
      const all = seriesOf(shown);
      const up = ['control', 'convert', 'gateway'].every((p) => all.get(`deckhand_worker_up{process="${p}"}`) === 1);
      return up && [...all].every(([key, value]) => !key.startsWith('deckhand_metrics_read') || value === 1);
    });
    const verdict = await promtool(['check', 'metrics'], { input: text });
    expect(verdict, verdict.output).toEqual({ ok: true, output: '' });
    const series = seriesOf(text);
    for (const process of ['control', 'convert', 'gateway']) {
      expect(series.get(`deckhand_worker_up{process="${process}"}`), process).toBe(1);
    }
    const unread = [...series].filter(([key, value]) => key.startsWith('deckhand_metrics_read') && value !== 1);
    expect(unread).toEqual([]);
    const names = namesOf(text);
    for (const name of [
      'gpu_instances',
      'gpu_provision_seconds',
      'slide_seconds',
      'pool_target',
      'deckhand_analysis_seconds',
    ]) {
      expect(names, name).toContain(name);
    }
  });

  it('shows what rules and dashboard ask for', async () => {
    const text = await scrape();
    const types = typesOf(text);
    const asked = [
      ...readRules().map(({ expr }) => expr),
      ...readDashboard().panels.flatMap(({ targets }) => targets.map(({ expr }) => withoutVariables(expr))),
    ].flatMap(metricsIn);
    const sdk = [...new Set(asked)].filter((name) => name.startsWith('temporal_'));
    expect(sdk.length).toBeGreaterThan(5);
    expect(sdk.filter((name) => !types.has(name) && !types.has(name.replace(/_(bucket|sum|count)$/u, '')))).toEqual([]);
    // Each of ours has a value in a scrape where everything has happened, as tests of the API see.
    expect(asked.filter((name) => !name.startsWith('temporal_') && name !== 'up' && !isOurs(name))).toEqual([]);
  });

  it('shows no less of a worker after more work, a deleted deck, nor an API that was killed', async () => {
    const before = ofWorkers(await scrape());
    const counted = before.get(ENDED) ?? 0;
    expect(counted).toBeGreaterThan(0);
    const deckId = await review('Beta');
    await rig.client.DELETE('/decks/{id}', { params: { path: { id: deckId } } });
    const between = ofWorkers(await scrape());
    expect(fallen(before, between)).toEqual([]);
    expect(between.get(ENDED)).toBe(counted + 1);

    await killed('api');
    await until(() =>
      rig.client.GET('/health').then(
        () => true,
        () => false,
      ),
    ).is(true);
    await review('Gamma');
    const after = ofWorkers(await scrape());
    expect(fallen(between, after)).toEqual([]);
    expect(after.get(ENDED)).toBe(counted + 2);
  });

  it('is judged and shown in a terminal', async () => {
    const environment = {
      ...rig.config.environment,
      DECKHAND_API_URL: rig.runtime.apiUrl,
      DECKHAND_API_KEY: clientApiKey(rig.config),
    };
    const deckhand = (...args: string[]): Promise<CommandRun> => runCommand(args, environment);
    const table = await deckhand('targets');
    expect(table.stdout).toMatch(/model calls with an answer +100 % +> 99 % +✓ met +\d+ calls/u);
    const json = await deckhand('targets', '--json', '--period', '24h');
    const { items } = JSON.parse(json.stdout) as TargetList;
    expect(items.find(({ target }) => target === 'wait_mean')?.samples).toBeGreaterThanOrEqual(2);
    // Whatever was not met is said by the exit code.
    expect(json.code).toBe(items.some(({ state }) => state === 'not_met') ? 1 : 0);
    const bars = await deckhand('performance', '--by', 'model', '--bucket', 'hour', '--period', '24h');
    expect(bars.stdout).toMatch(
      /reader-vision\S* +\d+ stored, 0 failed, mean [\d.]+ s, 0 % failed\n {2}duration {2}·+[▁-█]/u,
    );
    expect((await deckhand('performance', '--period', 'soon')).code).toBe(2);
  });

  it('forgets a worker that was killed, and shows the one in its place', async () => {
    await killed('convert');
    const workers = await until(async () =>
      [...seriesOf(await scrape())].filter(([key]) => key.startsWith('deckhand_worker_up')),
    ).is((found) => found.length === 3 && found.every(([, value]) => value === 1));
    expect(workers.map(([key]) => key)).toContain('deckhand_worker_up{process="convert"}');
  });
});

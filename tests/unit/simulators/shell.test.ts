/** The shell around every simulated provider: scenarios, control routes, faults that answer instead of the API. */
import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../../simulators/clouds/core/clock.ts';
import type { FaultRuleInput } from '../../../simulators/clouds/core/faults.ts';
import { scenarioNames } from '../../../simulators/clouds/core/scenario.ts';
import { SIMULATED_PROVIDERS } from '../../../simulators/clouds/providers.ts';

/** Calls that need no token, and how many are too many. */
const CALLS: Readonly<Record<string, readonly [path: string, tooMany: number]>> = {
  datacrunch: ['/v1/instance-types', 429],
  aws: ['/?Action=DescribeRegions', 503],
  google: ['/token', 403],
  azure: ['/api/retail/prices', 429],
};

describe.each(Object.entries(SIMULATED_PROVIDERS))('the simulated %s', (name, provider) => {
  const [path = '', tooMany] = CALLS[name] ?? [];
  const open = async (scenario = 'default') => {
    const { simulator } = await provider.open({ scenario, clock: new VirtualClock() });
    const control = (route: string, body?: unknown) =>
      simulator.fetch(
        `http://x/_control/${route}`,
        body === undefined ? {} : { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body) },
      );
    return { simulator, control };
  };

  it.each(scenarioNames(name))('has the scenario %s', async (scenario) => {
    expect((await open(scenario)).simulator.scenario.name).toBe(scenario);
  });

  it('is controlled, and refuses what it does not know with the name of the field', async () => {
    const { simulator, control } = await open();
    const before = simulator.clock.nowMs();
    expect((await control('clock/advance', { ms: 60_000 })).status).toBe(200);
    expect(await (await control('stats')).json()).toMatchObject({ nowMs: before + 60_000, calls: {} });
    expect((await control('quotas', { gpus: 1 })).status).toBe(200);
    expect(simulator.core.state.quotas.gpus).toBe(1);
    expect((await control('nothing', {})).status).toBe(404);
    expect((await control('quotas', '{')).status).toBe(400);
    expect([400, 409]).toContain((await control('evict', { id: 'nothing' })).status);
    const refused = await control('faults', [{ effect: 'meteor' }]);
    expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining('0.effect')]);
  });

  it('answers as scripted instead of its API: refused, throttled, by the edge, not at all', async () => {
    const { simulator } = await open();
    const rules: readonly FaultRuleInput[] = [
      { effect: 'error', status: 418, message: 'a scripted word' },
      { effect: 'rate_limit' },
      { effect: 'html_502' },
      { effect: 'timeout' },
    ];
    simulator.setFaults(rules.map((rule, index) => ({ ...rule, match: { nth: index + 1 } })));
    const ask = () => simulator.fetch(`http://x${path}`);
    const first = await ask();
    expect([first.status, await first.text()]).toEqual([418, expect.stringContaining('a scripted word')]);
    expect((await ask()).status).toBe(tooMany);
    const page = await ask();
    expect([page.status, await page.text()]).toEqual([502, expect.stringContaining('<h1>Bad gateway</h1>')]);
    await expect(ask()).rejects.toMatchObject({ name: 'TimeoutError' });
    expect(Object.values(simulator.core.state.stats.calls)).toEqual([4]);
    expect(simulator.core.state.stats.faults).toEqual({ error: 1, rate_limit: 1, html_502: 1, timeout: 1 });
  });
});

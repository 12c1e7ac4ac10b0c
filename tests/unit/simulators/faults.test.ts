/** Every scripted fault does what its name says. */
import { describe, expect, it } from 'vitest';
import type { FaultRuleInput } from '../../../simulators/clouds/core/faults.ts';
import { startRig, type Rig } from './datacrunch-client.ts';

const CREATE = { method: 'POST', path: '/instances' } as const;
const LIST = { method: 'GET', path: '/instances' } as const;

async function withFaults(...rules: FaultRuleInput[]): Promise<Rig> {
  const rig = await startRig();
  rig.datacrunch.setFaults(rules);
  return rig;
}
const listed = async (rig: Rig): Promise<{ id: string; status: string }[]> =>
  (await rig.call('GET', '/instances')).json();

describe('answers of the simulated provider', () => {
  it('fail by status, once, by number or in a row', async () => {
    const rig = await withFaults(
      { match: { ...LIST, nth: [2, 3] }, effect: 'error', status: 503, message: 'maintenance' },
      { match: { ...LIST, everyN: 5 }, effect: 'html_502' },
    );
    const statuses: number[] = [];
    for (let i = 0; i < 6; i += 1) statuses.push((await rig.call('GET', '/instances')).status);
    expect(statuses).toEqual([200, 503, 503, 200, 502, 200]);
  });

  it('fail within a window of time', async () => {
    const rig = await withFaults({ match: { fromSec: 10, untilSec: 20 }, effect: 'error', status: 500 });
    const statuses: number[] = [];
    for (let sec = 0; sec < 30; sec += 5) {
      statuses.push((await rig.call('GET', '/balance')).status);
      rig.clock.advance(5000);
    }
    expect(statuses).toEqual([200, 200, 500, 500, 200, 200]);
  });

  it('come too often: 429 with Retry-After and short text', async () => {
    const rig = await withFaults({ effect: 'rate_limit', retryAfterSec: 7 });
    const answer = await rig.call('GET', '/balance');
    expect([answer.status, answer.headers.get('retry-after'), answer.text]).toEqual([429, '7', 'Rate limit']);
  });

  it('never come, and nothing is done', async () => {
    const rig = await withFaults({ match: CREATE, effect: 'timeout' });
    await expect(rig.create()).rejects.toMatchObject({ name: 'TimeoutError' });
    expect(rig.datacrunch.core.allInstances()).toEqual([]);
  });

  it.each([
    [{ silent: false }, { name: 'TypeError', message: 'fetch failed' }],
    [{ silent: true }, { name: 'TimeoutError' }],
  ])('are lost although the work is done %j', async (how, error) => {
    const rig = await withFaults({ match: CREATE, times: 1, effect: 'drop_answer', ...how });
    await expect(rig.create()).rejects.toMatchObject(error);
    expect(await listed(rig)).toHaveLength(1);
    expect((await rig.create()).status).toBe(202);
  });

  it('come late, on the simulator’s clock', async () => {
    const rig = await withFaults({ match: LIST, effect: 'delay', delaySec: 30 });
    let isAnswered = false;
    const answer = rig.call('GET', '/instances').then((a) => {
      isAnswered = true;
      return a.status;
    });
    await new Promise(setImmediate);
    rig.clock.advance(29_000);
    await new Promise(setImmediate);
    expect(isAnswered).toBe(false);
    rig.clock.advance(1000);
    expect(await answer).toBe(200);
  });

  it('are delivered twice', async () => {
    const rig = await withFaults({ match: CREATE, effect: 'duplicate' });
    await rig.create();
    expect(await listed(rig)).toHaveLength(2);
  });

  it('show lists of yesterday: what is new is missing, what ended is there', async () => {
    const rig = await withFaults({ match: { ...LIST, nth: [1, 3] }, effect: 'stale_list', bySec: 30 });
    const { text } = await rig.create();
    rig.clock.advance(10_000);
    expect(await listed(rig)).toEqual([]);
    expect(await listed(rig)).toHaveLength(1);
    rig.clock.advance(90_000);
    await rig.call('PUT', '/instances', { id: text, action: 'delete', volume_ids: [] });
    rig.clock.advance(10_000);
    expect(await listed(rig)).toMatchObject([{ id: text, status: 'running' }]);
    expect(await listed(rig)).toEqual([]);
  });

  it('carry an unknown status', async () => {
    const rig = await withFaults({ match: { method: 'GET' }, times: 1, effect: 'unknown_status', word: 'moonlit' });
    const { text } = await rig.create();
    expect(await rig.status(text)).toBe('moonlit');
    expect(await rig.status(text)).toBe('ordered');
  });
});

describe('creates at the simulated provider', () => {
  it('land later although the connection was cut, and are not billed before', async () => {
    const rig = await withFaults({ match: CREATE, effect: 'lands_later', delaySec: 45 });
    await expect(rig.create()).rejects.toThrow('fetch failed');
    rig.clock.advance(44_000);
    expect(await listed(rig)).toEqual([]);
    expect(rig.datacrunch.core.ledger().chargedUsd).toBe(0);
    rig.clock.advance(1000);
    expect(await listed(rig)).toMatchObject([{ status: 'ordered' }]);
    expect(rig.datacrunch.core.ledger().chargedUsd).toBeGreaterThan(0);
  });

  it('run out of capacity after they were accepted; the remains can be deleted', async () => {
    const rig = await withFaults({
      match: { ...CREATE, location: 'FIN-01' },
      effect: 'no_capacity_later',
      afterSec: 20,
    });
    const { text } = await rig.create();
    rig.clock.advance(19_000);
    expect(await rig.status(text)).toBe('ordered');
    rig.clock.advance(1000);
    expect(await rig.status(text)).toBe('no_capacity');
    expect((await rig.call('PUT', '/instances', { id: text, action: 'delete' })).status).toBe(202);
    rig.clock.advance(5000);
    expect(await listed(rig)).toEqual([]);
    const elsewhere = await rig.running({ location_code: 'FIN-02' });
    expect(await rig.status(elsewhere)).toBe('running');
  });

  it('hang in provisioning, and cannot be deleted for a while', async () => {
    const rig = await withFaults({ match: CREATE, effect: 'hang_provisioning', deletableAfterSec: 900 });
    const { text } = await rig.create();
    rig.clock.advance(899_000);
    expect(await rig.status(text)).toBe('provisioning');
    expect((await rig.call('PUT', '/instances', { id: text, action: 'delete' })).status).toBe(403);
    rig.clock.advance(1000);
    expect((await rig.call('PUT', '/instances', { id: text, action: 'delete' })).status).toBe(202);
  });

  it.each(['error', 'installation_failed'] as const)('fail to boot as %s', async (as) => {
    const rig = await withFaults({ match: CREATE, effect: 'boot_fails', as });
    const text = await rig.running();
    expect(await rig.status(text)).toBe(as);
  });

  it('hang for a time and then run', async () => {
    const rig = await withFaults({ match: CREATE, effect: 'hang_provisioning', forSec: 1000 });
    const { text } = await rig.create();
    rig.clock.advance(1_010_000);
    expect(await rig.status(text)).toBe('running');
  });

  it('show up in lists late', async () => {
    const rig = await withFaults({ match: CREATE, effect: 'list_lag', lagSec: 90 });
    await rig.create();
    rig.clock.advance(89_000);
    expect(await listed(rig)).toEqual([]);
    rig.clock.advance(1000);
    expect(await listed(rig)).toHaveLength(1);
  });

  it('are matched by type and market', async () => {
    const rig = await withFaults({ match: { instanceType: '1L40S*', market: 'spot' }, effect: 'error', status: 503 });
    expect((await rig.create()).status).toBe(202);
    expect((await rig.create({ is_spot: true })).status).toBe(503);
  });
});

/** `deckhand fleet` for people. */
import { expect, it } from 'vitest';
import type { FleetDocument, FleetInstanceDocument } from '../../../api/client.ts';
import { renderFleet, renderInstance } from '../../../cli/fleet/fleet-table.ts';

const AT = '2026-11-21T12:00:00.000Z';
const PLAIN = { colours: false, width: 100 };
const ALERTS = { info: 1, warning: 1, critical: 1 };

const instance = (changes: Partial<FleetInstanceDocument> = {}): FleetInstanceDocument => ({
  name: 'visual-1-9f2c',
  pool: 'visual',
  provider: 'datacrunch',
  phase: 'ready',
  since: '2026-11-21T11:58:50.000Z',
  reason: 'passed its readiness check',
  offer: 'datacrunch/FIN-03/1A100.22V/ondemand',
  priceUsdPerHour: 1.29,
  setupVersion: '0a1b2c3d4e5f',
  attempts: 3,
  costUsd: 0.0143,
  health: null,
  serving: {
    gateway: 'g',
    state: 'serving',
    message: null,
    pullPercent: null,
    inFlight: 3,
    finishedCalls: 12,
    slots: 4,
    models: ['gemma3:12b'],
    lastCallAt: AT,
    seenAt: AT,
  },
  createdAt: AT,
  endedAt: null,
  ...changes,
});

const fleet = (instances: FleetInstanceDocument[]): FleetDocument => ({
  at: AT,
  costUsd: 1.5,
  blocks: [],
  openAlerts: { info: 0, warning: 0, critical: 0 },
  pools: [
    {
      name: 'visual',
      provider: 'datacrunch',
      providers: ['datacrunch'],
      classes: ['gpu-visual'],
      selector: 'h100-or-less',
      min: 0,
      max: 3,
      target: 1,
      wish: 1,
      reasons: ['Up from 0 to 1.', 'second', 'third', 'fourth'],
      demand: { openCalls: 42, openSeconds: 500, oldestAgeMs: 61_000 },
      decidedAt: AT,
      nextLookAt: AT,
      costUsd: 1.5,
      instances,
    },
  ],
});

it('shows pool, reasons and instances', async () => {
  const booting = instance({ name: 'visual-2-0001', phase: 'booting', serving: null, reason: 'ordered', costUsd: 0 });
  const text = renderFleet({ ...fleet([instance(), booting]), openAlerts: ALERTS }, PLAIN);
  await expect(text).toMatchFileSnapshot('snapshots/fleet.txt');
});

it('says what a booting machine is at, that a spot machine is one, and that a quiet gateway is not believed', () => {
  const { serving } = instance();
  const pulling = instance({
    phase: 'booting',
    offer: 'datacrunch/FIN-03/1A100.22V/spot',
    serving: serving && { ...serving, state: 'pulling', pullPercent: 41.7 },
  });
  const quiet = instance({ name: 'q', serving: serving && { ...serving, inFlight: null } });
  const text = renderFleet(fleet([pulling, quiet]), PLAIN);
  expect(text).toContain('pulling models 41 %');
  expect(text).toContain('1A100.22V FIN-03 spot');
  expect(text).toContain('? of 4');
});

it('shows of a stopped machine what is billed: its price only where stopping does not end that', () => {
  const priceOf = (provider: string, phase: FleetInstanceDocument['phase']) =>
    renderFleet(fleet([instance({ provider, phase, priceUsdPerHour: 2.19 })]), PLAIN);
  expect(priceOf('azure', 'suspended')).toMatch(/ {2}disk and address {2}/u);
  expect(priceOf('google', 'suspended')).toMatch(/ {2}disk {2}/u);
  for (const text of [priceOf('datacrunch', 'suspended'), priceOf('azure', 'suspending')])
    expect(text).toMatch(/ \$2\.19 /u);
});

it('colours only where asked to, cuts long reasons, and lets no control character through', () => {
  const failing = instance({ phase: 'creating', reason: `no capacity \u001B[31m${'x'.repeat(300)}`, serving: null });
  const plain = renderFleet(fleet([failing]), PLAIN);
  expect(plain).not.toContain('\u001B');
  for (const line of plain.split('\n')) expect(line.length).toBeLessThanOrEqual(100);
  expect(renderFleet(fleet([failing]), { colours: true, width: 100 })).toContain('\u001B[33mcreating');
});

it('a fleet without pools says where they come from', async () => {
  const empty = { at: AT, pools: [], costUsd: 0, blocks: [], openAlerts: { info: 0, warning: 0, critical: 0 } };
  await expect(renderFleet(empty, PLAIN)).toMatchFileSnapshot('snapshots/fleet-without-pools.txt');
});

it('shows one instance with its history', async () => {
  const at = '2026-11-21T11:00:00.000Z';
  const transition = { at, from: null, to: 'planned', reason: 'wanted', priceUsdPerHour: null, offer: null };
  const text = renderInstance({ ...instance(), transitions: [{ ...transition, providerId: null }] }, PLAIN);
  await expect(text).toMatchFileSnapshot('snapshots/instance.txt');
});

it('says how many alerts are open, and nothing when none is', () => {
  const told = (openAlerts: FleetDocument['openAlerts']) => renderFleet({ ...fleet([]), openAlerts }, PLAIN);
  expect(told({ info: 0, warning: 0, critical: 0 })).not.toContain('alert');
  expect(told({ info: 0, warning: 1, critical: 0 })).toMatch(/^1 open.*: deckhand alerts$/mu);
  expect(told(ALERTS)).toMatch(/^3 open.*1 critical.*: deckhand alerts$/mu);
});

it('a pool names every provider that it rents from', () => {
  const one = fleet([]);
  const several = { ...one, pools: one.pools.map((pool) => ({ ...pool, providers: ['datacrunch', 'aws'] })) };
  expect(renderFleet(one, PLAIN)).toContain('· datacrunch h100-or-less');
  expect(renderFleet(several, PLAIN)).toContain('· datacrunch, aws h100-or-less');
});

/** `deckhand fleet` for people. */
import { expect, it } from 'vitest';
import type { FleetDocument, FleetInstanceDocument } from '../../../api/client.ts';
import { renderFleet, renderInstance } from '../../../cli/fleet/fleet-table.ts';
import { emptyFleet, fleetInstance, fleetOf } from './fleet-documents.ts';

const PLAIN = { colours: false, width: 100 };
const ALERTS = { info: 1, warning: 1, critical: 1 };

it('shows pool, reasons and instances', async () => {
  const booting = fleetInstance({
    name: 'visual-2-0001',
    phase: 'booting',
    serving: null,
    reason: 'ordered',
    costUsd: 0,
  });
  const text = renderFleet({ ...fleetOf(fleetInstance(), booting), openAlerts: ALERTS }, PLAIN);
  await expect(text).toMatchFileSnapshot('snapshots/fleet.txt');
});

it('says what a booting machine is at, that a spot machine is one, and that a quiet gateway is not believed', () => {
  const { serving } = fleetInstance();
  const pulling = fleetInstance({
    phase: 'booting',
    offer: 'datacrunch/FIN-03/1A100.22V/spot',
    serving: serving && { ...serving, state: 'pulling', pullPercent: 41.7 },
  });
  const quiet = fleetInstance({ name: 'q', serving: serving && { ...serving, inFlight: null } });
  const text = renderFleet(fleetOf(pulling, quiet), PLAIN);
  expect(text).toContain('pulling models 41 %');
  expect(text).toContain('1A100.22V FIN-03 spot');
  expect(text).toContain('? of 4');
});

it('shows of a stopped machine what is billed: its price only where stopping does not end that', () => {
  const priceOf = (provider: string, phase: FleetInstanceDocument['phase']) =>
    renderFleet(fleetOf(fleetInstance({ provider, phase, priceUsdPerHour: 2.19 })), PLAIN);
  expect(priceOf('azure', 'suspended')).toMatch(/ {2}disk and address {2}/u);
  expect(priceOf('google', 'suspended')).toMatch(/ {2}disk {2}/u);
  for (const text of [priceOf('datacrunch', 'suspended'), priceOf('azure', 'suspending')])
    expect(text).toMatch(/ \$2\.19 /u);
});

it('colours only where asked to, cuts long reasons, and lets no control character through', () => {
  const failing = fleetInstance({
    phase: 'creating',
    reason: `no capacity \u001B[31m${'x'.repeat(300)}`,
    serving: null,
  });
  const plain = renderFleet(fleetOf(failing), PLAIN);
  expect(plain).not.toContain('\u001B');
  for (const line of plain.split('\n')) expect(line.length).toBeLessThanOrEqual(100);
  expect(renderFleet(fleetOf(failing), { colours: true, width: 100 })).toContain('\u001B[33mcreating');
});

it('a fleet without pools says where they come from', async () => {
  await expect(renderFleet(emptyFleet(), PLAIN)).toMatchFileSnapshot('snapshots/fleet-without-pools.txt');
});

it('shows one instance with its history', async () => {
  const at = '2026-11-21T11:00:00.000Z';
  const transition = { at, from: null, to: 'planned', reason: 'wanted', priceUsdPerHour: null, offer: null };
  const text = renderInstance({ ...fleetInstance(), transitions: [{ ...transition, providerId: null }] }, PLAIN);
  await expect(text).toMatchFileSnapshot('snapshots/instance.txt');
});

it('says how many alerts are open, and nothing when none is', () => {
  const told = (openAlerts: FleetDocument['openAlerts']) => renderFleet({ ...fleetOf(), openAlerts }, PLAIN);
  expect(told({ info: 0, warning: 0, critical: 0 })).not.toContain('alert');
  expect(told({ info: 0, warning: 1, critical: 0 })).toMatch(/^1 open.*: deckhand alerts$/mu);
  expect(told(ALERTS)).toMatch(/^3 open.*1 critical.*: deckhand alerts$/mu);
});

it('a pool names every provider that it rents from', () => {
  const one = fleetOf();
  const several = { ...one, pools: one.pools.map((pool) => ({ ...pool, providers: ['datacrunch', 'aws'] })) };
  expect(renderFleet(one, PLAIN)).toContain('· datacrunch h100-or-less');
  expect(renderFleet(several, PLAIN)).toContain('· datacrunch, aws h100-or-less');
});

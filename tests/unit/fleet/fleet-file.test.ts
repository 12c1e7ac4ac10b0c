/** The fleet file as it is read: a setting that does not exist is refused by name, at any depth, before anything is bought. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { refusalOf } from '../../../testing/refusal.ts';
import { loadFleetFile } from './load-fleet-file.ts';

/** What it says of a file that it refuses. */
function refusal(file: unknown): string {
  const { code, message } = refusalOf(() => loadFleetFile(file));
  expect(code).toBe('usage');
  return message;
}

const pool = (settings: object): object => ({ pools: [{ name: 'visual', classes: ['gpu-visual'], ...settings }] });

it.each([
  ['of the fleet', { providr: 'datacrunch' }, '"providr"', '"provider"'],
  ['that caps a price', pool({ maxPriceUsdPerHuor: 2 }), '"maxPriceUsdPerHuor"', '"maxPriceUsdPerHour"'],
  ['that chooses the machines', pool({ selctor: 'v100' }), '"selctor"', '"selector"'],
  ['that limits the size', pool({ maxx: 3 }), '"maxx"', '"max"'],
  ['of the timing of a pool', pool({ timing: { tickMS: 1 } }), '"tickMS"', '"tickMs"'],
  ['of the reaper', { reaper: { intervall: 1 } }, '"intervall"', '"intervalMs"'],
  ['of the simulator', { simulator: { scenaro: 'demo' } }, '"scenaro"', '"scenario"'],
  ['of a provider', { provider: 'aws', providers: { aws: { region: ['eu-west-1'] } } }, '"region"', '"regions"'],
])('a mistyped setting %s is refused with the one that was probably meant', (_, file, wrong, meant) => {
  expect(refusal(file)).toContain(`there is no setting ${wrong}; did you mean ${meant}?`);
});

it('an unknown setting that resembles none is refused with all that there are in its place', () =>
  expect(refusal({ alerts: { xyz: 1 } })).toMatch(/alerts: there is no setting "xyz"; known here are intervalMs$/u));

it.each([
  ['aws', 'providers.aws.regions: has to name at least one region, such as ["eu-west-1"]'],
  ['google', 'providers.google.regions: has to name at least one region, such as ["europe-west4"]'],
  ['azure', 'providers.azure.locations: has to name at least one location, such as ["westeurope"]'],
])('a place of %s is asked for by name', (provider, words) => {
  expect(refusal({ provider })).toContain(words);
  expect(refusal({ provider, providers: { [provider]: { regions: [], locations: [] } } })).toContain(words);
});

it('a provider that a pool names twice, and a scenario for one that is not there, are refused by name', () => {
  expect(
    refusal({ provider: 'datacrunch', simulator: {}, ...pool({ providers: ['datacrunch', 'datacrunch'] }) }),
  ).toContain('pools.0.providers: names datacrunch twice');
  expect(refusal({ provider: 'datacrunch', simulator: { scenarios: { aws: 'demo' } } })).toContain(
    'simulator.scenarios.aws: is no provider of this fleet',
  );
});

it('the place of an unknown setting is told, and every one of them at once', () => {
  const said = refusal({ ...pool({ maxx: 1, selctor: 'v100' }), providr: 'x' });
  for (const words of ['pools.0: ', '"maxx"', '"selctor"', '"providr"']) expect(said).toContain(words);
});

it('a mistyped name of a setting that must be there is told before the setting that is missing', () => {
  const said = refusal({ pools: [{ nam: 'visual', classes: ['gpu-visual'] }] });
  expect(said).toContain('did you mean "name"?');
  expect(said.indexOf('"nam"')).toBeLessThan(said.indexOf('pools.0.name: '));
});

it('the models of another profile are refused for a pool whose queues other decks use, and hold for one of its own', () => {
  expect(refusal(pool({ models: 'ollama' }))).toMatch(/pools\.0\.models: only a pool with "ownQueues": true/u);
  const [own] = loadFleetFile(pool({ models: 'ollama', ownQueues: true })).pools;
  expect(own).toMatchObject({ models: 'ollama', ownQueues: true });
});

it('the examples of docs/fleet.md are accepted', () => {
  const text = readFileSync(path.resolve(import.meta.dirname, '../../../docs/fleet.md'), 'utf8');
  const files = [...text.matchAll(/```json\n(?<file>\{[^`]*\})\n```/gu)].flatMap((m) => m.groups?.['file'] ?? []);
  expect(files.length).toBeGreaterThan(0);
  for (const file of files) expect(() => loadFleetFile(JSON.parse(file))).not.toThrow();
});

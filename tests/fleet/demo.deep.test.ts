/**
 * The demo as a newcomer runs it: the ladder falls to its third tier, a machine boots and passes its readiness check, sleeps, and wakes for a second deck.
 */
import { readFileSync } from 'node:fs';
import { beforeAll, expect, it } from 'vitest';
import { loadConfig } from '../../platform/config.ts';
import { runCommand } from '../../testing/command.ts';
import { folderPerFile } from '../../testing/per-file.ts';

const home = folderPerFile();
let output = '';

beforeAll(async () => {
  const { code, stdout, stderr } = await runCommand(['demo'], { ...loadConfig().environment, DECKHAND_HOME: home });
  if (code !== 0) throw new Error(`demo ended with ${code}:\n${stderr}`);
  output = stdout;
});

it('the demo reviews the first deck', () => {
  expect(output).toContain('CardioSense');
  expect(output).toMatch(/Overall \d\.\d of 7/u);
});

it('the demo shows the ladder down to the third tier, the first that can be had', () => {
  const ladder = output.slice(output.indexOf('The ladder of the pool'), output.indexOf('What the fleet did'));
  const rungs = [...ladder.matchAll(/^ {2}(h100|a100-80|a100-40) .*$/gmu)];
  expect(rungs.map((m) => m[1])).toEqual(['h100', 'a100-80', 'a100-40']);
  expect(rungs[0]?.[0]).toContain('not available');
  expect(rungs[1]?.[0]).toContain('not available');
  expect(rungs[2]?.[0]).toContain('Tried first');
});

it('the demo boots a machine, serves, sleeps, and wakes it for the second deck', () => {
  const phases = [...output.matchAll(/^ +\d+\.\d s {2}\S+ +([a-z]+) /gmu)].map((m) => m[1] ?? '');
  const passed = phases.filter((phase, at) => phase !== phases[at - 1]);
  expect(passed.join(' ')).toBe('planned creating booting ready cordoned suspending suspended waking booting ready');
});

it('the demo leaves both reports behind', () => {
  const reports = [...output.matchAll(/(\S+\.html)$/gmu)].map((m) => m[1] ?? '');
  expect(reports.length).toBe(2);
  for (const file of reports) expect(readFileSync(file, 'utf8')).toContain('<html');
});

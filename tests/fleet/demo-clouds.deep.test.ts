/**
 * The demo with two clouds: the first has nothing, a machine of the second boots, serves, sleeps as a stopped machine, and is started again.
 */
import { beforeAll, expect, it } from 'vitest';
import { loadConfig } from '../../platform/config.ts';
import { runCommand } from '../../testing/command.ts';
import { folderPerFile } from '../../testing/per-file.ts';

const home = folderPerFile();
let output = '';

beforeAll(async () => {
  const { code, stdout, stderr } = await runCommand(['demo', '--clouds'], {
    ...loadConfig().environment,
    DECKHAND_HOME: home,
  });
  if (code !== 0) throw new Error(`demo ended with ${code}:\n${stderr}`);
  output = stdout;
});

it('the ladder shows the first cloud sold out and the second to be tried', () => {
  const ladder = output.slice(output.indexOf('The ladder of the pool'), output.indexOf('What the fleet did'));
  expect(ladder).toMatch(/^ {2}h100 .*1H100\S+ .*not available/mu);
  expect(ladder).toMatch(/Tried first: .*in eu-(?:west|central)-1[abc]/u);
});

it('one instance is created at the second cloud, sleeps there and is started again', () => {
  const steps = [...output.matchAll(/^ +\d+\.\d s {2}(\S+) +([a-z]+) +(.*)$/gmu)].map((m) => m.slice(1));
  expect(new Set(steps.map(([name]) => name)).size).toBe(1);
  // A ladder that got old on a busy machine is asked for again.
  const seeking = new Set(['planned', 'creating']);
  const phases = steps.map(([, phase = '']) => phase).filter((phase) => !seeking.has(phase));
  expect(phases).toEqual(['booting', 'ready', 'cordoned', 'suspending', 'suspended', 'waking', 'booting', 'ready']);
  const creates = steps.filter(([, phase]) => phase === 'creating').map(([, , reason]) => reason ?? '');
  for (const reason of creates) expect(reason).toMatch(/^attempt \d+ on aws\//u);
  expect(steps.at(-2)?.[2]).toBe('started again');
});

it('the costs are told by cloud', () => {
  const told = /would have cost \$0\.\d+ at the simulated prices: .*$/mu.exec(output)?.[0] ?? '';
  expect(told).toContain('datacrunch $0.0000');
  expect(told).toMatch(/aws \$0\.\d*[1-9]/u);
});

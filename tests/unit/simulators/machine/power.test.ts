/** Power of simulated GPUs. */
import { expect, it } from 'vitest';
import { queryXml } from '../../../../simulators/machine/nvidia-smi.ts';

const watts = (name: string, element: string): number => {
  const { output } = queryXml({ name, count: 1, vramGibEach: 80 }, []);
  return Number(new RegExp(`<${element}>([\\d.]+) W<`, 'u').exec(output)?.[1]);
};

it.each([
  ['H100 SXM5 80GB', 700],
  ['A100 SXM4 80GB', 400],
  ['L40S 48GB', 350],
  ['Tesla V100 16GB', 300],
  ['RTX PRO 6000 96GB', 600],
  ['B300 SXM6 262GB', 1400],
])('%s has a limit of %i W and draws less', (name, limit) => {
  expect(watts(name, 'current_power_limit')).toBe(limit);
  expect(watts(name, 'default_power_limit')).toBe(limit);
  expect(watts(name, 'average_power_draw')).toBeGreaterThan(0);
  expect(watts(name, 'average_power_draw')).toBeLessThan(limit / 2);
});

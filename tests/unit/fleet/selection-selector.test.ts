/** Tiers read from the catalogue, and the words that choose from it. */
import { describe, expect, it } from 'vitest';
import type { DeckhandError } from '../../../domain/errors.ts';
import { parseInstanceTypeName, identifyGpu, TIERS } from '../../../domain/fleet/selection/tiers.ts';
import { assertTypesExist } from '../../../domain/fleet/selection/selector-mistakes.ts';
import { parseSelector, whyNothingSelected, whyNotSelected } from '../../../domain/fleet/selection/selector.ts';
import { refusalOf } from '../../../testing/refusal.ts';
import { CATALOGUE, catalogueType } from './selection-catalogue.ts';

/** Names of the types that a selector takes, one after the other. */
const selected = (text: string): string => {
  const selector = parseSelector(text, CATALOGUE);
  return namesOf(CATALOGUE.filter((t) => whyNotSelected(selector, t) === null));
};
const namesOf = (types: typeof CATALOGUE): string => types.map((t) => t.instanceType).join(' ');

/** The error of a selector that is refused. */
const refusal = (text: string, catalogue = CATALOGUE): DeckhandError => refusalOf(() => parseSelector(text, catalogue));

it.each([
  ['1H100.80S.30V', { gpuCount: 1, gpu: 'H100', vramPerGpuGib: 80, vcpu: 30, confidential: false }],
  ['8A100.176V', { gpuCount: 8, gpu: 'A100', vramPerGpuGib: null, vcpu: 176, confidential: false }],
  ['1RTXPRO6000.30V.CC', { gpuCount: 1, gpu: 'RTXPRO6000', vramPerGpuGib: null, vcpu: 30, confidential: true }],
  ['8V100.48M', { gpuCount: 8, gpu: 'V100', vramPerGpuGib: null, vcpu: 48, confidential: false }],
])('type names: %s', (name, expected) => expect(parseInstanceTypeName(name)).toEqual(expected));

it.each(['CPU.4V.16G', 'H100', '1H100', '', '1.30V'])('type names: "%s" follows no grammar', (name) => {
  expect(parseInstanceTypeName(name)).toBeNull();
});

describe('tiers', () => {
  it('are these, best first: H200 above H100, the small ones last', () =>
    expect(TIERS.map((t) => t.slug).join(' ')).toBe(
      'b300 b200 h200 h100 a100-80 a100-40 rtx-pro-6000 rtx-6000-ada l40s a6000 rtx-4090 a10 l4 v100 t4',
    ));

  it('tiers are not guessed where name and model contradict each other', () =>
    expect(identifyGpu(catalogueType('1H100.80S.30V', 'A100', 1, 80, 1)).tier).toBeNull());
});

describe('selectors', () => {
  const below =
    '1H100.80S.30V 1H100.80S.32V 1A100.22V 1A100.40S.22V 1RTXPRO6000.30V 1RTX6000ADA.10V 1L40S.20V 1A6000.10V 1V100.6V';

  it.each([
    ['exact: that type alone', '1H100.80S.30V', '1H100.80S.30V'],
    ['exact: in any case', '1h200.141s.44v', '1H200.141S.44V'],
    ['exact: also one for confidential computing', '1RTXPRO6000.30V.CC', '1RTXPRO6000.30V.CC'],
    ['wildcard: variants from the catalogue, of one number of GPUs', 'ANY_1H100', '1H100.80S.30V 1H100.80S.32V'],
    ['wildcard: of any number of GPUs', 'ANY_H100', '1H100.80S.30V 1H100.80S.32V 8H100.80S.176V'],
    ['wildcard: of several GPUs', 'ANY_8H100', '8H100.80S.176V'],
    ['wildcard: in any case', 'any_1h200', '1H200.141S.44V'],
    ['wildcard: also without a tier', 'ANY_X900', '1X900.12V'],
    ['wildcard: none for confidential computing', 'ANY_1RTXPRO6000', '1RTXPRO6000.30V'],
    ['wildcard: of any memory', 'ANY_A100', '1A100.22V 1A100.40S.22V'],
    ['wildcard: with the memory where it is named', 'ANY_1A100_80', '1A100.22V'],
    ['wildcard: in the spelling of any cloud', 'ANY_1nvidia-tesla-a100', '1A100.22V 1A100.40S.22V'],
    ['wildcard: in that spelling with the memory', 'ANY_1nvidia-a100-80gb', '1A100.22V'],
    ['wildcard: with the memory in words', 'ANY_1A100 40GB', '1A100.40S.22V'],
    ['wildcard: with the name of a driver', 'ANY_2NVIDIA RTX A6000', '2A6000.20V'],
    ['ladder: one-GPU types of the tier and below', 'h100-or-less', below],
    ['ladder: in the other spelling', 'H100_OR_LESS', below],
    ['ladder: from a tier with its memory', 'A100_40_OR_LESS', below.slice(below.indexOf('1A100.40S'))],
    ['ladder: from the tier above', 'h200-or-less', `1H200.141S.44V ${below}`],
    ['tier: one-GPU types', 'a6000', '1A6000.10V'],
    ['tier: with its memory', 'A100_80', '1A100.22V'],
  ])('%s (%s)', (_rule, text, types) => expect(selected(text)).toBe(types));

  it('cheapest: every one-GPU type', () =>
    expect(selected('cheapest')).toBe(
      namesOf(CATALOGUE.filter((t) => t.gpuCount === 1 && !t.instanceType.endsWith('.CC'))),
    ));

  it.each([
    ['h10-or-less', 'h100-or-less'],
    ['1H100.80S.30', '1H100.80S.30V'],
    ['1A100.80S.22V', '1A100.22V'],
    ['1A100.40S.24V', '1A100.40S.22V'],
    ['4A6000.40V', '2A6000.20V'],
    ['NVIDIA H100 80GB', 'h100'],
    ['nvidia-a100-80gb', 'a100-80'],
    ['Standard_ND96isr_H200_v5', 'h200'],
    ['cheepest', 'cheapest'],
    ['ANY_1H10', 'ANY_1H100'],
    ['a100', 'a100-80'],
    ['a100-or-less', 'a100-80-or-less'],
  ])('%s is refused and something near is named', (text, guess) => {
    const error = refusal(text);
    expect(error.code).toBe('selector_unknown');
    expect(error.userMessage).toContain(`Did you mean ${guess}?`);
    expect(error.hint).toContain('rtx-pro-6000');
    expect(error.hint).toContain('ANY_1H100');
  });

  it.each(['', 'something-else-entirely', 'ANY_', 'ANY_1', '-or-less'])('"%s" is refused', (text) => {
    expect(refusal(text).code).toBe('selector_unknown');
  });
});

describe('GPUs that are never taken', () => {
  const MI300X = catalogueType('8MI300X.128V', 'MI300X', 8, 1536, 16);
  const K80 = catalogueType('old.large', 'Tesla K80', 1, 12, 0.5);
  const sold = [...CATALOGUE, MI300X, K80];

  it.each(['8MI300X.128V', 'ANY_8MI300X', 'ANY_MI300X'])('%s is refused: it is not of NVIDIA', (text) => {
    for (const catalogue of [sold, CATALOGUE])
      expect(refusal(text, catalogue).userMessage).toContain(`${text} has AMD's MI300X`);
  });

  it.each(['ANY_1K80', 'k80', 'p2.8xlarge'])('%s is refused: a K80 is too old for Ollama, sold or not', (text) => {
    for (const catalogue of [sold, CATALOGUE])
      expect(refusal(text, catalogue).userMessage).toContain('below the 5.0 that Ollama needs');
    expect(refusal('old.large', sold).userMessage).toContain('old.large has a K80');
  });

  it.each(['cheapest', 'b300-or-less', 'ANY_H100'])('%s takes none of them', (text) => {
    const selector = parseSelector(text, sold);
    for (const type of [MI300X, K80]) expect(whyNotSelected(selector, type)).toMatch(/AMD|Ollama/u);
  });

  it('a V100 of 16 GB is refused as withdrawn only where none is sold', () => {
    const without = CATALOGUE.filter((t) => !t.instanceType.includes('V100'));
    expect(refusal('v100-16', without).userMessage).toContain('withdrawn by the clouds');
    expect(refusal('p3.2xlarge', without).userMessage).toContain('withdrawn by the clouds');
    expect(refusal('v100-16').userMessage).toContain('Did you mean v100?');
  });
});

describe('a selector that takes nothing says why', () => {
  const why = (text: string, catalogue = CATALOGUE): string | null =>
    whyNothingSelected(parseSelector(text, catalogue), catalogue);

  it.each([
    ['ANY_3H100', 'H100 is sold with 1 or 8 GPUs.'],
    ['ANY_2A100_80', 'A100 80 GB is sold with 1 GPU.'],
    ['ANY_1L4', 'L4 is not sold.'],
    ['t4', 'T4 is not sold.'],
    ['t4-or-less', 'No one-GPU type of t4 or a tier below it is sold.'],
    ['ANY_1H100', null],
    ['h100-or-less', null],
    ['1H100.80S.30V', null],
  ])('%s: %s', (text, reason) => expect(why(text)).toBe(reason));

  it('a tier that is sold with several GPUs only', () => {
    const pairs = CATALOGUE.filter((t) => t.instanceType === '2A6000.20V');
    expect(why('a6000', pairs)).toBe(
      'RTX A6000 is sold with 2 GPUs, and a tier takes one-GPU types; ANY_A6000 takes them all.',
    );
  });
});

describe('types that are named to be left out', () => {
  const mistake = (name: string): DeckhandError => refusalOf(() => assertTypesExist([name], CATALOGUE));

  it('are accepted when they are sold', () =>
    expect(() => assertTypesExist(['1L40S.20V', 'CPU.4V.16G'], CATALOGUE)).not.toThrow());

  it.each([
    ['1H100.80S.30', '1H100.80S.30V'],
    ['1h100.80s.30v', '1H100.80S.30V'],
    ['1A100.80S.22V', '1A100.22V'],
    ['8H100.80S.30V', '8H100.80S.176V'],
  ])('%s is refused by name, with %s', (name, guess) => {
    expect(mistake(name).userMessage).toBe(`There is no machine type "${name}". Did you mean ${guess}?`);
  });

  it('are refused without a guess when nothing is near', () =>
    expect(mistake('NOPE').userMessage).toBe('There is no machine type "NOPE".'));

  it('no part of a GPU is proposed as a wildcard', () => {
    const parts = CATALOGUE.slice(0, 1).map((type) => ({ ...type, instanceType: 'NV36ads', model: 'NVIDIA A10-24Q' }));
    expect(refusal('NOPE', [...CATALOGUE, ...parts]).hint).not.toContain('A1024Q');
  });
});

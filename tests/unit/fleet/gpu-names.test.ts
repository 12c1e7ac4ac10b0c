/** GPUs by the spelling of every cloud: which tier an entry of a catalogue belongs to, and which names are refused with a reason. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chooseBootImage } from '../../../domain/fleet/provider/boot-image.ts';
import { gpuNamed, retiredName, whyUnsupported } from '../../../domain/fleet/selection/gpu-names.ts';
import { parseSelector } from '../../../domain/fleet/selection/selector.ts';
import { secondsPerSlide, secondsPerSlideTable } from '../../../domain/fleet/selection/slide-cost.ts';
import { identifyGpu, TIERS } from '../../../domain/fleet/selection/tiers.ts';
import { forAll } from '../../../testing/property.ts';
import { catalogueType } from './selection-catalogue.ts';

const MIB = 1 / 1024;
const PLAIN_TYPE = 'gpu.large';
const tierOf = (model: string, vramGib: number, instanceType = PLAIN_TYPE, gpuCount = 1): string | null =>
  identifyGpu(catalogueType(instanceType, model, gpuCount, vramGib, 1)).tier;

/** Name of a GPU, its memory in GiB, its tier. */
const MODELS: readonly (readonly [string, number, string])[] = [
  // As the API of EC2 names them, with memory in MiB.
  ['T4', 15360 * MIB, 't4'],
  ['A10G', 22888 * MIB, 'a10'],
  ['L4', 22888 * MIB, 'l4'],
  ['L40S', 45776 * MIB, 'l40s'],
  ['RTX PRO Server 6000', 97887 * MIB, 'rtx-pro-6000'],
  ['V100', 16384 * MIB, 'v100'],
  ['V100', 32768 * MIB, 'v100'],
  ['A100', 40960 * MIB, 'a100-40'],
  ['A100', 81920 * MIB, 'a100-80'],
  ['H100', 81920 * MIB, 'h100'],
  ['H200', 144384 * MIB, 'h200'],
  ['B200', 183359 * MIB, 'b200'],
  // Accelerators of Google.
  ['nvidia-l4', 24, 'l4'],
  ['nvidia-tesla-t4', 16, 't4'],
  ['nvidia-tesla-v100', 16, 'v100'],
  ['nvidia-tesla-a100', 40, 'a100-40'],
  ['nvidia-a100-80gb', 80, 'a100-80'],
  ['nvidia-h100-80gb', 80, 'h100'],
  ['nvidia-h100-mega-80gb', 80, 'h100'],
  ['nvidia-h200-141gb', 141, 'h200'],
  ['nvidia-b200', 180, 'b200'],
  ['nvidia-rtx-pro-6000', 96, 'rtx-pro-6000'],
  // As drivers and shops name them.
  ['NVIDIA L4', 24, 'l4'],
  ['NVIDIA L40S', 48, 'l40s'],
  ['Tesla T4', 15, 't4'],
  ['NVIDIA A10', 24, 'a10'],
  ['NVIDIA A10G', 22.5, 'a10'],
  ['NVIDIA GeForce RTX 4090', 24, 'rtx-4090'],
  ['RTX4090', 24, 'rtx-4090'],
  ['NVIDIA RTX A6000', 48, 'a6000'],
  ['RTXA6000', 48, 'a6000'],
  ['NVIDIA RTX 6000 Ada Generation', 48, 'rtx-6000-ada'],
  ['NVIDIA RTX PRO 6000 Blackwell Server Edition', 96, 'rtx-pro-6000'],
  ['RTXPRO6000', 96, 'rtx-pro-6000'],
  ['NVIDIA A100-SXM4-80GB', 80, 'a100-80'],
  ['NVIDIA A100-PCIE-40GB', 40, 'a100-40'],
  ['NVIDIA H100 80GB HBM3', 79.6, 'h100'],
  ['H100NVL', 94, 'h100'],
  ['NVIDIA H200 NVL', 141, 'h200'],
  ['NVIDIA B300 SXM6 AC', 275, 'b300'],
];

/** Name of a size, number of GPUs, memory of them all, tier. The model field repeats the name, as where a cloud has none. */
const SIZES = [
  ['Standard_NC24ads_A100_v4', 1, 80, 'a100-80'],
  ['Standard_NC40ads_H100_v5', 1, 94, 'h100'],
  ['Standard_NC4as_T4_v3', 1, 16, 't4'],
  ['Standard_NV36ads_A10_v5', 1, 24, 'a10'],
  ['Standard_ND96isr_H200_v5', 8, 1128, 'h200'],
  ['Standard_ND96amsr_A100_v4', 8, 640, 'a100-80'],
  ['n1-standard-8+nvidia-tesla-t4x1', 1, 16, 't4'],
  ['n1-standard-96+nvidia-tesla-t4x4', 4, 64, 't4'],
  ['gpu_1x_a10', 1, 24, 'a10'],
  ['gpu_8x_a100_80gb_sxm4', 8, 640, 'a100-80'],
  ['gpu_8x_a100', 8, 320, 'a100-40'],
  ['1A100.80S.22V', 1, 80, 'a100-80'],
  ['1A100.22V', 1, 80, 'a100-80'],
  ['8A100.40S.176V', 8, 320, 'a100-40'],
  ['2L4.16V', 2, 48, 'l4'],
  ['L40S-1-48G', 1, 48, 'l40s'],
] as const;

/** Names that are like a tier's and are none. */
const NO_TIER = [
  ['NVIDIA L40', 48],
  ['NVIDIA GH200 480GB', 96],
  ['NVIDIA GB300', 277],
  ['Quadro RTX 6000', 24],
  ['NVIDIA GeForce RTX 4090 D', 24],
  ['NVIDIA T400', 16],
  ['T4G', 16],
  ['NVIDIA A100X', 80],
  ['Tesla M60', 16],
  ['AMD Instinct MI300X', 192],
  ['NVIDIA A10-24Q', 24],
  ['GRID A100D-80C', 80],
  ['NVIDIA A100 80GB MIG 3g.40gb', 40],
  ['one of H100 or A100', 80],
  ['', 80],
] as const;

/** Any mix of capitals and small letters. */
const inAnyCase = (text: string): fc.Arbitrary<string> =>
  fc
    .array(fc.boolean(), { minLength: text.length, maxLength: text.length })
    .map((capitals) => Array.from(text, (c, i) => (capitals[i] === true ? c.toUpperCase() : c.toLowerCase())).join(''));
const separator = fc.constantFrom(' ', '-', '_', '/', ' - ');

describe('a GPU belongs to its tier', () => {
  it.each(MODELS)('%s with %d GiB: %s', (model, vramGib, tier) => expect(tierOf(model, vramGib)).toBe(tier));

  it.each(SIZES)('%s', (name, gpuCount, vramGib, tier) => {
    expect(tierOf(name, vramGib, name, gpuCount)).toBe(tier);
    expect(tierOf('', vramGib, name, gpuCount)).toBe(tier);
  });

  it('whatever case it is written in, and whatever words stand around it', () =>
    forAll(
      [
        fc
          .constantFrom(...MODELS)
          .chain(([model, vramGib, tier]) => inAnyCase(model).map((text) => ({ text, vramGib, tier }))),
        fc.constantFrom('', 'NVIDIA', 'nvidia', 'Tesla', '2x', 'GPU', 'Virtual machine with'),
        fc.constantFrom('', 'PCIe', 'SXM5', 'Tensor Core', '(1 GPU)', 'Server', 'v5', 'Graphics'),
        separator,
      ],
      { runs: 1000 },
      ({ text, vramGib, tier }, before, after, between) => {
        const name = [before, text, after].filter((part) => part !== '').join(between);
        expect(tierOf(name, vramGib)).toBe(tier);
      },
    ));

  it('and no further word moves it to another tier: it stays, or belongs to none', () =>
    forAll(
      [fc.constantFrom(...MODELS), fc.string({ maxLength: 8 }), fc.string({ maxLength: 8 }), separator],
      { runs: 3000 },
      ([model, vramGib, tier], before, after, between) => {
        expect([tier, null]).toContain(tierOf([before, model, after].join(between), vramGib));
      },
    ));
});

describe('a GPU belongs to no tier', () => {
  it.each(NO_TIER)('%s with %d GiB', (model, vramGib) => expect(tierOf(model, vramGib)).toBeNull());

  it('a fraction has the name of its GPU and too little memory', () => {
    expect(tierOf('NVIDIA A10', 4, 'Standard_NV6ads_A10_v5')).toBeNull();
    expect(tierOf('NVIDIA A10', 12, 'Standard_NV18ads_A10_v5')).toBeNull();
    expect(tierOf('L4', 2861 * MIB, 'g6f.large')).toBeNull();
  });

  it('and no half of a GPU is its tier, unless it is sold in that size as well', () =>
    forAll(
      [fc.constantFrom(...MODELS), fc.double({ min: 0.05, max: 0.5, noNaN: true })],
      ([model, gib, tier], share) =>
        tier === 'a100-80' || (tier === 'v100' && gib === 32) || tierOf(model, gib * share) === null,
    ));

  it('a family without its maker: an unknown GPU can be named in a wildcard', () => {
    const family = (model: string) => identifyGpu(catalogueType(PLAIN_TYPE, model, 1, 48, 1)).family;
    expect(family('NVIDIA L40')).toBe('L40');
    expect(family('NVIDIA L4')).toBe('L4');
    expect(family('Tesla M60')).toBe('M60');
    expect(family('NVIDIA A10-24Q')).toBe('A1024Q');
    expect(family('AMD Instinct MI300X OAM')).toBe('MI300X');
  });

  it('a size for confidential computing is told by its name', () => {
    const { confidential, tier } = identifyGpu(catalogueType('Standard_NCC40ads_H100_v5', 'H100', 1, 94, 7));
    expect([confidential, tier]).toEqual([true, 'h100']);
  });
});

describe('what is known of every tier', () => {
  it.each(TIERS)('$slug: a speed to begin with', ({ gpu, minVramGib }) => {
    const type = catalogueType(PLAIN_TYPE, gpu, 1, minVramGib, 1);
    expect(secondsPerSlide(type, secondsPerSlideTable({}))).toBeGreaterThan(0);
  });

  it('among tiers of one memory size the faster goes before', () => {
    const seconds = secondsPerSlideTable({});
    for (const group of [
      ['rtx-6000-ada', 'l40s', 'a6000'],
      ['rtx-4090', 'a10', 'l4'],
      ['v100', 't4'],
    ]) {
      const ofGroup = group.map((slug) => seconds[slug] ?? 0);
      expect(ofGroup).toEqual(ofGroup.toSorted((a, b) => a - b));
      expect(TIERS.map((t) => t.slug).filter((slug) => group.includes(slug))).toEqual(group);
    }
  });

  it('the kernel modules of a GPU are chosen whatever it is called', () => {
    const images = ['ubuntu-24.04-cuda-13.0', 'ubuntu-24.04-cuda-12.8-open'];
    const image = (model: string, gib: number) => chooseBootImage(catalogueType(PLAIN_TYPE, model, 1, gib, 1), images);
    expect(image('RTX PRO Server 6000', 96)).toBe('ubuntu-24.04-cuda-12.8-open');
    expect(image('nvidia-b200', 180)).toBe('ubuntu-24.04-cuda-12.8-open');
    expect(image('nvidia-tesla-v100', 16)).toBe('ubuntu-24.04-cuda-13.0');
  });
});

describe('GPUs that are never taken', () => {
  it.each(['MI300X', 'MI300Xx8', 'AMD Instinct MI300X', 'Standard_ND96isr_MI300X_v5', 'MI325X'])(
    '%s: not of NVIDIA',
    (name) => expect(whyUnsupported(gpuNamed(name) ?? '')).toContain("NVIDIA's driver only"),
  );

  it.each(['p2.xlarge', 'p2.16xlarge', 'Standard_NC6', 'Standard_NC24r_Promo', 'nvidia-tesla-k80', 'Tesla K80', 'k80'])(
    '%s: a K80, too old for Ollama',
    (name) => expect(retiredName(name)).toMatchObject({ gpu: 'K80', why: expect.stringContaining('3.7') as string }),
  );

  it.each(['p3.2xlarge', 'Standard_NC6s_v3', 'nvidia-tesla-v100', 'v100-16', 'V100 16GB', 'Standard_NC6s_v2'])(
    '%s: withdrawn, and too small',
    (name) => expect(retiredName(name)?.why).toContain('withdrawn by the clouds'),
  );

  it.each(['a3-ultragpu-8g', 'a4-highgpu-8g', 'a4x-highgpu-4g', 'A3-UltraGPU-8g-nolssd'])(
    '%s: made for clusters, and said so where it is asked for',
    (name) => expect(() => parseSelector(name, [])).toThrow('names what is not taken'),
  );

  it.each(['V100-32', 'p3dn.24xlarge', 'p4d.24xlarge', 'Standard_NC4as_T4_v3', 'H100', '1A100.22V', 'nope'])(
    '%s is not one of them',
    (name) => expect(retiredName(name)).toBeNull(),
  );
});

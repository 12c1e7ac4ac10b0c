/** Which system image a first boot takes where the pool names none. */
import { describe, expect, it } from 'vitest';
import { chooseBootImage } from '../../../domain/fleet/provider/boot-image.ts';
import type { CatalogueType } from '../../../domain/fleet/selection/tiers.ts';
import { MACHINE_TYPES } from '../../../simulators/clouds/datacrunch/catalogue.ts';
import { CATALOGUE } from './selection-catalogue.ts';

const typeNamed = (name: string): CatalogueType => {
  const type = CATALOGUE.find((t) => t.instanceType === name);
  if (type === undefined) throw new Error(`${name} is not in the catalogue`);
  return type;
};

const H100 = typeNamed('1H100.80S.30V');
const A6000 = typeNamed('1A6000.10V');
const V100 = typeNamed('1V100.6V');
const RTX_PRO_6000 = typeNamed('1RTXPRO6000.30V');
const B300 = typeNamed('1B300.30V');

describe('the image of a first boot', () => {
  it('the image of a first boot has CUDA, wherever it stands in the list', () =>
    expect(chooseBootImage(H100, ['ubuntu-24.04', 'ubuntu-22.04-cuda-12.4'])).toBe('ubuntu-22.04-cuda-12.4'));

  it('the image of a first boot is the newest Ubuntu, then the plainest, then the newest CUDA', () => {
    const images = [
      'ubuntu-22.04-cuda-13.0',
      'ubuntu-24.04-cuda-13.0-open-docker',
      'ubuntu-24.04-cuda-12.8-open',
      'ubuntu-24.04-cuda-12.10-open',
      'ubuntu-24.04-cuda-12.8-open-jupyter-docker',
    ];
    expect(chooseBootImage(H100, images)).toBe('ubuntu-24.04-cuda-12.10-open');
    expect(chooseBootImage(H100, images.toReversed())).toBe('ubuntu-24.04-cuda-12.10-open');
    expect(chooseBootImage(H100, images.slice(0, 2))).toBe('ubuntu-24.04-cuda-13.0-open-docker');
  });

  it('the image of a first boot is read in the short spelling too', () => {
    const images = ['24.04.base', '24.04.cuda12.9.docker', '24.04.cuda13.x.docker', '24.04.cuda12.9', '26.04.base'];
    expect(chooseBootImage(H100, images)).toBe('24.04.cuda12.9');
    expect(chooseBootImage(B300, ['24.04.base', '24.04.cuda13.0.docker'])).toBe('24.04.cuda13.0.docker');
  });

  it.each([V100, A6000])('the image of a first boot has no open kernel modules on $instanceType', (type) => {
    const images = ['ubuntu-24.04-cuda-13.0-open', 'ubuntu-22.04-cuda-12.4-docker'];
    expect(chooseBootImage(type, images)).toBe('ubuntu-22.04-cuda-12.4-docker');
  });

  it.each([RTX_PRO_6000, B300])('the image of a first boot has open kernel modules on $instanceType', (type) => {
    const images = ['ubuntu-26.04-cuda-13.0', 'ubuntu-24.04-cuda-13.0-open-docker'];
    expect(chooseBootImage(type, images)).toBe('ubuntu-24.04-cuda-13.0-open-docker');
  });

  it('the image of a first boot is the first of the list where none is known to run the GPU, and none where there is no list', () => {
    expect(chooseBootImage(H100, ['something', 'else'])).toBe('something');
    expect(chooseBootImage(V100, ['ubuntu-22.04', 'ubuntu-24.04-cuda-13.0-open'])).toBe('ubuntu-22.04');
    expect(chooseBootImage(H100, [])).toBeUndefined();
  });

  it('the image of a first boot has CUDA for every GPU type of a whole catalogue', () => {
    for (const { instanceType, model, gpuCount, vramGib, images } of MACHINE_TYPES.filter((t) => t.gpuCount > 0)) {
      const type = { instanceType, model, gpuCount, vramGib, onDemandUsdPerHour: 1, spotUsdPerHour: null };
      expect(chooseBootImage(type, images)).toMatch(/^ubuntu-\d\d\.04-cuda-[\d.]+(?:-open)?$/u);
    }
  });
});

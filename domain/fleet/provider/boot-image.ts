/**
 * The system image of a first boot where the pool names none: one that brings the GPU's driver, chosen from what the provider lists for
 * the type.
 *
 * Image names are read, never listed. The provider uses two spellings: `ubuntu-24.04-cuda-13.0-open-docker` and `24.04.cuda13.0.docker`.
 */
import { identifyGpu, type CatalogueType } from '../selection/tiers.ts';

/** What an image's name says. */
interface ImageName {
  readonly image: string;
  /** Year and month as one number, `24.04` = 2404; 0 for another system. */
  readonly ubuntu: number;
  /** `13.0` = 1300; null for an image without CUDA, and so without a driver. */
  readonly cuda: number | null;
  /** The driver's kernel modules are NVIDIA's open ones. */
  readonly open: boolean;
  /** Further words of the name (`docker`, `jupyter`, `cluster`): software that nothing here needs. */
  readonly extras: number;
}

/** GPU families that run with one kind of kernel modules only: older than Turing (and the A6000) closed, since Blackwell open. */
const KERNEL_MODULES: Readonly<Record<string, 'open' | 'closed'>> = {
  V100: 'closed',
  A6000: 'closed',
  B200: 'open',
  GB200: 'open',
  B300: 'open',
  GB300: 'open',
  RTXPRO6000: 'open',
};

/**
 * The image to boot: with CUDA and modules that run this GPU, the newest Ubuntu, as plain as there is, then the newest CUDA. Without such an
 * image the first of the list; undefined when the list is empty.
 *
 * @param supported image names as the provider lists them for the type
 */
export function chooseBootImage(type: CatalogueType, supported: readonly string[]): string | undefined {
  const modules = KERNEL_MODULES[identifyGpu(type).family];
  const withCuda = supported.map(readImageName).filter((image) => image.cuda !== null);
  const open = withCuda.filter((image) => image.open);
  // The short spelling does not say which modules an image has, so without one that says `open` any may have them.
  const fitting =
    modules === 'closed'
      ? withCuda.filter((image) => !image.open)
      : modules === 'open' && open.length > 0
        ? open
        : withCuda;
  const [best] = fitting.toSorted(
    (a, b) => b.ubuntu - a.ubuntu || a.extras - b.extras || (b.cuda ?? 0) - (a.cuda ?? 0),
  );
  return best?.image ?? supported[0];
}

function readImageName(image: string): ImageName {
  const name = image.toLowerCase();
  const system = /^(?:ubuntu-)?(\d\d)\.(\d\d)(?=[-.]|$)/u.exec(name);
  const cuda = /[-.]cuda(?:-?(\d+)(?:[.-](\d+)|\.x)?)?(?=[-.]|$)/u.exec(name);
  const words = name
    .replace(system?.[0] ?? '', '')
    .replace(cuda?.[0] ?? '', '')
    .split(/[-.]/u)
    .filter((word) => word !== '');
  return {
    image,
    ubuntu: versionNumber(system?.[1], system?.[2]),
    cuda: cuda === null ? null : versionNumber(cuda[1], cuda[2]),
    open: words.includes('open'),
    extras: words.filter((word) => word !== 'open' && word !== 'base').length,
  };
}

const versionNumber = (major = '0', minor = '0'): number => Number(major) * 100 + Number(minor);

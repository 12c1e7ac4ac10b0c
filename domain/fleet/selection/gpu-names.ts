/**
 * GPUs by the names that clouds, drivers and shops give them: `A10G`, `nvidia-tesla-t4`, `Standard_NC24ads_A100_v4`, `NVIDIA GeForce RTX 4090`.
 *
 * Only whole words count, so that an L4 is never found in an `L40S`. A text that names two GPUs, or a virtual part of one, names none: a
 * ladder must not buy a guess.
 */

/** Forms that are written on to a name, as in `H100NVL`. */
const FORM = '(?:SXM\\d?|PCIE|NVL)?';

/** Every GPU that is known by name, in the spelling of `GpuIdentity.family`, and how it is written once separators are single blanks. */
const GPUS: Readonly<Record<string, string>> = {
  GB300: 'GB300',
  B300: 'B300',
  GB200: 'GB200',
  B200: 'B200',
  GH200: 'GH200',
  H200: `H200${FORM}`,
  H100: `H100${FORM}`,
  A100: `A100${FORM}`,
  RTXPRO6000: '(?:RTX ?)?PRO ?(?:SERVER ?)?6000',
  RTX6000ADA: '(?:RTX ?)?6000 ?ADA',
  L40S: 'L40S',
  L40: 'L40',
  A6000: '(?:RTX ?)?A6000',
  // The 4090 D is another GPU.
  RTX4090: '(?:RTX ?)?4090(?! ?D(?![A-Z0-9]))',
  A10G: 'A10G',
  A10: 'A10',
  L4: 'L4',
  V100: 'V100S?',
  P100: 'P100',
  T4: 'T4',
  K80: 'K80',
};

/** AMD's GPUs for computing, such as `MI300X`. */
const AMD = 'MI\\d{2,3}[A-Z]?';
/** A number of GPUs may stand before a name, as in `2xH100` and `8A100`, or behind it, as in `T4x2`. */
const COUNT = '(?:\\d{1,2}X?)?';
const COUNT_BEHIND = '(?:X\\d{1,2})?';
/** Any of them as a whole word. One pattern for all, because every offer of every look is recognised by it. */
const ANY_NAME = new RegExp(
  `(?<![A-Z0-9])${COUNT}(?:${AMD}|${Object.values(GPUS).join('|')})${COUNT_BEHIND}(?![A-Z0-9])`,
  'gu',
);
const EACH_NAME = Object.entries(GPUS).map(([gpu, pattern]) => ({
  gpu,
  pattern: new RegExp(`^${COUNT}${pattern}${COUNT_BEHIND}$`, 'u'),
}));
const OF_AMD = new RegExp(`^${AMD}$`, 'u');
/** A profile of NVIDIA's vGPU (`A10-24Q`), or a slice of a GPU (MIG). */
const VIRTUAL = /(?<![A-Z0-9])(?:\d{1,3}[ABCQ]|MIG)(?![A-Z0-9])/u;
/** Words around a name that do not tell GPUs apart. */
const VENDOR_WORDS = /(?<![A-Z0-9])(?:NVIDIA|TESLA|GEFORCE|QUADRO|AMD|INSTINCT)(?![A-Z0-9])/gu;

/** Capitals and digits only: `RTX PRO 6000` and `rtx-pro-6000` are the same. */
export const squash = (text: string): string => text.toUpperCase().replaceAll(/[^A-Z0-9]/gu, '');

/** Capitals, with one blank for whatever else stands between letters and digits. */
const words = (text: string): string =>
  text
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]+/gu, ' ')
    .trim();

/** The GPU that a text names, in the spelling of `GpuIdentity.family`; null when it names none, several, or a virtual part of one. */
export function gpuNamed(text: string): string | null {
  const written = words(text);
  if (VIRTUAL.test(written)) return null;
  const found = new Set((written.match(ANY_NAME) ?? []).map(spelled));
  const [first = null] = found;
  return found.size === 1 ? first : null;
}

/** A name that {@link ANY_NAME} found, as families are spelled. */
const spelled = (name: string): string =>
  EACH_NAME.find(({ pattern }) => pattern.test(name))?.gpu ?? name.replace(/^\d{1,2}X?|(?<=\d[A-Z]?)X\d{1,2}$/gu, '');

/** True for a name of a part of a GPU, such as `NVIDIA A10-24Q`. */
export const isVirtualGpu = (text: string): boolean => VIRTUAL.test(words(text));

/** What is left of a GPU's name without its maker: `NVIDIA L40` → `L40`. For GPUs that {@link gpuNamed} does not know. */
export const bareGpuName = (text: string): string => squash(words(text).replaceAll(VENDOR_WORDS, ''));

/** Memory of one GPU that a text names, GB: `A100-80GB`, `1A100.80S.22V`, `v100-16`; null when it names none. */
export function memoryNamed(text: string): number | null {
  const match = /(?<![A-Z0-9])(\d{2,3}) ?(?:GB|GIB|S)?(?![A-Z0-9])/u.exec(words(text));
  return match === null ? null : Number(match[1]);
}

/** Why a GPU is never taken, in words that follow a type's name; null for one that may be. @param gpu as {@link gpuNamed} spells it */
export function whyUnsupported(gpu: string): string | null {
  if (gpu === 'K80') return 'has a K80, whose compute capability of 3.7 is below the 5.0 that Ollama needs';
  return OF_AMD.test(gpu)
    ? `has AMD's ${gpu}; the machine set-up and the readiness check work with NVIDIA's driver only`
    : null;
}

/** Types that clouds have withdrawn, with the GPU they had. Their names do not say it. */
const WITHDRAWN_TYPES: readonly (readonly [RegExp, string])[] = [
  [/^P2\.\d*XLARGE$/u, 'K80'],
  [/^P3\.\d*XLARGE$/u, 'V100'],
  [/^STANDARD_NC\d+R?(?:_PROMO)?$/u, 'K80'],
  [/^STANDARD_NC\d+R?S_V2(?:_PROMO)?$/u, 'P100'],
  [/^STANDARD_NC\d+R?S_V3(?:_PROMO)?$/u, 'V100'],
];

/** Types that clouds sell and that are never taken, with why in words that follow the name. */
const REFUSED_TYPES: readonly (readonly [RegExp, string])[] = [
  [
    /^(?:A3-ULTRAGPU|A4X?-(?:HIGH|MAX)GPU)-\d+G(?:-|$)/u,
    'is made for clusters: not sold on demand, and it needs networks of its own for RDMA',
  ],
];

/** Why a type is never taken, whatever its GPU, in words that follow its name; null for one that may be. */
export function whyTypeRefused(instanceType: string): string | null {
  const type = instanceType.trim().toUpperCase();
  return REFUSED_TYPES.find(([pattern]) => pattern.test(type))?.[1] ?? null;
}

/** GPUs that clouds have withdrawn, with why they are not needed. */
const WITHDRAWN_GPUS: Readonly<Record<string, string>> = {
  P100: 'has a P100 with 16 GB: withdrawn by the clouds, and too small for the default models',
  V100: 'has a V100 with 16 GB: withdrawn by the clouds, and too small for the default models',
};

/**
 * What a text names that no ladder can hold: a GPU that is never taken, or one that the clouds have withdrawn. Its GPU, and why in words that
 * follow the text; null for anything else.
 */
export function retiredName(text: string): { readonly gpu: string; readonly why: string } | null {
  const type = text.trim().toUpperCase();
  const gpu = WITHDRAWN_TYPES.find(([pattern]) => pattern.test(type))?.[1] ?? gpuNamed(text);
  if (gpu === null) return null;
  const isSmall = (memoryNamed(text) ?? 16) === 16;
  const why = whyUnsupported(gpu) ?? (isSmall ? WITHDRAWN_GPUS[gpu] : undefined);
  return why === undefined ? null : { gpu, why };
}

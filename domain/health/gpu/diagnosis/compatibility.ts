/**
 * Which driver runs which CUDA, on which GPUs, and what Ollama asks for: the table behind the doctor's verdicts, each row with its source.
 */

/** Where a rule comes from. */
export const COMPATIBILITY_SOURCES = {
  ollama: 'https://docs.ollama.com/gpu',
  cuda: 'https://docs.nvidia.com/deploy/cuda-compatibility/minor-version-compatibility.html',
  cuda13: 'https://docs.nvidia.com/cuda/cuda-toolkit-release-notes/',
} as const;

/** Newest long-lived driver branch that the advice names: it runs both builds of Ollama and CUDA 13. */
const ADVISED_DRIVER = 580;

/** What to do about a driver that is missing or older than `least`, a branch. */
export const installDriver = (least: number | string): string =>
  `Install driver ${least} or newer (Ubuntu: \`apt-get install nvidia-driver-${ADVISED_DRIVER}-server\`; WSL2: on Windows, never inside WSL).`;

/** What to do about a ROCm that is older than `least`. */
export const installRocm = (least: string): string =>
  `Install ROCm ${least} or newer with its driver (\`amdgpu-install\`; https://rocm.docs.amd.com/projects/install-on-linux/).`;

/** GPUs below this are not used by Ollama's builds. */
export const OLLAMA_LEAST_CAPABILITY = 5;

/**
 * Drivers Ollama asks for, by its documentation: 531 was enough for long, 550 is what it asks for now; GPUs up to 6.2 (Maxwell and Pascal) need
 * 570 whatever the release. With an older driver Ollama says nothing and computes on the CPU.
 */
export const OLLAMA_DRIVERS = { least: 531, asked: 550, upToCapability: 6.2, leastForThose: 570 } as const;

/** A build of the CUDA libraries that Ollama brings along. */
export interface CudaBuild {
  /** Folder of Ollama's libraries. */
  readonly library: 'cuda_v12' | 'cuda_v13';
  /** Branch of the first driver that runs it. */
  readonly leastDriver: number;
  /** CUDA 13 left out everything before Turing. */
  readonly leastCapability: number;
}

/** Newest first: Ollama takes the first that driver and GPU can run. */
export const CUDA_BUILDS: readonly CudaBuild[] = [
  { library: 'cuda_v13', leastDriver: 580, leastCapability: 7.5 },
  { library: 'cuda_v12', leastDriver: 525, leastCapability: 5 },
];

/** Compute capability by a word in the name of the GPU, for drivers that do not say it. Most particular names first. */
const CAPABILITY_BY_NAME: readonly (readonly [RegExp, number])[] = [
  [/\bGB10\b/iu, 12.1],
  [/RTX (?:PRO |50)|\b50[5-9]0\b/iu, 12],
  [/\bG?B300\b/iu, 10.3],
  [/\bG?B200\b/iu, 10],
  [/\b(?:GH200|H[12]00|H800|H20)\b/iu, 9],
  [/RTX \d000 Ada|RTX 40|\b40[5-9]0\b|\bL(?:4|20|40S?)\b/iu, 8.9],
  [/\b(?:A100|A800|A30)\b/iu, 8],
  [/RTX A\d|RTX 30|\b30[5-9]0\b|\bA(?:2|10G?|16|40|[2-6]000)\b/iu, 8.6],
  [/\bT4G?\b|TITAN RTX|RTX (?:20|[4568]000)|GTX 16|\bT(?:4|5|6|10|12|20)00\b/iu, 7.5],
  [/\bV100|TITAN V\b|GV100/iu, 7],
  [/\bP100\b|GP100/iu, 6],
  [/GTX 10|\bP(?:4|40)\b|TITAN X[p]?\b|Quadro P\d|\b10[5-8]0\b/iu, 6.1],
  [/GTX 9|\bM(?:40|60)\b|Quadro M/iu, 5.2],
  [/\bK80\b/iu, 3.7],
];

/** Compute capability of a GPU by its name; null where the name says nothing. */
export const capabilityByName = (name: string): number | null =>
  CAPABILITY_BY_NAME.find(([pattern]) => pattern.test(name))?.[1] ?? null;

/** Branch of a driver version: 535 of `535.54.03`. */
export function driverBranch(version: string | null): number | null {
  const branch = Number.parseInt(version ?? '', 10);
  return Number.isFinite(branch) ? branch : null;
}

/** The build that Ollama will use; null when it can use none. */
export const cudaBuildFor = (branch: number, capability: number): CudaBuild | null =>
  CUDA_BUILDS.find((build) => branch >= build.leastDriver && capability >= build.leastCapability) ?? null;

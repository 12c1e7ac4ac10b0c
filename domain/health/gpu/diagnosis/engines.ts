/**
 * What each engine asks of driver, CUDA and GPU: a table with its sources.
 *
 * Both at the version that Deckhand installs.
 */
import { OLLAMA_RELEASE } from '../../../fleet/startup-script/ollama.ts';
import { VLLM_RELEASE } from '../../../fleet/startup-script/vllm.ts';
import type { AmdReport } from '../amd.ts';
import { COMPATIBILITY_SOURCES, OLLAMA_DRIVERS, OLLAMA_LEAST_CAPABILITY } from './compatibility.ts';

/** Programs that serve language models on a GPU. */
export const ENGINE_NAMES = ['ollama', 'vllm'] as const;
export type EngineName = (typeof ENGINE_NAMES)[number];

/** The least an engine runs with. */
export interface EngineNeeds {
  readonly engine: EngineName;
  /** For people. */
  readonly title: string;
  readonly version: string;
  /** Branch of the NVIDIA driver. */
  readonly leastDriver: number;
  /** GPUs up to this compute capability need a newer driver; null = all need the same. */
  readonly olderGpus: { readonly upToCapability: number; readonly leastDriver: number } | null;
  /** Newest CUDA version that the driver has to support. The engine brings the libraries of CUDA along; no toolkit is installed. */
  readonly leastCuda: string;
  readonly leastCapability: number;
  /** On GPUs of AMD. */
  readonly amd: {
    /** Least version of ROCm, the driver's part of it included. */
    readonly leastRocm: string;
    /** GPUs that need a newer one, by their targets. */
    readonly newerGpus: Readonly<Record<string, string>>;
    /** Targets that it is built for. */
    readonly targets: readonly string[];
  };
  readonly sources: readonly string[];
}

/** Every engine of the table. */
export const ENGINES: readonly EngineNeeds[] = [
  {
    engine: 'ollama',
    title: 'Ollama',
    version: OLLAMA_RELEASE.version,
    leastDriver: OLLAMA_DRIVERS.least,
    olderGpus: { upToCapability: OLLAMA_DRIVERS.upToCapability, leastDriver: OLLAMA_DRIVERS.leastForThose },
    // Of its two builds the one that needs less: cuda_v12.
    leastCuda: '12.0',
    leastCapability: OLLAMA_LEAST_CAPABILITY,
    amd: {
      // "Ollama requires the AMD ROCm v7 driver on Linux."
      leastRocm: '7.0',
      newerGpus: {},
      targets:
        'gfx908 gfx90a gfx942 gfx950 gfx1010 gfx1012 gfx1030 gfx1100 gfx1101 gfx1102 gfx1103 gfx1150 gfx1151 gfx1200 gfx1201'.split(
          ' ',
        ),
    },
    sources: [COMPATIBILITY_SOURCES.ollama, COMPATIBILITY_SOURCES.cuda],
  },
  {
    engine: 'vllm',
    title: 'vLLM',
    // Its package asks for torch 2.13.0 and libraries for CUDA 13; its image is built with CUDA 13.0 for GPUs from 7.5 on.
    version: VLLM_RELEASE.version,
    leastDriver: 580,
    olderGpus: null,
    leastCuda: '13.0',
    leastCapability: 7.5,
    amd: {
      // "ROCm 6.3 or above; MI350 requires ROCm 7.0 or above; Ryzen AI MAX / AI 300 Series requires ROCm 7.0.2 or above."
      leastRocm: '6.3',
      newerGpus: { gfx950: '7.0', gfx1150: '7.0.2', gfx1151: '7.0.2' },
      targets: ['gfx90a', 'gfx942', 'gfx950', 'gfx1100', 'gfx1101', 'gfx1150', 'gfx1151', 'gfx1200', 'gfx1201'],
    },
    sources: [
      // GPU: compute capability 7.5 or higher.
      'https://docs.vllm.ai/en/stable/getting_started/installation/gpu/',
      // CUDA_VERSION 13.0.3, TORCH_CUDA_ARCH_LIST "7.5 8.0 8.6 8.9 9.0 10.0 11.0 12.0".
      'https://github.com/vllm-project/vllm/blob/main/docker/versions.json',
      // CUDA 13.x: driver 580 or newer.
      COMPATIBILITY_SOURCES.cuda,
    ],
  },
];

/** What an engine asks for, what the machine has, and what follows. */
export interface EngineFit {
  readonly engine: EngineName;
  readonly title: string;
  readonly version: string;
  /** For the GPUs of this machine. */
  readonly needs: { readonly driver: number; readonly cuda: string; readonly computeCapability: number };
  readonly has: {
    readonly driver: string | null;
    /** Newest version that the driver supports. */
    readonly cuda: string | null;
    readonly gpus: readonly { readonly name: string; readonly computeCapability: number | null }[];
  };
  /** The same on a machine with GPUs of AMD and none of NVIDIA; absent on others. */
  readonly amd?:
    | {
        readonly needs: { readonly rocm: string; readonly targets: readonly string[] };
        readonly has: AmdReport;
      }
    | undefined;
  /** Null = not known. */
  readonly suffices: boolean | null;
  /** Why not, or why it is not known; null when it suffices. */
  readonly reason: string | null;
  /** What to do when it does not; null otherwise. */
  readonly next: string | null;
}

/** The driver that a GPU of this compute capability needs; without one, what most GPUs need. */
export const leastDriverFor = ({ leastDriver, olderGpus }: EngineNeeds, capability: number | null): number =>
  olderGpus !== null && capability !== null && capability <= olderGpus.upToCapability
    ? olderGpus.leastDriver
    : leastDriver;

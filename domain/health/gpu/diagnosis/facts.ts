/**
 * What a diagnosis of a machine's GPU found, before anything is made of it: plain JSON.
 */
import type { ServerKind } from '../../../models/server-kind.ts';
import type { AmdReport } from '../amd.ts';
import type { GpuReading, LoadedModelReading } from '../../types.ts';
import type { DiskReading } from '../disk.ts';
import type { DriverReport } from '../nvidia-smi.ts';

/** A GPU or CPU as the model server saw it when it started. */
export interface ServerDevice {
  /** Such as `CUDA` or `cpu`. */
  readonly library: string;
  /** Compute capability. */
  readonly compute: string | null;
  readonly description: string | null;
}

/** The machine over its shell. */
export interface MachineFacts {
  /** NVIDIA's. */
  readonly driver: DriverReport;
  /** What AMD's tools say; null = the machine has no GPU of AMD, or no tools of it. */
  readonly amd: AmdReport | null;
  /** As health measures them. */
  readonly gpus: readonly GpuReading[];
  /** Compute capability by index of the GPU. */
  readonly capabilities: Readonly<Record<number, number>>;
  readonly kernelModule: {
    /** Of the module that is loaded; null = none is. */
    readonly version: string | null;
    /** True for the one with open source. */
    readonly isOpen: boolean;
    /** Modules that are loaded, such as `nvidia_uvm`; null = not known. */
    readonly loaded: readonly string[] | null;
  };
  readonly disk: DiskReading | null;
  /** Settings of the model server's service; null = there is no such service. */
  readonly settings: Readonly<Record<string, string>> | null;
  /** Starts of the service after a failure. */
  readonly restarts: number | null;
  /** What its log says it computes on; empty = the log does not say. */
  readonly devices: readonly ServerDevice[];
}

/** A model that is configured for the machine. */
export interface ModelFacts {
  readonly name: string;
  /** Window it is loaded with, tokens. */
  readonly numCtx: number;
  /** Null = not known: the model server does not say. */
  readonly installed: boolean | null;
  readonly weightsBytes: number;
  readonly kvCacheBytesPerSlot: number;
  /** Whether the size of the cache follows from the model's own file or is the configuration's estimate. */
  readonly cacheFrom: 'model' | 'configuration';
}

/** One real generation. */
export type GenerationFacts =
  | {
      readonly kind: 'answered';
      readonly model: string;
      readonly loadMs: number;
      readonly generationMs: number;
      readonly sizeBytes: number;
      /** Null = the server does not say. */
      readonly vramBytes: number | null;
    }
  | { readonly kind: 'failed'; readonly model: string; readonly message: string }
  | { readonly kind: 'not_tried'; readonly reason: string };

/** All that is known of a machine and its model server. */
export interface DiagnosisFacts {
  /** `local`, or the instance. */
  readonly target: string;
  readonly atMs: number;
  /** Null = no command could be run on the machine. */
  readonly machine: MachineFacts | null;
  /** Why none could, where there is a way to; null where there is none (a server reached by URL), and where it worked. */
  readonly machineMessage: string | null;
  readonly server: {
    readonly kind: ServerKind;
    readonly url: string;
    readonly version: string | null;
    /** Where the version stands relative to those that Deckhand is tested with; null when it does not answer. */
    readonly support: 'older' | 'supported' | 'newer' | 'unknown' | null;
    /** Those, for people: `0.24 to 0.34`. */
    readonly supportedVersions: string;
    /** Why it does not answer; null when it does. */
    readonly message: string | null;
    /** True for the built-in reader, which needs no GPU. */
    readonly isReader: boolean;
  };
  /** Models in memory when the machine was looked at, before the generation. */
  readonly loaded: readonly LoadedModelReading[];
  readonly models: readonly ModelFacts[];
  readonly generation: GenerationFacts;
  /** Parallel calls that Deckhand makes. */
  readonly parallel: number;
}

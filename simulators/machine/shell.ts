/** The shell of a simulated machine. It answers only the fixed commands that Deckhand runs on machines, and executes nothing. */
import { CONTACT_COMMAND, MODEL_SERVER_PORT } from '../../domain/fleet/startup-script/startup-script.ts';
import {
  diagnoseCommand,
  GPU_MEMORY_COMMAND,
  MEASURE_COMMAND,
  REBOOT_COMMAND,
  restartCommand,
  type ServerUnit,
} from '../../domain/health/gpu/commands.ts';
import { NOTICE_COMMAND, type NoticeProtocol } from '../../domain/fleet/provider/eviction-notice.ts';
import type { MachineFault } from './faults.ts';
import { busIdOf, listGpus, queryXml, SIMULATED_DRIVER, type GpuModel } from './nvidia-smi.ts';
import { VLLM_STATE_COMMAND } from '../../domain/health/gpu/vllm-state.ts';
import type { ServedModel } from './served-model.ts';
import { activeFaults, isBooting, loggedXids, modelEffect, type MachineState } from './state.ts';

/** Outcome of a command. */
export type ShellAnswer =
  | { readonly kind: 'said'; readonly exitCode: number; readonly output: string }
  /** The caller, which owns the model server's process, carries it out. */
  | { readonly kind: 'restart' | 'reboot' }
  | { readonly kind: 'no_answer' };

export interface ShellMachine {
  readonly state: MachineState;
  readonly gpus: GpuModel;
  /** Compute capability, such as `9.0`. */
  readonly capability: string;
  readonly parallel: number;
  /** The model that its vLLM serves; absent = it runs Ollama. */
  readonly vllm?: ServedModel | undefined;
  /** What its metadata service says of an eviction; absent = it has no such service. */
  readonly notice?: SimulatedNotice;
}

/** `endsAtMs` null = no notice was given so far. */
export interface SimulatedNotice {
  readonly protocol: NoticeProtocol;
  readonly endsAtMs: number | null;
}

/** Nine tenths of the memory. */
const USED_MIB_PER_GIB = 921.6;
const SIMULATED_WEIGHTS_KIB = 1024 ** 2;
const DISK_BYTES = 200 * 1024 ** 3;
const FULL_DISK_FREE_BYTES = 100 * 1024 ** 2;

/** Answers a command as of `atMs`. */
export function answerCommand(machine: ShellMachine, command: string, atMs: number): ShellAnswer {
  const faults = activeFaults(machine.state, atMs);
  if (isBooting(machine.state, atMs) || faults.some((f) => f.kind === 'no_answer')) return { kind: 'no_answer' };
  const unit: ServerUnit = machine.vllm === undefined ? 'ollama' : 'vllm';
  switch (command) {
    case restartCommand(unit):
      return { kind: 'restart' };
    case REBOOT_COMMAND:
      return { kind: 'reboot' };
    case CONTACT_COMMAND:
      return said('');
    case NOTICE_COMMAND:
      return said(partsText([...noticeParts(machine.notice), ['end', '']]));
    case 'nvidia-smi -L': {
      const { output, exitCode } = listGpus(machine.gpus, faults);
      return { kind: 'said', output, exitCode };
    }
    case GPU_MEMORY_COMMAND:
      return memoryInUse(machine, faults, atMs);
    case VLLM_STATE_COMMAND:
      return said(vllmState(machine));
    case MEASURE_COMMAND:
      return said(partsText([...measured(machine, faults, atMs), ['end', '']]));
    case diagnoseCommand(unit):
      return said(partsText([...measured(machine, faults, atMs), ...diagnosed(machine, atMs), ['end', '']]));
    default:
      return { kind: 'said', exitCode: 127, output: 'sh: 1: not found: a simulated machine knows only fixed commands' };
  }
}

/** Nothing of a model that computes on the CPU is there. */
function memoryInUse({ state, gpus }: ShellMachine, faults: readonly MachineFault[], atMs: number): ShellAnswer {
  const { output, exitCode } = listGpus(gpus, faults);
  if (exitCode !== 0) return { kind: 'said', output, exitCode };
  const isUsed = modelEffect(state, atMs).effect !== 'cpu_only';
  const mib = isUsed ? Math.round(gpus.vramGibEach * USED_MIB_PER_GIB) : 0;
  return said(Array.from({ length: gpus.count }, () => String(mib)).join('\n'));
}

/** It is asked while nothing answers: the weights are on their way. */
const vllmState = ({ vllm }: ShellMachine): string =>
  vllm === undefined
    ? 'SubState=dead\nWeightsKib=\nLog=-- No entries --'
    : `SubState=running\nWeightsKib=${SIMULATED_WEIGHTS_KIB}\nLog=downloading ${vllm.root.replace('@', ' at ')}`;

type Part = readonly [name: string, text: string];

const said = (output: string): ShellAnswer => ({ kind: 'said', exitCode: 0, output });

const partsText = (parts: readonly Part[]): string =>
  parts.map(([name, text]) => `\n@@deckhand ${name}\n${text}\n`).join('');

/** As the metadata service of each provider answers. */
function noticeParts(notice: SimulatedNotice | undefined): Part[] {
  if (notice === undefined) return [];
  const { protocol, endsAtMs } = notice;
  const ends = endsAtMs === null ? null : new Date(endsAtMs);
  const answers: Readonly<Record<NoticeProtocol, string>> = {
    ec2:
      ends === null ? '' : JSON.stringify({ action: 'terminate', time: ends.toISOString().replace(/\.\d+Z$/u, 'Z') }),
    gce: ends === null ? 'FALSE' : 'TRUE',
    azure: JSON.stringify({
      DocumentIncarnation: 1,
      Events: ends === null ? [] : [{ EventType: 'Preempt', EventStatus: 'Scheduled', NotBefore: ends.toUTCString() }],
    }),
  };
  return [
    ['service', ''],
    [protocol, answers[protocol]],
  ];
}

function measured({ state, gpus }: ShellMachine, faults: readonly MachineFault[], atMs: number): Part[] {
  const { output, exitCode } = queryXml(gpus, faults);
  const kernel = loggedXids(state, atMs).map(
    ({ xid, gpu }) => `NVRM: Xid (PCI:${busIdOf(gpu).slice(4, -2).toLowerCase()}): ${xid}, pid=4242, name=ollama`,
  );
  const freeBytes = faults.some((f) => f.kind === 'disk_full') ? FULL_DISK_FREE_BYTES : DISK_BYTES / 2;
  const disk = `Filesystem 1-blocks Used Available Capacity Mounted on
/dev/vda1 ${DISK_BYTES} ${DISK_BYTES - freeBytes} ${freeBytes} ${Math.round((1 - freeBytes / DISK_BYTES) * 100)}% /`;
  return [
    ['gpu', output],
    ['gpu-exit', String(exitCode)],
    ['kernel', kernel.join('\n')],
    ['disk', disk],
  ];
}

function diagnosed({ state, gpus, capability, parallel, vllm }: ShellMachine, atMs: number): Part[] {
  const list = Array.from({ length: gpus.count }, (_, index) => index);
  const ofOllama = `OLLAMA_HOST=127.0.0.1:${MODEL_SERVER_PORT} OLLAMA_NUM_PARALLEL=${parallel} OLLAMA_MAX_LOADED_MODELS=2 OLLAMA_KEEP_ALIVE=-1`;
  const environment = vllm === undefined ? ofOllama : 'HOME=/var/lib/vllm VLLM_NO_USAGE_STATS=1 DO_NOT_TRACK=1';
  const compute = list.map(
    (index) =>
      `time=2026-10-05T08:00:00Z level=INFO source=types.go:42 msg="inference compute" id=GPU-${index} library=CUDA compute=${capability} name=CUDA${index} description="NVIDIA ${gpus.name}" libdirs=ollama,cuda_v13 driver=${SIMULATED_DRIVER.cuda}`,
  );
  return [
    ['capability', list.map((index) => `${index}, ${capability}`).join('\n')],
    ['module', `NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  ${SIMULATED_DRIVER.version}  Release Build`],
    ['modules', 'nvidia_uvm 4096 0 - Live 0x0\nnvidia 8192 1 nvidia_uvm, Live 0x0'],
    ['service', `ActiveState=active\nEnvironment=${environment}\nNRestarts=0`],
    ['model-log', vllm === undefined ? compute.join('\n') : ''],
    ['uptime', `${Math.max(0, Math.round((atMs - state.bootedAtMs) / 1000))}.00 0.00`],
    ['amd', ''],
    ['rocm', ''],
  ];
}

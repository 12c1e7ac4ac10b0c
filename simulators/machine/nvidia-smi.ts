/** Output of `nvidia-smi` on a simulated machine, in the format of driver 580 on a data-centre GPU. */
import type { MachineFault } from './faults.ts';

export const SIMULATED_DRIVER = { version: '580.95.05', cuda: '13.0' } as const;

/** The GPUs of a machine. */
export interface GpuModel {
  readonly name: string;
  readonly count: number;
  readonly vramGibEach: number;
}

/** Default power limits in watts, from NVIDIA's data sheets, by a part of the product name; the first match wins. */
const POWER_LIMITS_W: readonly (readonly [string, number])[] = [
  ['B300', 1400],
  ['B200', 1000],
  ['H200', 700],
  ['H100', 700],
  ['A100', 400],
  ['RTX PRO 6000', 600],
  ['L40S', 350],
  ['RTX 6000 Ada', 300],
  ['A6000', 300],
  ['V100', 300],
];
const OTHER_POWER_LIMIT_W = 300;
/** Power of an idle GPU as a share of its limit. */
const IDLE_POWER_SHARE = 0.12;

const powerLimitW = (name: string): number =>
  POWER_LIMITS_W.find(([part]) => name.includes(part))?.[1] ?? OTHER_POWER_LIMIT_W;

const IDLE_TEMPERATURE_C = 41;
const IDLE_MARGIN_C = 46;
/** Margin at which it slows down. */
const SLOW_MARGIN_C = -2;

/** PCI address of a GPU in a guest. */
export const busIdOf = (gpu: number): string =>
  `00000000:${(gpu + 1).toString(16).padStart(2, '0').toUpperCase()}:00.0`;

/** Output and exit status of `nvidia-smi -q -x`. */
export function queryXml(gpus: GpuModel, faults: readonly MachineFault[]): { output: string; exitCode: number } {
  const lost = new Set(lostGpus(faults));
  const words = [...lost].map(
    (gpu) => `Unable to determine the device handle for GPU${busIdOf(gpu).slice(4)}: Unknown Error`,
  );
  const present = Array.from({ length: gpus.count }, (_, index) => index).filter((index) => !lost.has(index));
  if (gpus.count === 0 || faults.some((f) => f.kind === 'no_gpu'))
    return { output: 'No devices were found', exitCode: 6 };
  if (present.length === 0) return { output: words.join('\n'), exitCode: 15 };
  const body = present.map((index) => gpuXml(gpus, index, faults)).join('\n');
  const log = `<?xml version="1.0" ?>
<!DOCTYPE nvidia_smi_log SYSTEM "nvsmi_device_v12.dtd">
<nvidia_smi_log>
\t<driver_version>${SIMULATED_DRIVER.version}</driver_version>
\t<cuda_version>${SIMULATED_DRIVER.cuda}</cuda_version>
\t<attached_gpus>${present.length}</attached_gpus>
${body}
</nvidia_smi_log>`;
  return { output: [...words, log].join('\n'), exitCode: 0 };
}

/** Output and exit status of `nvidia-smi -L`. */
export function listGpus(gpus: GpuModel, faults: readonly MachineFault[]): { output: string; exitCode: number } {
  const { output, exitCode } = queryXml(gpus, faults);
  if (exitCode !== 0) return { output, exitCode };
  const lines = Array.from(
    { length: gpus.count },
    (_, index) => `GPU ${index}: NVIDIA ${gpus.name} (UUID: ${uuidOf(index)})`,
  );
  return { output: lines.join('\n'), exitCode: 0 };
}

/** Indices of the GPUs that are lost by a fault. */
export const lostGpus = (faults: readonly MachineFault[]): number[] =>
  faults.flatMap((f) => (f.kind === 'gpu_lost' || (f.kind === 'xid' && f.xid === 79) ? [f.gpu] : []));

const uuidOf = (index: number): string => `GPU-00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;

function gpuXml(gpus: GpuModel, index: number, faults: readonly MachineFault[]): string {
  const of = <Kind extends MachineFault['kind']>(kind: Kind) =>
    faults.find(
      (f): f is Extract<MachineFault, { kind: Kind; gpu: number }> => f.kind === kind && 'gpu' in f && f.gpu === index,
    );
  const hot = of('overheating');
  // A contained memory error is counted like any other.
  const contained = faults.some((f) => f.kind === 'xid' && f.xid === 94 && f.gpu === index) ? 1 : 0;
  const remap = of('row_remap');
  const marginC = hot?.marginC ?? IDLE_MARGIN_C;
  const active = (is: boolean): string => (is ? 'Active' : 'Not Active');
  const limitW = powerLimitW(gpus.name);
  const idleW = limitW * IDLE_POWER_SHARE;
  const totalMib = Math.round(gpus.vramGibEach * 1024);
  return `\t<gpu id="${busIdOf(index)}">
\t\t<product_name>NVIDIA ${gpus.name}</product_name>
\t\t<persistence_mode>Enabled</persistence_mode>
\t\t<mig_mode>
\t\t\t<current_mig>Disabled</current_mig>
\t\t</mig_mode>
\t\t<uuid>${uuidOf(index)}</uuid>
\t\t<gpu_recovery_action>${remap === undefined ? 'None' : 'GPU Reset'}</gpu_recovery_action>
\t\t<clocks_event_reasons>
\t\t\t<clocks_event_reason_gpu_idle>${active(hot === undefined)}</clocks_event_reason_gpu_idle>
\t\t\t<clocks_event_reason_hw_slowdown>${active(hot !== undefined)}</clocks_event_reason_hw_slowdown>
\t\t\t<clocks_event_reason_hw_thermal_slowdown>${active(hot !== undefined)}</clocks_event_reason_hw_thermal_slowdown>
\t\t\t<clocks_event_reason_hw_power_brake_slowdown>Not Active</clocks_event_reason_hw_power_brake_slowdown>
\t\t</clocks_event_reasons>
\t\t<fb_memory_usage>
\t\t\t<total>${totalMib} MiB</total>
\t\t\t<reserved>551 MiB</reserved>
\t\t\t<used>${Math.round(totalMib / 4)} MiB</used>
\t\t</fb_memory_usage>
\t\t<utilization>
\t\t\t<gpu_util>12 %</gpu_util>
\t\t\t<memory_util>3 %</memory_util>
\t\t</utilization>
\t\t<ecc_mode>
\t\t\t<current_ecc>Enabled</current_ecc>
\t\t</ecc_mode>
\t\t<ecc_errors>
\t\t\t<volatile>
\t\t\t\t<sram_correctable>0</sram_correctable>
\t\t\t\t<sram_uncorrectable_parity>0</sram_uncorrectable_parity>
\t\t\t\t<sram_uncorrectable_secded>0</sram_uncorrectable_secded>
\t\t\t\t<dram_correctable>0</dram_correctable>
\t\t\t\t<dram_uncorrectable>${(of('ecc')?.uncorrected ?? 0) + contained}</dram_uncorrectable>
\t\t\t</volatile>
\t\t</ecc_errors>
\t\t<remapped_rows>
\t\t\t<remapped_row_corr>0</remapped_row_corr>
\t\t\t<remapped_row_unc>${remap === undefined ? 0 : 1}</remapped_row_unc>
\t\t\t<remapped_row_pending>${remap?.state === 'pending' ? 'Yes' : 'No'}</remapped_row_pending>
\t\t\t<remapped_row_failure>${remap?.state === 'failed' ? 'Yes' : 'No'}</remapped_row_failure>
\t\t</remapped_rows>
\t\t<temperature>
\t\t\t<gpu_temp>${IDLE_TEMPERATURE_C + IDLE_MARGIN_C - marginC} C</gpu_temp>
\t\t\t<gpu_temp_tlimit>${marginC + SLOW_MARGIN_C} C</gpu_temp_tlimit>
\t\t\t<gpu_temp_slow_tlimit_threshold>${SLOW_MARGIN_C} C</gpu_temp_slow_tlimit_threshold>
\t\t</temperature>
\t\t<gpu_power_readings>
\t\t\t<average_power_draw>${idleW.toFixed(2)} W</average_power_draw>
\t\t\t<instant_power_draw>${(idleW - 0.35).toFixed(2)} W</instant_power_draw>
\t\t\t<current_power_limit>${limitW.toFixed(2)} W</current_power_limit>
\t\t\t<default_power_limit>${limitW.toFixed(2)} W</default_power_limit>
\t\t</gpu_power_readings>
\t</gpu>`;
}

/**
 * The GPUs themselves: which there are, what errors they had, how warm they are and what slows them down.
 */
import { RESERVE_SHARE } from '../../../fleet/selection/model-fit.ts';
import { LEAST_MARGIN_C } from '../../rules.ts';
import type { GpuReading } from '../../types.ts';
import { failureOfXid, XID_CONTAINED } from '../../xids.ts';
import type { DriverGpu } from '../nvidia-smi.ts';
import { capabilityByName, COMPATIBILITY_SOURCES, OLLAMA_LEAST_CAPABILITY } from './compatibility.ts';
import type { DiagnosisFacts, MachineFacts } from './facts.ts';
import { serverWords, type ServerWords } from './server-words.ts';
import { findingsIn, gib, type GpuFinding } from './finding.ts';

const { ok, warn, fail, skipped } = findingsIn('GPU');
/** A limit lowered by more than this is felt. */
const LOW_POWER_RATIO = 0.8;

/** As the driver says, else by its name; null = not known. */
export const capabilityOf = (
  machine: MachineFacts,
  { index, name }: Pick<DriverGpu, 'index' | 'name'>,
): number | null => machine.capabilities[index] ?? capabilityByName(name);

export function gpuFindings(facts: DiagnosisFacts): GpuFinding[] {
  const { machine, server } = facts;
  if (machine === null) return [];
  if (!machine.driver.answered && machine.amd !== null)
    return machine.amd.gpus.map(({ name, target }, index) =>
      skipped(
        `GPU ${index}`,
        `${name}${target === null ? '' : ` (${target})`}: its errors, temperature and memory are not read`,
      ),
    );
  if (!machine.driver.answered)
    return [
      skipped(
        'GPU',
        'none can be seen without a driver that answers (asked: nvidia-smi, /proc/driver/nvidia, kernel log)',
      ),
    ];
  const { driver, gpus } = machine;
  if (gpus.length === 0) {
    if (server.isReader) return [skipped('GPU', 'the driver shows none; the built-in reader needs none')];
    return [
      fail(
        'GPU',
        'the driver shows no GPU',
        'Check with `lspci | grep -i nvidia` that the machine has one, and reboot it; a rented machine is to be replaced.',
      ),
    ];
  }
  const each = gpus.flatMap((reading) => {
    const gpu = driver.gpus.find((one) => one.index === reading.index);
    return gpu === undefined ? [lost(reading)] : findingsOf(facts, machine, gpu, reading);
  });
  return [...each, ...memoryInUse(facts, driver.gpus)];
}

/** Other programs take memory that the fit of the models counts on: a desktop, a notebook, a second model server. */
function memoryInUse({ loaded, server }: DiagnosisFacts, gpus: readonly DriverGpu[]): GpuFinding[] {
  const sum = (figure: (gpu: DriverGpu) => number | null): number =>
    gpus.reduce((total, gpu) => total + (figure(gpu) ?? 0), 0);
  const totalBytes = sum((gpu) => gpu.memoryTotalBytes);
  if (server.isReader || totalBytes === 0 || gpus.every((gpu) => gpu.memoryUsedBytes === null)) return [];
  const usedBytes = sum((gpu) => gpu.memoryUsedBytes);
  const modelBytes = loaded.reduce((total, model) => total + model.vramBytes, 0);
  const otherBytes = usedBytes - modelBytes;
  const share = usedBytes / totalBytes;
  // Others take a share of it when they start, and do not say how much.
  if (server.kind !== 'ollama') return [{ ...ok('memory in use', `${gib(usedBytes)} of ${gib(totalBytes)}`), share }];
  const found = `${gib(usedBytes)} of ${gib(totalBytes)}, ${gib(Math.min(usedBytes, modelBytes))} of it by models in memory`;
  const name = 'memory in use';
  const finding =
    otherBytes > totalBytes * RESERVE_SHARE
      ? warn(
          name,
          `${found}: ${gib(otherBytes)} is taken by something else`,
          'Models that fit by their size may not fit beside it: `nvidia-smi` lists who it is; end what is not needed.',
        )
      : ok(name, found);
  return [{ ...finding, share }];
}

const lost = ({ index, name, xids }: GpuReading): GpuFinding =>
  fail(
    `GPU ${index}`,
    `${name}: the driver cannot reach it (XID ${xids.join(', ')})`,
    'Reboot the machine; if that does not bring it back, replace it.',
  );

function findingsOf(facts: DiagnosisFacts, machine: MachineFacts, gpu: DriverGpu, reading: GpuReading): GpuFinding[] {
  const name = (what: string): string => `GPU ${gpu.index} ${what}`;
  return [
    identity(facts, machine, gpu),
    ...xidFindings(gpu.index, reading, serverWords(facts)),
    memoryErrors(gpu, reading, name('memory')),
    temperature(gpu, name('temperature')),
    power(gpu, name('power')),
    persistence(gpu, name('persistence')),
    ...sliced(gpu, name('slices')),
    ...link(gpu, name('link')),
    ...recovery(gpu, name('recovery')),
  ];
}

function identity({ server }: DiagnosisFacts, machine: MachineFacts, gpu: DriverGpu): GpuFinding {
  const capability = capabilityOf(machine, gpu);
  const memory = gpu.memoryTotalBytes === null ? '' : `, ${gib(gpu.memoryTotalBytes)}`;
  const found = `${gpu.name}${memory}${capability === null ? '' : `, compute capability ${capability.toFixed(1)}`}`;
  // The needs of other servers are said of each engine below.
  if (server.kind === 'ollama' && capability !== null && capability < OLLAMA_LEAST_CAPABILITY)
    return fail(
      `GPU ${gpu.index}`,
      found,
      `Ollama needs ${OLLAMA_LEAST_CAPABILITY.toFixed(1)} or more: take a newer GPU. ${COMPATIBILITY_SOURCES.ollama}`,
    );
  return ok(`GPU ${gpu.index}`, found);
}

function xidFindings(index: number, { xids, xidEvents }: GpuReading, { restart }: ServerWords): GpuFinding[] {
  const times = xidEvents === undefined || xidEvents < 2 ? '' : ` (${xidEvents} lines in the kernel’s log)`;
  const name = `GPU ${index} errors`;
  if (xids.length === 0) return [ok(name, 'no XID since the machine booted')];
  return xids.map((xid) => {
    const failure = failureOfXid(xid);
    const found = `XID ${xid} since the machine booted${failure === 'gpu_app_error' ? times : ''}`;
    switch (failure) {
      case 'gpu_lost':
        return fail(name, `${found}: it has fallen off the bus`, 'Reboot the machine; if it comes again, replace it.');
      case 'gpu_reset_needed':
        return fail(name, `${found}: the GPU wants a reset`, 'Reboot the machine; if it comes again, replace it.');
      case 'gpu_app_error':
        return warn(name, `${found}: an application went wrong on it`, `${restart} if it was not since.`);
      case null:
        return ok(name, `${found}: a note, nothing is to be done`);
    }
  });
}

function memoryErrors(gpu: DriverGpu, { xids }: GpuReading, name: string): GpuFinding {
  const { eccEnabled, eccUncorrected, rowRemapFailed, rowRemapPending, remappedRows } = gpu;
  if (rowRemapFailed === true)
    return fail(name, 'rows could not be remapped: its memory is worn out', 'Replace the machine; nothing else helps.');
  // Contained ones cost an application only, which is said of the errors.
  if (eccUncorrected !== null && eccUncorrected > 0 && !xids.includes(XID_CONTAINED))
    return fail(
      name,
      `${eccUncorrected} uncorrectable errors since the driver was loaded`,
      'Reboot the machine; if they come again, replace it.',
    );
  if (rowRemapPending === true)
    return warn(
      name,
      'rows wait to be remapped',
      'Reboot the machine when it has no work: the next reset of the GPU remaps them.',
    );
  const ecc = eccEnabled === null ? 'no ECC on this GPU' : `ECC ${eccEnabled ? 'on' : 'off'}`;
  const errors =
    eccUncorrected === null || eccUncorrected === 0
      ? 'no uncorrectable errors'
      : `${eccUncorrected} uncorrectable errors that were contained`;
  return ok(
    name,
    `${ecc}, ${errors}${remappedRows === null || remappedRows === 0 ? '' : `, ${remappedRows} rows remapped earlier`}`,
  );
}

const THERMAL = ['hw_thermal_slowdown', 'sw_thermal_slowdown', 'hw_slowdown'];

function temperature(gpu: DriverGpu, name: string): GpuFinding {
  const { temperatureC, slowdownMarginC, throttleReasons } = gpu;
  if (temperatureC === null) return skipped(name, 'the driver does not say');
  const margin = slowdownMarginC === null ? '' : `, ${slowdownMarginC} °C below its slowdown`;
  const cooling = 'Check fans and air flow; a rented machine is to be replaced.';
  const slowed = throttleReasons.filter((reason) => THERMAL.includes(reason));
  if (slowed.length > 0)
    return fail(name, `${temperatureC} °C${margin}; slowed down now (${slowed.join(', ')})`, cooling);
  if (slowdownMarginC !== null && slowdownMarginC <= LEAST_MARGIN_C)
    return warn(name, `${temperatureC} °C${margin}`, cooling);
  return ok(name, `${temperatureC} °C${margin}`);
}

function power(gpu: DriverGpu, name: string): GpuFinding {
  const { powerW, powerLimitW, powerDefaultW, throttleReasons } = gpu;
  if (powerW === null && powerLimitW === null) return skipped(name, 'the driver does not say');
  const draw = powerW === null ? '' : `${powerW.toFixed(0)} W`;
  const found = [draw, powerLimitW === null ? '' : `limit ${powerLimitW.toFixed(0)} W`]
    .filter((text) => text !== '')
    .join(', ');
  if (throttleReasons.includes('hw_power_brake_slowdown'))
    return warn(
      name,
      `${found}; its power supply brakes it`,
      'Check power cables and supply; a rented machine is to be replaced.',
    );
  if (powerLimitW !== null && powerDefaultW !== null && powerLimitW < powerDefaultW * LOW_POWER_RATIO)
    return warn(
      name,
      `${found}, default ${powerDefaultW.toFixed(0)} W`,
      `Raise it: \`nvidia-smi -i ${gpu.index} -pl ${powerDefaultW.toFixed(0)}\`.`,
    );
  return ok(name, found);
}

const persistence = ({ persistenceEnabled, index }: DriverGpu, name: string): GpuFinding =>
  persistenceEnabled === false
    ? warn(
        name,
        'off: the driver is loaded anew for every program',
        `\`systemctl enable --now nvidia-persistenced\`, or \`nvidia-smi -i ${index} -pm 1\`.`,
      )
    : ok(name, persistenceEnabled === null ? 'does not apply here' : 'on');

const sliced = ({ migEnabled }: DriverGpu, name: string): GpuFinding[] =>
  migEnabled === true
    ? [
        warn(
          name,
          'the GPU is cut into slices (MIG): a model has to fit into one of them',
          'Switch it off (`nvidia-smi -mig 0`, then reboot) unless the slices are meant.',
        ),
      ]
    : [];

/** A link half as wide makes loading models slow; narrower ones are a card that does not sit well. */
const link = ({ linkWidth, linkWidthMax }: DriverGpu, name: string): GpuFinding[] =>
  linkWidth !== null && linkWidthMax !== null && linkWidth > 0 && linkWidth < linkWidthMax / 2
    ? [
        warn(
          name,
          `${linkWidth} of ${linkWidthMax} lanes of PCIe`,
          'Loading models is slow over it: seat the card anew, or use another slot.',
        ),
      ]
    : [];

const recovery = ({ recoveryAction }: DriverGpu, name: string): GpuFinding[] =>
  recoveryAction === null
    ? []
    : [warn(name, `the driver asks for: ${recoveryAction}`, 'Reboot the machine when it has no work.')];

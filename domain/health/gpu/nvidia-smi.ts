/**
 * Reads what `nvidia-smi -q -x` prints, of any driver from 418 on.
 *
 * Names of elements changed over the years (`clocks_throttle_reasons` became `clocks_event_reasons` with 535, `power_readings` became
 * `gpu_power_readings` with 530, absolute temperature limits became margins with Ada), so every figure is looked for under all its names and is
 * null where none has a number. What the driver says about a GPU it cannot reach stands before or instead of the document, as plain text.
 *
 * The output is untrusted. So there is a limit to how much is read and to what comes of it, and no text is matched
 * that is longer than a figure or a name.
 */
import { XMLParser } from 'fast-xml-parser';
import { canonicalBusId } from './bus-id.ts';
import { plainText } from '../../text/plain-text.ts';
import type { GpuReading } from '../types.ts';
import { bytesIn, countIn, numberIn, ratioIn, switchIn } from './quantities.ts';

/** A GPU as the driver describes it. Null = the driver does not say. */
export interface DriverGpu extends Omit<GpuReading, 'xids' | 'xidEvents'> {
  /** See {@link canonicalBusId}; null where the driver gives none. */
  readonly busId: string | null;
  readonly eccEnabled: boolean | null;
  readonly remappedRows: number | null;
  readonly persistenceEnabled: boolean | null;
  readonly migEnabled: boolean | null;
  readonly powerW: number | null;
  readonly powerLimitW: number | null;
  readonly powerDefaultW: number | null;
  /** What the driver itself asks for, such as `Reset` or `Drain and Reset`; null when nothing, or where it does not say. */
  readonly recoveryAction: string | null;
  readonly linkWidth: number | null;
  readonly linkWidthMax: number | null;
}

/** What the driver said. */
export type DriverReport =
  | {
      readonly answered: true;
      readonly driverVersion: string | null;
      /** Newest CUDA that this driver runs. */
      readonly cudaVersion: string | null;
      readonly gpus: readonly DriverGpu[];
      /** Addresses (or what stands for them) of GPUs that the driver knows of and cannot reach. */
      readonly lost: readonly string[];
    }
  /** `message` in the driver's own words. */
  | { readonly answered: false; readonly message: string };

/** Longest message that is passed on, and how much of an output it is made of. */
const MESSAGE_CHARS = 300;
const MESSAGE_SOURCE_CHARS = 4000;
/** Longest document that is read. That of sixteen GPUs is about 200 KB. */
const DOCUMENT_CHARS = 500_000;
/** No figure and no name is longer. */
const TEXT_CHARS = 200;
/** No machine has more GPUs. */
const MOST_GPUS = 32;
/** Drivers know a dozen. */
const MOST_REASONS = 24;
/** A margin beyond this is no temperature. */
const LARGEST_MARGIN_C = 200;

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: true,
  // What a rented machine prints is not trusted; the document has no entities of its own.
  processEntities: false,
  isArray: (name, path) => name === 'gpu' && path === 'nvidia_smi_log.gpu',
});

/**
 * Reads the output of `nvidia-smi -q -x`. Never throws: what cannot be read is a message.
 *
 * @param output both streams together
 * @param exitCode of the command; 124 = it was ended because it took too long
 */
export function parseDriverReport(output: string, exitCode: number): DriverReport {
  const lost = lostGpus(output);
  const log = documentIn(output);
  if (log === null) {
    if (/no devices were found/iu.test(output) || lost.length > 0) {
      return { answered: true, driverVersion: null, cudaVersion: null, gpus: [], lost };
    }
    return { answered: false, message: failureMessage(output, exitCode) };
  }
  const listed = asList(log['gpu']).filter(isElement).slice(0, MOST_GPUS);
  const reachable = listed.filter((gpu) => !isLost(gpu));
  const unreachable = listed.filter(isLost).map((gpu) => textAt(gpu, '@id') ?? 'a GPU');
  return {
    answered: true,
    driverVersion: known(textAt(log, 'driver_version')),
    cudaVersion: known(textAt(log, 'cuda_version')),
    gpus: reachable.map((gpu) => readGpu(gpu, listed.indexOf(gpu))),
    lost: [...new Set([...lost, ...unreachable].map((id) => canonicalBusId(id) ?? id))].slice(0, MOST_GPUS),
  };
}

type Element = Readonly<Record<string, unknown>>;

const isElement = (value: unknown): value is Element =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const asList = (value: unknown): readonly unknown[] => {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value];
};

/** The root element; null where there is none that can be read. */
function documentIn(output: string): Element | null {
  const from = output.indexOf('<nvidia_smi_log');
  const end = '</nvidia_smi_log>';
  const until = output.indexOf(end, from);
  if (from < 0 || until < 0 || until - from > DOCUMENT_CHARS) return null;
  try {
    const parsed: unknown = parser.parse(output.slice(from, until + end.length));
    if (!isElement(parsed)) return null;
    const root = parsed['nvidia_smi_log'];
    // An empty element is an empty text.
    return isElement(root) ? root : {};
  } catch {
    return null;
  }
}

/** GPUs named in the plain words the driver has for one it cannot reach. */
function lostGpus(output: string): string[] {
  const found = output.matchAll(
    /unable to determine the device handle for gpu\s{0,9}(\d{1,4}(?=:\s))?:?\s{0,9}([0-9a-f]{4,8}:[0-9a-f]{2}:[0-9a-f]{2}(?:\.[0-9a-f])?)?/giu,
  );
  const names = found.map(
    ([, index, busId]) => canonicalBusId(busId ?? '') ?? (index === undefined ? 'a GPU' : `GPU ${index}`),
  );
  return [...new Set(names.take(MOST_GPUS))];
}

/** A GPU that is listed with errors in place of all its figures. */
function isLost(gpu: Element): boolean {
  const figures = [gpu['product_name'], gpu['temperature'], gpu['utilization'], gpu['fb_memory_usage']];
  return figures
    .flatMap((figure) => (isElement(figure) ? Object.values(figure) : [figure]))
    .some((text) => typeof text === 'string' && text.slice(0, TEXT_CHARS).toLowerCase().includes('gpu is lost'));
}

function failureMessage(output: string, exitCode: number): string {
  if (exitCode === 124 || exitCode === 137) return 'nvidia-smi did not answer in time';
  if (exitCode === 127) return 'nvidia-smi is not there: no driver is installed';
  const words = plainText(output.slice(0, MESSAGE_SOURCE_CHARS).replaceAll(/<[^<>]*>/gu, ' '), MESSAGE_CHARS);
  return words === '' ? `nvidia-smi ended with ${exitCode} and said nothing` : words;
}

/** The text at a path of elements; null where there is none, or one that is no figure and no name. */
function textAt(element: Element, ...path: readonly string[]): string | null {
  let current: unknown = element;
  for (const name of path) {
    if (!isElement(current)) return null;
    current = current[name];
  }
  // An element with attributes has its text beside them.
  const text = isElement(current) ? current['#text'] : current;
  return typeof text === 'string' && text.length <= TEXT_CHARS ? plainText(text, TEXT_CHARS) : null;
}

/** The first of several paths whose text can be read. */
function firstOf<T>(
  element: Element,
  read: (text: string | null) => T | null,
  ...paths: readonly (readonly string[])[]
): T | null {
  for (const path of paths) {
    const value = read(textAt(element, ...path));
    if (value !== null) return value;
  }
  return null;
}

/** A text that says something; null for the driver's words for nothing. */
function known(text: string | null): string | null {
  if (text === null || text === '') return null;
  return /^\[?(?:n\/a|none|not (?:supported|found|available)|unknown(?: error)?|err!|requested functionality.*|gpu is lost.*)\]?$/iu.test(
    text,
  )
    ? null
    : text;
}

function readGpu(gpu: Element, index: number): DriverGpu {
  const temperatureC = firstOf(gpu, numberIn, ['temperature', 'gpu_temp']);
  const power = ['gpu_power_readings', 'power_readings'] as const;
  const powerOf = (...names: readonly string[]): number | null =>
    firstOf(gpu, numberIn, ...power.flatMap((group) => names.map((name) => [group, name])));
  return {
    index,
    busId: canonicalBusId(textAt(gpu, '@id') ?? '') ?? canonicalBusId(textAt(gpu, 'pci', 'pci_bus_id') ?? ''),
    name: known(textAt(gpu, 'product_name')) ?? 'unknown GPU',
    utilRatio: ratioIn(textAt(gpu, 'utilization', 'gpu_util')),
    memoryUsedBytes: bytesIn(textAt(gpu, 'fb_memory_usage', 'used')),
    memoryTotalBytes: bytesIn(textAt(gpu, 'fb_memory_usage', 'total')),
    temperatureC,
    slowdownMarginC: slowdownMargin(gpu, temperatureC),
    throttleReasons: throttleReasons(gpu),
    eccEnabled: switchIn(textAt(gpu, 'ecc_mode', 'current_ecc')),
    eccUncorrected: uncorrectedErrors(gpu),
    rowRemapPending: firstOf(
      gpu,
      switchIn,
      ['remapped_rows', 'remapped_row_pending'],
      ['retired_pages', 'pending_retirement'],
    ),
    rowRemapFailed: switchIn(textAt(gpu, 'remapped_rows', 'remapped_row_failure')),
    remappedRows: countIn(textAt(gpu, 'remapped_rows', 'remapped_row_unc')),
    persistenceEnabled: switchIn(textAt(gpu, 'persistence_mode')),
    migEnabled: switchIn(textAt(gpu, 'mig_mode', 'current_mig')),
    powerW: powerOf('instant_power_draw', 'power_draw', 'average_power_draw'),
    powerLimitW: powerOf('current_power_limit', 'enforced_power_limit', 'power_limit'),
    powerDefaultW: powerOf('default_power_limit'),
    recoveryAction:
      known(textAt(gpu, 'gpu_recovery_action')) ??
      (switchIn(textAt(gpu, 'gpu_reset_status', 'reset_required')) === true ? 'Reset' : null),
    linkWidth: linkWidth(gpu, 'current_link_width'),
    linkWidthMax: linkWidth(gpu, 'max_link_width'),
  };
}

const linkWidth = (gpu: Element, name: string): number | null =>
  countIn(textAt(gpu, 'pci', 'pci_gpu_link_info', 'link_widths', name)?.replace(/x$/u, '') ?? null);

/**
 * Degrees left to the hardware's slowdown. Drivers give it in one of two ways: an absolute limit beside the temperature, or the margin to the
 * limit (`gpu_temp_tlimit`) with the margin at which the slowdown begins, which is zero or below.
 */
function slowdownMargin(gpu: Element, temperatureC: number | null): number | null {
  const at = (name: string): number | null => numberIn(textAt(gpu, 'temperature', name));
  const margin = at('gpu_temp_tlimit');
  const slowMargin = at('gpu_temp_slow_tlimit_threshold');
  const slow = at('gpu_temp_slow_threshold');
  const left =
    margin !== null
      ? margin - (slowMargin ?? 0)
      : slow !== null && slow > 0 && temperatureC !== null
        ? slow - temperatureC
        : null;
  return left !== null && Math.abs(left) <= LARGEST_MARGIN_C ? left : null;
}

const REASON_PREFIX = /^clocks_(?:event|throttle)_reasons?_/u;
const REASON = /^[a-z0-9_]{1,60}$/u;

/** Active reasons, without the idle clock, which is how a GPU without work looks and no reduction. */
function throttleReasons(gpu: Element): string[] {
  const reasons = new Set<string>();
  for (const group of [gpu['clocks_event_reasons'], gpu['clocks_throttle_reasons']]) {
    if (!isElement(group)) continue;
    for (const [name, value] of Object.entries(group)) {
      if (value !== 'Active') continue;
      const reason = name.replace(REASON_PREFIX, '');
      if (reason !== 'gpu_idle' && REASON.test(reason)) reasons.add(reason);
    }
  }
  return [...reasons].slice(0, MOST_REASONS).toSorted();
}

/** Since the driver was loaded. Newer drivers split the errors of on-chip memory in two, older ones have a sum of their own. */
function uncorrectedErrors(gpu: Element): number | null {
  const errors = gpu['ecc_errors'];
  const volatile = isElement(errors) ? errors['volatile'] : undefined;
  if (!isElement(volatile)) return null;
  const parts = ['sram_uncorrectable', 'sram_uncorrectable_parity', 'sram_uncorrectable_secded', 'dram_uncorrectable']
    .map((name) => countIn(textAt(volatile, name)))
    .filter((count) => count !== null);
  if (parts.length > 0) return parts.reduce((sum, count) => sum + count, 0);
  return countIn(textAt(volatile, 'double_bit', 'total'));
}

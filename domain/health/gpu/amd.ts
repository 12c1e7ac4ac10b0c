/**
 * Reads what AMD's tools print of a machine: `rocm-smi --showproductname --showdriverversion`, or `amd-smi static --asic --driver` where the older
 * tool is not installed. Never throws; the output is untrusted, so its size is limited.
 */
import { plainText } from '../../text/plain-text.ts';

const MOST_LINES = 2000;
const MOST_GPUS = 64;
const NAME_CHARS = 120;
/** `GPU[0] : Card Series: AMD Instinct MI300X`, `MARKET_NAME: AMD Instinct MI300X`. */
const LINE = /^(?:GPU\[(\d{1,3})\]\s{0,8}:)?\s{0,8}([A-Za-z][\w ]{0,40}?)\s{0,8}:(.*)$/u;

/** A GPU of AMD. */
export interface AmdGpu {
  /** Such as `AMD Instinct MI300X`. */
  readonly name: string;
  /** Instruction set that programs are compiled for, such as `gfx942`; null = not said. */
  readonly target: string | null;
}

/** What a machine with GPUs of AMD says of them. */
export interface AmdReport {
  readonly gpus: readonly AmdGpu[];
  /** Version of the kernel module `amdgpu`; null = not said. */
  readonly driver: string | null;
  /** Version of ROCm, such as `6.4.1`; null = not installed at its usual place. */
  readonly rocm: string | null;
}

/** @param rocm text of `/opt/rocm/.info/version`, or of `amd-smi version` @returns null when the tools show no GPU */
export function parseAmdReport(said: string, rocm: string): AmdReport | null {
  const names = new Map<string, string>();
  const targets = new Map<string, string>();
  const indices = new Set<string>();
  let driver: string | null = null;
  // amd-smi: blocks of a GPU, and sections within them.
  let [block, section] = ['', ''];
  for (const line of said.split('\n', MOST_LINES)) {
    const [, index = block, label = '', text = ''] = LINE.exec(line.trim()) ?? [];
    const value = text.trim();
    switch (label.toLowerCase()) {
      case 'gpu':
        block = value;
        indices.add(value);
        break;
      case 'card series':
      case 'market_name':
        indices.add(index);
        if (isSaid(value)) names.set(index, plainText(value, NAME_CHARS));
        break;
      case 'gfx version':
      case 'target_graphics_version':
        indices.add(index);
        if (/^gfx[0-9a-f]{3,5}$/u.test(value)) targets.set(index, value);
        break;
      case 'driver version':
        driver ??= versionIn(value);
        break;
      case 'version':
        if (section === 'driver') driver ??= versionIn(value);
        break;
      default:
        if (value === '') section = label.toLowerCase();
    }
  }
  const gpus = [...indices].slice(0, MOST_GPUS).map((index) => ({
    name: names.get(index) ?? 'GPU of AMD',
    target: targets.get(index) ?? null,
  }));
  return gpus.length === 0 ? null : { gpus, driver, rocm: versionIn(/ROCm version: (\S+)/u.exec(rocm)?.[1] ?? rocm) };
}

/** A virtual machine hides some of the names. */
const isSaid = (value: string): boolean => value !== '' && value !== 'N/A';

const versionIn = (text: string): string | null => /^\s*(\d{1,4}(?:\.\d{1,4}){1,3})/u.exec(text)?.[1] ?? null;

/**
 * The fixed commands that are run on a machine as its administrator, and how their output is taken apart.
 *
 * One command asks for everything at once, because each is a round trip over a tunnel; it prints its parts behind marks. Nothing of a
 * caller's goes into a command.
 */
import type { ServerKind } from '../../models/server-kind.ts';
import { KERNEL_LINES } from './kernel-log.ts';

/** Units that are a model server. */
export type ServerUnit = 'ollama' | 'vllm';

/** The unit that serves on machines of ours. */
export const unitOf = (kind: ServerKind): ServerUnit => (kind === 'ollama' ? 'ollama' : 'vllm');

/** Ends and starts the model server; what was in memory is loaded anew. */
export const restartCommand = (unit: ServerUnit): string => `systemctl restart ${unit}`;

/** The reboot begins a second later, so that the answer still arrives. */
export const REBOOT_COMMAND = `nohup sh -c 'sleep 1; systemctl reboot' >/dev/null 2>&1 &`;

/** Output of {@link MEASURE_COMMAND} on a machine with eight GPUs is about 100 KB. What is read of it takes time in a gateway of many machines. */
export const MEASURE_OUTPUT_CHARS = 500_000;
/** The longest lines are the settings a model server logs: below 3,000 characters. */
const LONGEST_LINE_CHARS = 4000;
/** Longest time of a whole measurement: each of its steps has a limit of its own. */
export const MEASURE_LIMIT_MS = 45_000;

const MARK = '@@deckhand';

/** Where models are: of our own set-ups, of Ollama's installer, else the root. */
const MODEL_DIRECTORIES = '/var/lib/vllm /var/lib/ollama /usr/share/ollama /';

/** `part NAME` begins a part of the output, `limited SECONDS COMMAND` runs a command with a limit where that is possible. */
export const PRELUDE = `LC_ALL=C; export LC_ALL
part() { printf '\\n${MARK} %s\\n' "$1"; }
limited() { if command -v timeout >/dev/null 2>&1; then timeout -k 2 "$@"; else shift; "$@"; fi; }`;

/**
 * The list of clocks, nine tenths of the document, is left out.
 *
 * A driver that hangs over its GPU holds nvidia-smi where no signal reaches it, and `timeout` waits for it. So it runs in the background, and
 * what is limited is the reading of what it says; without its last line it did not end.
 */
const GPU_PART = `said=$( ( { limited 15 nvidia-smi -q -x 2>&1; printf '\\n${MARK}-exit %s\\n' "$?"; } </dev/null 2>/dev/null & ) | limited 18 cat)
code=124
case "$said" in *"${MARK}-exit "*) code=\${said##*"${MARK}-exit "}; said=\${said%"${MARK}-exit "*} ;; esac
part gpu
printf '%s\\n' "$said" | grep -v supported_graphics_clock
part gpu-exit
echo "$code"`;

/** The journal goes back to the boot, the ring buffer may have lost lines; a machine may have only one of them. */
const KERNEL_PART = `part kernel
lines=$(limited 10 journalctl -k -b -o cat --no-pager 2>/dev/null | grep -E '${KERNEL_LINES}')
if [ -z "$lines" ]; then lines=$(limited 5 dmesg 2>/dev/null | grep -E '${KERNEL_LINES}'); fi
printf '%s\\n' "$lines" | tail -n 2000`;

const DISK_PART = `part disk
for directory in ${MODEL_DIRECTORIES}; do
  if [ -d "$directory" ]; then limited 5 df -P -B1 "$directory"; break; fi
done`;

/** As with {@link GPU_PART}, the reading is limited, because a driver may hang over its GPU. ROCm is not in the path of every shell. */
const AMD_PART = `part amd
PATH=$PATH:/opt/rocm/bin
( ( if command -v rocm-smi >/dev/null 2>&1; then limited 15 rocm-smi --showproductname --showdriverversion
  else limited 15 amd-smi static --asic --driver; fi ) </dev/null 2>/dev/null & ) | limited 18 cat
part rocm
cat /opt/rocm/.info/version 2>/dev/null || ( limited 5 amd-smi version </dev/null 2>/dev/null & ) | limited 8 cat`;

/** Driver, kernel log and disk. Changes nothing. Always ends with 0. */
export const MEASURE_COMMAND = [PRELUDE, GPU_PART, KERNEL_PART, DISK_PART, 'part end', 'exit 0'].join('\n');

/** All of {@link MEASURE_COMMAND}, and what a diagnosis wants besides. Changes nothing. Always ends with 0. */
export const diagnoseCommand = (unit: ServerUnit): string =>
  [
    PRELUDE,
    GPU_PART,
    KERNEL_PART,
    DISK_PART,
    `part capability
limited 10 nvidia-smi --query-gpu=index,compute_cap --format=csv,noheader 2>&1
part module
cat /proc/driver/nvidia/version 2>/dev/null
part modules
grep -E '^nvidia' /proc/modules 2>/dev/null
part service
limited 5 systemctl show ${unit} --property=ActiveState,Environment,NRestarts 2>/dev/null
part model-log
limited 10 journalctl -u ${unit} -b -o cat --no-pager 2>/dev/null | grep -E 'inference compute|server config|no compatible GPUs|entering low vram' | tail -n 20
part uptime
cat /proc/uptime 2>/dev/null
${AMD_PART}
part end
exit 0`,
  ].join('\n');

/** Memory of the GPUs that programs use, MiB, one line for each. Changes nothing. */
export const GPU_MEMORY_COMMAND = 'nvidia-smi --query-gpu=memory.used --format=csv,noheader,nounits';

/** The parts of an output by their names. A part that is not there was not reached; what is too long for a line is cut off. */
export function partsOf(output: string): ReadonlyMap<string, string> {
  const parts = new Map<string, string>();
  let name: string | null = null;
  let lines: string[] = [];
  const close = (): void => {
    if (name !== null && !parts.has(name)) parts.set(name, lines.join('\n').trim());
  };
  for (const line of output.slice(0, MEASURE_OUTPUT_CHARS).split('\n')) {
    if (line.startsWith(`${MARK} `)) {
      close();
      name = line.slice(MARK.length + 1).trim();
      lines = [];
    } else lines.push(line.slice(0, LONGEST_LINE_CHARS));
  }
  close();
  return parts;
}

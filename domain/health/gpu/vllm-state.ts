/** How far a machine's vLLM has come while nothing answers at its port: the command that asks for it, and what it says. */
import { WEIGHTS_DIR } from '../../fleet/startup-script/vllm.ts';
import { plainText } from '../../text/plain-text.ts';

/** Changes nothing. Always ends with 0. */
export const VLLM_STATE_COMMAND = `LC_ALL=C; export LC_ALL
systemctl show vllm --property=SubState 2>/dev/null
echo "WeightsKib=$(du -sk ${WEIGHTS_DIR} 2>/dev/null | cut -f1)"
echo "Log=$(journalctl -u vllm -b -o cat -n 1 --no-pager 2>/dev/null)"
exit 0`;

/** Longest line of its log that is shown. */
const LINE_CHARS = 200;

/** The unit of a machine's vLLM. */
export interface VllmState {
  /** False while it is not installed yet, and between its tries. */
  readonly runs: boolean;
  /** It fetches weights, and is no server yet. */
  readonly downloads: boolean;
  readonly weightsBytes: number;
  /** Last line of its log; empty = it has none. */
  readonly said: string;
}

/** Reads the output of {@link VLLM_STATE_COMMAND}. What is missing counts as nothing. */
export function readVllmState(output: string): VllmState {
  const field = (name: string): string => new RegExp(`^${name}=(.*)$`, 'mu').exec(output)?.[1]?.trim() ?? '';
  const kib = Number.parseInt(field('WeightsKib'), 10);
  const line = plainText(field('Log'), LINE_CHARS);
  return {
    runs: field('SubState') === 'running',
    downloads: line.startsWith('downloading '),
    weightsBytes: Number.isFinite(kib) ? kib * 1024 : 0,
    said: line === '-- No entries --' ? '' : line,
  };
}

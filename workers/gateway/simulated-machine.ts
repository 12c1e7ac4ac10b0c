/** A machine of the simulated provider: its model server at a URL, and a shell that the simulator answers over loopback HTTP. */
import { z } from 'zod';
import type { CommandLimits, CommandResult, Machine } from '../../activities/gateway/machine.ts';
import { urlMachine } from '../../activities/gateway/machine.ts';
import type { ServerKind } from '../../domain/models/server-kind.ts';
import { DeckhandError } from '../../domain/errors.ts';

const COMMAND_LIMIT_MS = 30_000;
const OUTPUT_LIMIT_CHARS = 4000;

const answerSchema = z.object({ exitCode: z.int(), output: z.string() });

/** Which machine, and where its simulator is. */
export interface SimulatedMachineOptions {
  /** API of the simulated provider. */
  readonly providerUrl: string;
  readonly installationId: string;
  readonly instance: string;
  readonly kind: ServerKind;
  readonly modelUrl: string;
}

/** The connection to a simulated machine, which is open at once. */
export function simulatedMachine({ providerUrl, kind, ...target }: SimulatedMachineOptions): Machine {
  const shellUrl = new URL('/_control/machines/run', providerUrl);
  const run = async (command: string, signal: AbortSignal, limits: CommandLimits = {}): Promise<CommandResult> => {
    const limit = AbortSignal.timeout(limits.timeoutMs ?? COMMAND_LIMIT_MS);
    try {
      const response = await fetch(shellUrl, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ ...target, command }),
        signal: AbortSignal.any([signal, limit]),
      });
      if (!response.ok) throw new Error(`${response.status} ${response.statusText}`);
      const { exitCode, output } = answerSchema.parse(await response.json());
      return { exitCode, output: output.slice(0, limits.outputChars ?? OUTPUT_LIMIT_CHARS) };
    } catch (error) {
      signal.throwIfAborted();
      throw new DeckhandError('host_not_ready', `${target.instance} does not answer: ${String(error)}`, {
        cause: error,
      });
    }
  };
  return { ...urlMachine(target.modelUrl, kind), shell: { run } };
}

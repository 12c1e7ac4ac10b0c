/**
 * The bare fan-out: the same calls on the same servers, without Deckhand.
 */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import path from 'node:path';
import type { Rig } from '../../testing/rig.ts';
import type { BareInput } from './bare-workflows.ts';

export interface BareFanOut {
  /** Seconds that `count` activities took. */
  run(input: BareInput): Promise<number>;
  stop(): Promise<void>;
}

/** Starts the worker of the bare fan-out beside a rig. */
export async function startBareFanOut(rig: Rig, slots: number, imageFile: string): Promise<BareFanOut> {
  const { temporalAddress, temporalNamespace, modelHost } = rig.runtime;
  const child = spawn(
    process.execPath,
    [
      path.join(import.meta.dirname, 'bare-worker.ts'),
      temporalAddress,
      temporalNamespace,
      rig.runtime.home,
      modelHost,
      String(slots),
      imageFile,
    ],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  );
  await once(child.stdout, 'data');
  return {
    run: async (input) => {
      const startedAtMs = performance.now();
      await rig.temporal.workflow.execute('bareFanOut', {
        taskQueue: 'bench-bare',
        workflowId: `bench/${randomUUID()}`,
        args: [input],
      });
      return (performance.now() - startedAtMs) / 1000;
    },
    stop: async () => {
      child.kill('SIGTERM');
      if (child.exitCode === null) await once(child, 'exit');
    },
  };
}

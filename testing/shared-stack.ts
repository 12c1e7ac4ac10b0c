/**
 * The Deckhand that end-to-end files and pages share (vitest's `globalSetup` of the suites e2e and pages), on the shared servers and with a
 * reader without faults. Files join it by `joinSharedStack` (rig.ts). Those that kill a part of it or script its reader start a rig of their own.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TestProject } from 'vitest/node';
import { loadConfig } from '../platform/config.ts';
import { startRuntime } from '../runtime/runtime.ts';
import { startReaderProcess } from './rig.ts';
import { runningServers } from './shared-servers.ts';
import { sharedServers } from './test-servers.ts';

interface RunningStack {
  /** Settings with which a process of this machine joins it. */
  readonly environment: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

/** Each project of a run has its own module instance, so the stack hangs on the process. */
const shared = globalThis as { deckhandTestStack?: Promise<RunningStack>; deckhandTestStackUsers?: number };

async function start(): Promise<RunningStack> {
  const home = mkdtempSync(path.join(tmpdir(), 'deckhand-stack-'));
  const servers = await sharedServers(await runningServers());
  const reader = await startReaderProcess();
  const environment = {
    ...servers.environment,
    DECKHAND_HOME: home,
    DECKHAND_MODELS: 'reader',
    OLLAMA_HOST: reader.host,
  };
  const runtime = await startRuntime(loadConfig({ ...loadConfig().environment, ...environment }), { models: 'reader' });
  return {
    environment,
    stop: async () => {
      await runtime.stop();
      await servers.release();
      await reader.stop();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

/** Called by vitest once per project, before its first file. Returns what is called after its last one; the last project ends the stack. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  shared.deckhandTestStackUsers = (shared.deckhandTestStackUsers ?? 0) + 1;
  const { environment } = await (shared.deckhandTestStack ??= start());
  project.provide('stack', { environment });
  return async () => {
    shared.deckhandTestStackUsers = (shared.deckhandTestStackUsers ?? 1) - 1;
    if (shared.deckhandTestStackUsers > 0) return;
    const running = await shared.deckhandTestStack;
    delete shared.deckhandTestStack;
    await running?.stop();
  };
}

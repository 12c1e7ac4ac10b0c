/**
 * The Deckhand that end-to-end files share (vitest's `globalSetup` of suite e2e), on the shared servers and with a reader without faults.
 * Files join it by `joinSharedStack` (rig.ts). Those that kill a part of it or script its reader start a rig of their own.
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

/** Called by vitest before the first file of the suite. Returns what is called after the last one. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
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
  project.provide('stack', { environment });
  return async () => {
    await runtime.stop();
    await servers.release();
    await reader.stop();
    rmSync(home, { recursive: true, force: true });
  };
}

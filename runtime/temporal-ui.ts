/**
 * The child that stands in front of the embedded Temporal UI: it keeps foreign pages out, and has the UI ask the codec server with the
 * browser's cookie.
 */
import { join } from 'node:path';
import type { Config } from '../platform/config.ts';
import type { ChildSpec, Launch } from './supervisor/managed-child.ts';
import { httpAnswers } from './supervisor/probes.ts';
import type { PortBook } from './ports.ts';
import { temporalEnvironment } from './temporal.ts';

/** Where people look for the UI. */
const USUAL_PORT = 8233;
const SCRIPT = 'runtime/temporal-ui-main.ts';

/** A front that is about to be started. */
export interface UiFront {
  readonly spec: ChildSpec;
  /** Where browsers reach the UI; known once the child is ready. */
  url(): string;
}

/** Prepares the front of the UI at `target`. */
export function temporalUiFront(config: Config, ports: PortBook, target: string): UiFront {
  const failedPorts = new Set<number>();
  let port = 0;
  let lastAttempt = 0;
  const url = (): string => `http://127.0.0.1:${port}`;
  const prepare = async (attempt: number): Promise<Launch> => {
    if (attempt !== lastAttempt) {
      if (port !== 0) failedPorts.add(port);
      port = await ports.reserve('temporal-ui', USUAL_PORT, failedPorts);
      lastAttempt = attempt;
    }
    const args = [
      join(config.repositoryDir, SCRIPT),
      `--port=${port}`,
      `--target=${target}`,
      ...(config.temporalUiUrl === undefined ? [] : [`--public-url=${config.temporalUiUrl}`]),
    ];
    return { command: process.execPath, args, env: temporalEnvironment(config), cwd: config.repositoryDir };
  };
  return {
    url,
    spec: {
      name: 'temporal-ui',
      prepare,
      probe: () => httpAnswers(`${url()}/`),
      readyTimeoutMs: 30_000,
      stopGraceMs: 500,
    },
  };
}

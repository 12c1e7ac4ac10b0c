/**
 * Finds the tools that suites need, and says how to get those that are not there.
 */
import path from 'node:path';
import { loadConfig } from '../../platform/config.ts';
import { findOnPath } from '../../platform/processes/find-executable.ts';
import type { Tool } from './suites.ts';

const HOW_TO_GET: Record<Tool, string> = {
  go: 'Go ≥ 1.26, from your package manager or go.dev',
  gcc: 'a C compiler: apt-get install gcc',
  pdftoppm: 'apt-get install poppler-utils',
  chromium: 'apt-get install chromium',
  shellcheck: 'apt-get install shellcheck',
  sshd: 'apt-get install openssh-server',
  python3: 'Python ≥ 3.10 with venv: apt-get install python3-venv',
};

/** Where servers are that are not on every user's PATH. */
const SERVER_DIRS = ['/usr/sbin', '/usr/local/sbin'];

/** For each tool that is not on the PATH, its name and how to get it. */
export function missingTools(tools: readonly Tool[]): string[] {
  const { environment } = loadConfig();
  const withServers = { ...environment, PATH: [environment['PATH'] ?? '', ...SERVER_DIRS].join(path.delimiter) };
  const missing: string[] = [];
  for (const tool of tools) {
    if (findOnPath(tool, withServers) === undefined) missing.push(`${tool} is missing (${HOW_TO_GET[tool]})`);
  }
  return missing;
}

/** Debian's Chromium, for tests and pictures of pages. */
import { chromium, type Browser } from 'playwright-core';
import { loadConfig } from '../platform/config.ts';
import { findOnPath } from '../platform/processes/find-executable.ts';

/** Starts it. Its own sandbox needs rights that containers do not give; it sees our own pages only. */
export function launchBrowser(): Promise<Browser> {
  const executablePath = findOnPath('chromium', loadConfig().environment);
  if (executablePath === undefined) throw new Error('chromium is not on the PATH');
  return chromium.launch({ executablePath, args: ['--no-sandbox'] });
}

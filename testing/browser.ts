/** Debian's Chromium, for tests and pictures of pages. */
import { chromium, type Browser } from 'playwright-core';
import { loadConfig } from '../platform/config.ts';
import { findOnPath } from '../platform/processes/find-executable.ts';

/** Its build without windows starts a page in a fraction of the time; the ordinary one draws its tabs and menus as well, where nobody looks. */
const BUILDS = ['chromium-headless-shell', 'chromium'];

/** Starts it. Its own sandbox needs rights that containers do not give; it sees our own pages only. */
export function launchBrowser(): Promise<Browser> {
  const { environment } = loadConfig();
  const executablePath = BUILDS.map((build) => findOnPath(build, environment)).find((found) => found !== undefined);
  if (executablePath === undefined) throw new Error('chromium is not on the PATH');
  return chromium.launch({ executablePath, args: ['--no-sandbox'] });
}

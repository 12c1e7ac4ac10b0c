/** Finds programs on the PATH of an environment. */
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import type { Environment } from '../config.ts';

/** True for a regular file that this process may run. */
export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** Absolute path of a program, undefined if the PATH has none of that name. */
export function findOnPath(name: string, environment: Environment): string | undefined {
  const directories = (environment['PATH'] ?? '').split(delimiter).filter((directory) => isAbsolute(directory));
  return directories.map((directory) => join(directory, name)).find(isExecutable);
}

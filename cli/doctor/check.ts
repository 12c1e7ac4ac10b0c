/**
 * What one check of `deckhand doctor` reports, and the check for a program on the PATH.
 */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Environment } from '../../platform/config.ts';
import { findOnPath } from '../../platform/processes/find-executable.ts';

/** One finding. */
export interface Check {
  readonly name: string;
  /** ok = there; missing = not there or unusable; note = there, with something to know. */
  readonly status: 'ok' | 'missing' | 'note';
  /** Deckhand cannot run without it. */
  readonly required: boolean;
  /** What was found: a version, a path, an address. */
  readonly found: string | null;
  readonly neededFor: string;
  /** How to get it, or what to do. */
  readonly hint?: string;
}

/** A program that some part needs. */
export interface ProgramCheck {
  readonly name: string;
  /** Names it may have; the first that is found counts. */
  readonly commands: readonly string[];
  readonly versionArgs: readonly string[];
  readonly neededFor: string;
  readonly hint: string;
  readonly required?: boolean;
}

/** First line of a program's version output that holds a number; undefined if it does not run. */
async function versionLine(
  path: string,
  args: readonly string[],
  environment: Environment,
): Promise<string | undefined> {
  try {
    const { stdout, stderr } = await promisify(execFile)(path, [...args], { timeout: 10_000, env: { ...environment } });
    return `${stdout}\n${stderr}`
      .split('\n')
      .map((line) => line.trim())
      .find((line) => /\d+\.\d+/.test(line));
  } catch {
    return undefined;
  }
}

/** Looks for a program and asks for its version. */
export async function checkProgram(program: ProgramCheck, environment: Environment): Promise<Check> {
  const { name, neededFor, hint } = program;
  const required = program.required === true;
  const path = program.commands.map((command) => findOnPath(command, environment)).find((found) => found !== undefined);
  if (path === undefined) return { name, status: 'missing', required, found: null, neededFor, hint };
  const version = await versionLine(path, program.versionArgs, environment);
  if (version === undefined)
    return { name, status: 'missing', required, found: `${path} does not run`, neededFor, hint };
  return { name, status: 'ok', required, found: `${version} (${path})`, neededFor };
}

/** How every command prints its result. */
import type { Command } from 'commander';
import { styleOfStdout, type TerminalStyle } from './style.ts';

/** Help of the option `--json`. */
export const JSON_HELP = 'print one JSON document and nothing else on stdout';

/** Options of a command with `--json`. */
export interface JsonOption {
  readonly json?: boolean | undefined;
}

/**
 * Prints the result of a command: with `--json` the document on one line, otherwise the text for people.
 *
 * @param options of the command; where its parent takes `--json` as well, `command.optsWithGlobals()`
 * @param pipeWidth columns of an output that is not a terminal: infinite by default
 */
export function printResult(
  { json }: JsonOption,
  document: unknown,
  text: (style: TerminalStyle) => string,
  pipeWidth?: number,
): void {
  console.log(json === true ? JSON.stringify(document) : text(styleOfStdout(pipeWidth)));
}

/** Adds a command whose result `printResult` prints, with `--json`. */
export const printingCommand = (parent: Command, usage: string, description: string): Command =>
  parent.command(usage).description(description).option('--json', JSON_HELP);

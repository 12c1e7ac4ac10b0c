/**
 * `deckhand watch DIR`: a watcher of a drop folder in this process; drop-folder/ has its options and its work.
 */
import type { Command } from 'commander';
import { watchCommand } from '../../drop-folder/command.ts';

/** Adds the command. */
export function registerWatch(program: Command): void {
  program.addCommand(watchCommand());
}

/**
 * The watcher process: `node drop-folder/main.ts [DIR] [options]`. The runtime starts it for DECKHAND_DROP_DIR, a systemd unit for its folder,
 * with the options of `deckhand watch`.
 */
import { CommanderError } from 'commander';
import { printError } from '../platform/print-error.ts';
import { watchCommand } from './command.ts';

try {
  await watchCommand().name('drop-folder/main.ts').exitOverride().parseAsync();
} catch (error) {
  // Commander has printed its own message; help that was asked for is no error.
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2;
  else process.exitCode = printError(error, false);
}

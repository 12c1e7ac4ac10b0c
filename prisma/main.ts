/**
 * Brings the database at DATABASE_URL to the schema of this version and seeds it: the step before every start. `deckhand migrate` does the same.
 */
import { loadConfig } from '../platform/config.ts';
import { printError } from '../platform/print-error.ts';
import { migrateConfigured, outcomeLine } from './migrate.ts';

const print = (line: string): void => void process.stdout.write(`${line}\n`);

try {
  print(outcomeLine(await migrateConfigured(loadConfig(), { onProgress: print })));
} catch (error) {
  process.exitCode = printError(error, false);
}

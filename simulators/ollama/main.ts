/**
 * Runs the built-in reader as a process of its own: `node simulators/ollama/main.ts --port 11434`.
 *
 * Prints one JSON line `{"listening": port}` on stdout when ready. With `--exit-with-parent` it ends when its stdin closes, so that it
 * never outlives the process that started it.
 */
import { readFileSync } from 'node:fs';
import { parseReaderArguments, READER_USAGE } from './arguments.ts';
import { startReader } from './server.ts';
import { readerScriptSchema } from './script.ts';

async function main(): Promise<void> {
  const settings = parseReaderArguments(process.argv.slice(2));
  if (settings.help) {
    process.stdout.write(`${READER_USAGE}\n`);
    return;
  }
  const script =
    settings.scriptFile === null ? {} : readerScriptSchema.parse(JSON.parse(readFileSync(settings.scriptFile, 'utf8')));
  const reader = await startReader({
    ...settings.options,
    script: settings.callSeconds === null ? script : { ...script, callSeconds: settings.callSeconds },
  });
  process.stdout.write(`${JSON.stringify({ listening: reader.port })}\n`);
  const end = (): void => {
    void reader.stop().finally(() => process.exit(0));
  };
  process.once('SIGTERM', end);
  process.once('SIGINT', end);
  if (settings.exitWithParent) {
    process.stdin.on('end', end).on('close', end).resume();
  }
}

try {
  await main();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 2;
}

/**
 * Runs the simulated DataCrunch as a process of its own: `node simulators/clouds/datacrunch/main.ts --scenario demo --state FILE`.
 *
 * Prints one JSON line `{"listening": port}` on stdout when ready. With `--exit-with-parent` it ends when its stdin closes. However it
 * ends, the model servers of its instances end with it.
 */
import { parseSimulatorArguments, SIMULATOR_USAGE } from './arguments.ts';
import { startDataCrunchServer } from './server.ts';

async function main(): Promise<void> {
  const settings = parseSimulatorArguments(process.argv.slice(2));
  if (settings.help) {
    process.stdout.write(`${SIMULATOR_USAGE}\n`);
    return;
  }
  const server = await startDataCrunchServer(settings.options);
  process.stdout.write(`${JSON.stringify({ listening: server.port })}\n`);
  const end = (): void => {
    void server.stop().finally(() => process.exit(0));
  };
  process.once('SIGTERM', end);
  process.once('SIGINT', end);
  if (settings.exitWithParent) {
    process.stdin.once('end', end).once('close', end).resume();
  }
}

try {
  await main();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 2;
}

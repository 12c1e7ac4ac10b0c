/**
 * The `deckhand` command: one file per command in `cli/commands`, each loaded only when it is called, so that `--help` is immediate.
 *
 * Errors end here: one readable line and a hint on stderr, a stack only under `--debug`, and an exit code that says which kind it was.
 */
import { Command, CommanderError } from 'commander';
import { printError } from '../platform/print-error.ts';
import { registerKeys, registerTenants } from './commands/access.ts';
import { registerAlerts } from './commands/alerts.ts';
import { registerAnalyze } from './commands/analyze.ts';
import { registerBudgets } from './commands/budgets.ts';
import { registerCalibration } from './commands/calibration.ts';
import { registerCosts } from './commands/costs.ts';
import { registerCredentials } from './commands/credentials.ts';
import { registerCompare, registerDelete } from './commands/decks.ts';
import { registerDemo } from './commands/demo.ts';
import { registerBench, registerSupervise } from './commands/developer.ts';
import { registerDev } from './commands/dev.ts';
import { registerDoctor } from './commands/doctor.ts';
import { registerEvaluate } from './commands/evaluate.ts';
import { registerEncryption } from './commands/encryption.ts';
import { registerExport } from './commands/export.ts';
import { registerFleet, registerReap } from './commands/fleet.ts';
import { registerMigrate } from './commands/migrate.ts';
import { registerModels } from './commands/models.ts';
import { registerCapacity, registerGpus, registerPlan, registerTiers } from './commands/offers.ts';
import { registerPrices } from './commands/prices.ts';
import { registerReplay } from './commands/replay.ts';
import { registerRollout } from './commands/rollout.ts';
import { registerRunControl } from './commands/run-control.ts';
import { registerSetup } from './commands/setup.ts';
import { registerSimulate } from './commands/simulate.ts';
import { registerTargets } from './commands/targets.ts';
import { registerQueries, registerSchedules } from './commands/temporal.ts';
import { registerTest } from './commands/test.ts';
import { registerDown, registerOpen, registerUp } from './commands/up.ts';
import { watchCommand } from '../drop-folder/command.ts';
import { registerWebhooks } from './commands/webhooks.ts';

/** Every command by the person it is for, in the order of `--help`. */
const COMMANDS: Readonly<Record<string, readonly ((program: Command) => void)[]>> = {
  'Analyst commands:': [
    registerDemo,
    registerOpen,
    registerAnalyze,
    registerRunControl,
    registerReplay,
    registerCompare,
    registerEvaluate,
    registerExport,
    registerCalibration,
    registerDelete,
    (program) => program.addCommand(watchCommand().copyInheritedSettings(program)),
    registerWebhooks,
  ],
  'Operator commands:': [
    registerUp,
    registerDown,
    registerDoctor,
    registerSetup,
    registerModels,
    registerFleet,
    registerReap,
    registerTiers,
    registerCapacity,
    registerPlan,
    registerGpus,
    registerPrices,
    registerCredentials,
    registerCosts,
    registerBudgets,
    registerAlerts,
    registerTargets,
    registerRollout,
    registerSchedules,
    registerQueries,
    registerKeys,
    registerTenants,
    registerEncryption,
    registerMigrate,
  ],
  'Developer commands:': [registerDev, registerTest, registerBench, registerSimulate, registerSupervise],
};

const EXIT_CODES = `
Exit codes: 0 done · 1 failed · 2 bad input or usage · 3 something is missing · 4 not found · 5 a service is unreachable · 130 cancelled
Settings come from the environment (DECKHAND_HOME, DATABASE_URL, TEMPORAL_ADDRESS, OLLAMA_HOST …); \`deckhand doctor\` shows what is in use.`;

function buildProgram(): Command {
  const program = new Command('deckhand')
    .description('Reads pitch decks with local models and reviews them, every claim tied to its slide.')
    .option('--debug', 'print stacks of errors')
    .showHelpAfterError('(see deckhand --help)')
    .showSuggestionAfterError()
    .addHelpText('after', EXIT_CODES)
    .exitOverride();
  for (const [group, registers] of Object.entries(COMMANDS)) {
    program.commandsGroup(group);
    for (const register of registers) register(program);
  }
  return program;
}

/** Runs one command line and returns the exit code. */
async function main(argv: readonly string[]): Promise<number> {
  const program = buildProgram();
  try {
    await program.parseAsync([...argv], { from: 'user' });
    return typeof process.exitCode === 'number' ? process.exitCode : 0;
  } catch (error) {
    // Commander has printed its message already; help that was asked for is no error.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    return printError(error, program.opts<{ debug?: boolean }>().debug === true || argv.includes('--debug'));
  }
}

/** 128 + SIGPIPE, the exit code of other programs whose reader has left. */
const READER_LEFT_EXIT_CODE = 141;

// The reader of the output may leave early, as in `deckhand costs | head`. That ends the command and is no error.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit(READER_LEFT_EXIT_CODE);
  });
}

process.exitCode = await main(process.argv.slice(2));

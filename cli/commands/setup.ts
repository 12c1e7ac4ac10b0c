/**
 * `deckhand setup`: prints what sets up a GPU machine of one's own, as a script or as a Dockerfile. It changes nothing and needs no running
 * Deckhand; one that runs says which profiles there are.
 */
import { Argument, type Command, Option } from 'commander';
import { languageProfile } from '../../domain/models/catalog/presets.ts';
import { type EngineName, ENGINE_NAMES } from '../../domain/health/gpu/diagnosis/engines.ts';
import { loadConfig } from '../../platform/config.ts';
import { readModels } from '../api/open.ts';
import { SETUP_CLASSES, SETUP_FORMATS, type SetupClass, type SetupFormat, setupText } from '../setup/print.ts';

interface SetupCommandOptions {
  readonly gpu?: string;
  readonly class?: SetupClass;
  readonly format: SetupFormat;
  readonly models?: string;
}

export function registerSetup(program: Command): void {
  program
    .command('setup')
    .description('print the script or the Dockerfile that sets up a GPU machine of your own; changes nothing')
    .addArgument(new Argument('<engine>', 'what serves the models').choices(ENGINE_NAMES))
    .option('--gpu <gpu>', 'for this GPU, such as l4 or a100-80: refused when the models do not fit')
    .addOption(new Option('--class <class>', 'only the models of this class of work').choices(SETUP_CLASSES))
    .addOption(new Option('--format <format>', 'what to print').choices(SETUP_FORMATS).default('script'))
    .option('--models <profile>', 'model profile whose models are set up; by default the one in use, or qwen3-vl')
    .action(async (engine: EngineName, options: SetupCommandOptions) => {
      const config = loadConfig();
      process.stdout.write(
        setupText({
          engine,
          gpu: options.gpu,
          work: options.class,
          format: options.format,
          parallel: config.modelConcurrency,
          catalog: await readModels(config),
          profile: options.models ?? languageProfile(config.models),
        }),
      );
    });
}

/**
 * `deckhand supervise` (hidden): the process that starts and keeps everything else; other commands start it when they need it.
 */
import type { Command } from 'commander';
import type { ModelSource } from '../../platform/config.ts';
import { loadConfig } from '../../platform/config.ts';
import { modelsOption } from './up.ts';

export function registerSupervise(program: Command): void {
  program
    .command('supervise', { hidden: true })
    .addOption(modelsOption())
    .action(async (options: { models?: ModelSource }) => {
      const { runSupervisor } = await import('../../runtime/supervise.ts');
      const config = loadConfig();
      await runSupervisor(config, { models: options.models ?? config.models });
      // Work that was given up half-way (a build, a probe) must not keep the process: the pipes it holds end the children.
      process.exit(0);
    });
}

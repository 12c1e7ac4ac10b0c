/** `deckhand dev`: everything on this machine for somebody who works on the code, with restarts on change and Vite in front of the API. */
import path from 'node:path';
import type { Command } from 'commander';
import { clientOf } from '../../api/client/home-client.ts';
import { loadConfig } from '../../platform/config.ts';
import { endOnSignal, untilAborted } from '../../platform/signals.ts';
import { createProgress } from '../terminal/progress.ts';
import { modelsOption, namesModels } from './up.ts';

const PORT = 5173;

export function registerDev(program: Command): void {
  program
    .command('dev')
    .description('run everything while you work on the code: processes restart on change, pages change as you save')
    .addOption(modelsOption())
    .action(async ({ models }: { readonly models?: string }) => {
      const { startRuntime } = await import('../../runtime/runtime.ts');
      const { startDevServer } = await import('../../runtime/dev-server.ts');
      const { restartOnChange } = await import('../dev/restarts.ts');
      const config = loadConfig();
      const root = config.repositoryDir;
      const signal = endOnSignal();
      const progress = createProgress();
      const runtime = await startRuntime(config, {
        models: models ?? config.models,
        joinsAny: !namesModels(models, config),
        onProgress: (message) => progress.update(message),
        signal,
      }).finally(() => progress.end());
      try {
        const server = await startDevServer({ webDir: path.join(root, 'web'), apiUrl: runtime.apiUrl, port: PORT });
        try {
          const link = new URL(
            (await clientOf(config, runtime.apiUrl).POST('/session/links', { body: { next: undefined }, signal })).url,
          );
          console.error(`API             ${runtime.apiUrl}/api/v1`);
          console.error(`Temporal UI     ${runtime.temporalUiUrl ?? 'none'}`);
          console.error(`Logs            ${path.join(runtime.home, 'logs')}`);
          console.log(`Workspace       ${server.url}${link.pathname}${link.search}`);
          console.error('Processes start again and pages change when a file is saved. Ctrl-C ends it.');
          restartOnChange(root, runtime, console.error, signal);
          await Promise.race([runtime.closed, untilAborted(signal)]);
        } finally {
          await server.stop();
        }
      } finally {
        await runtime.stop();
      }
    });
}

/**
 * `deckhand demo`: everything that Deckhand does, on this machine, with a sample deck. What a newcomer runs first.
 */
import path from 'node:path';
import type { Command } from 'commander';
import { DeckhandClient } from '../../api/client.ts';
import { loadConfig } from '../../platform/config.ts';
import { createProgress } from '../progress.ts';
import { failureOf, reviewDeck } from '../review/follow.ts';
import { saveHtmlReport } from '../review/save-report.ts';
import { renderReview, styleFor } from '../review/terminal.ts';
import { endOnSignal } from '../signals.ts';

const SAMPLE = path.join('samples', 'cardiosense.pdf');

/** Adds the command. */
export function registerDemo(program: Command): void {
  program
    .command('demo')
    .description('start everything, review a sample deck, show the review and where to look')
    .action(async () => {
      const { startRuntime } = await import('../../platform/runtime/runtime.ts');
      const config = loadConfig();
      const signal = endOnSignal();
      const progress = createProgress();
      const runtime = await startRuntime(config, {
        models: 'reader',
        onProgress: (line) => progress.update(line),
        signal,
      });
      runtime.onRestart(({ name, reason, restarts }) =>
        progress.update(`${name} ended (${reason}) and is started again (${restarts})`),
      );
      try {
        const client = new DeckhandClient(runtime.apiUrl);
        const file = path.join(config.repositoryDir, SAMPLE);
        const report = await reviewDeck(client, file, { models: 'reader' }, progress, signal);
        progress.end();
        const failure = failureOf(report);
        if (failure !== null) throw failure;
        console.log(renderReview(report, styleFor(process.stdout.isTTY)));
        console.log(`Report with slides    ${await saveHtmlReport(client, report, config.home)}`);
        console.log(`Your own deck         ./deckhand analyze your-deck.pdf`);
        console.log(`API and Temporal UI   ./deckhand up   (this demo's run is kept: ${report.analysisId})`);
        console.log(`A language model      ./deckhand analyze your-deck.pdf --models ollama`);
      } finally {
        progress.end();
        await runtime.stop();
      }
    });
}

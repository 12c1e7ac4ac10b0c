/** `deckhand calibration`: how often people say of a claim that it is right, by what was said of its best quote. */
import type { Command } from 'commander';
import { askApi } from '../api/open.ts';
import { renderCalibration } from '../decks/calibration-text.ts';
import { JSON_HELP, printResult } from '../terminal/output.ts';

interface CalibrationOptions {
  readonly since?: string;
  readonly author?: string;
  readonly json?: boolean;
}

export function registerCalibration(program: Command): void {
  program
    .command('calibration')
    .description('show how many of the claims that people judged are right, by what was said of their best quote')
    .option('--since <time>', 'said since then: 2d, 36h, 90m, or a date')
    .option('--author <name>', 'said by this person')
    .option('--json', JSON_HELP)
    .action((options: CalibrationOptions) => showCalibration(options));
}

async function showCalibration({ since, author, json }: CalibrationOptions): Promise<void> {
  const query = { ...(since === undefined ? {} : { since }), ...(author === undefined ? {} : { author }) };
  const calibration = await askApi('Reading the calibration', (client, signal) =>
    client.GET('/calibration', { params: { query }, signal }),
  );
  printResult({ json }, calibration, (style) => renderCalibration(calibration, style));
}

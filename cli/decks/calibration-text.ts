/** The calibration as people read it in a terminal: how many of the claims of each level are right. */
import type { CalibrationDocument } from '../../api/client.ts';
import { reviewWords } from '../../domain/decks/review/words.ts';
import { clean, type TerminalStyle } from '../terminal/style.ts';
import { tableLines } from '../terminal/table.ts';

const percent = (share: number): string => `${Math.round(share * 100)} %`;

/** A row for each engine, model and level, with a trailing newline. */
export function renderCalibration({ answering }: CalibrationDocument, style: TerminalStyle): string {
  if (answering.length === 0) return 'People have not judged any claim of a review yet.\n';
  const words = reviewWords.en.answering;
  const rows = answering.map(({ engine, model, level, judged, right, share, low, high }) => [
    clean(engine === 'rules' ? 'built-in reader' : (model ?? engine)),
    words[level ?? 'not_judged'],
    String(judged),
    String(right),
    percent(share),
    `${percent(low)} to ${percent(high)}`,
  ]);
  const head = ['engine', 'said of the best quote', 'judged', 'right', 'share', '95 % interval'];
  return `${tableLines(rows, { head, right: [2, 3, 4], style }).join('\n')}\n`;
}

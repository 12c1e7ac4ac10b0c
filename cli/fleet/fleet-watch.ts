/**
 * Shows the fleet again and again until Ctrl-C: redrawn in place on a terminal, elsewhere printed whenever it changed.
 */
import type { DeckhandClient, FleetDocument } from '../../api/client.ts';
import { asDeckhandError } from '../../domain/errors.ts';
import { pause } from '../../platform/pause.ts';

const INTERVAL_MS = 1000;
/** To the top left corner, and nothing left of what stood below. */
const HOME = '\u001B[H';
const CLEAR_BELOW = '\u001B[J';
const CLEAR_LINE_END = '\u001B[K';
const CLEAR_ALL = '\u001B[2J';

/** Where it is shown. */
export interface WatchScreen {
  readonly isTTY: boolean;
  write(text: string): void;
}

/** Draws until the signal aborts. An API that does not answer is said and asked again. */
export async function watchFleet(
  client: DeckhandClient,
  render: (fleet: FleetDocument) => string,
  screen: WatchScreen,
  signal: AbortSignal,
): Promise<void> {
  if (screen.isTTY) screen.write(CLEAR_ALL);
  let last = '';
  while (!signal.aborted) {
    const text = await frame(client, render, signal);
    if (signal.aborted) return;
    if (screen.isTTY) screen.write(redraw(text));
    else if (text !== last) screen.write(`${text}\n`);
    last = text;
    await pause(INTERVAL_MS, signal);
  }
}

async function frame(
  client: DeckhandClient,
  render: (fleet: FleetDocument) => string,
  signal: AbortSignal,
): Promise<string> {
  try {
    return render(await client.GET('/fleet', { signal }));
  } catch (error) {
    const { code, userMessage } = asDeckhandError(error);
    if (signal.aborted) return '';
    if (code !== 'service_unavailable') throw error;
    return userMessage;
  }
}

/** A frame over the one before, without flicker. */
const redraw = (text: string): string =>
  `${HOME}${text.replaceAll('\n', `${CLEAR_LINE_END}\n`)}${CLEAR_LINE_END}\n${CLEAR_BELOW}`;

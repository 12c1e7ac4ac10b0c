/** The events of a watcher: one line each, as text or as JSON. */
import { withoutControls } from '../domain/text/plain-text.ts';
import { counted } from '../domain/text/words.ts';
import { assertNever } from '../domain/errors.ts';

/** One event. `job` is the job's name. */
export type WatchEvent =
  | { readonly event: 'watching'; readonly folder: string; readonly watcher: string; readonly concurrency: number }
  | { readonly event: 'stopped'; readonly watcher: string; readonly released: number }
  | { readonly event: 'waiting'; readonly job: string; readonly reason: string }
  | { readonly event: 'claimed'; readonly job: string; readonly priority: number; readonly from: string | null }
  | { readonly event: 'started'; readonly job: string; readonly analysisId: string }
  | {
      readonly event: 'done';
      readonly job: string;
      readonly analysisId: string;
      readonly status: string;
      readonly score: number | null;
    }
  | { readonly event: 'already_done'; readonly job: string; readonly analysisId: string }
  | { readonly event: 'refused'; readonly job: string; readonly code: string; readonly message: string }
  | { readonly event: 'lost'; readonly job: string }
  | { readonly event: 'retry'; readonly job: string; readonly message: string; readonly inMs: number }
  | { readonly event: 'api_away'; readonly message: string; readonly hint: string | null }
  | { readonly event: 'api_back' }
  | { readonly event: 'folder_away'; readonly message: string }
  | { readonly event: 'folder_back' }
  | { readonly event: 'trouble'; readonly message: string };

/** Hears the events of a watcher. */
export type Tell = (event: WatchEvent) => void;

/** An event as text. Job files and file names may hold control characters, which must not reach the terminal. */
export const lineOf = (event: WatchEvent): string => withoutControls(textOf(event));

function textOf(event: WatchEvent): string {
  switch (event.event) {
    case 'watching':
      return `Watching ${event.folder} as ${event.watcher}, ${counted(event.concurrency, 'analysis', 'analyses')} at a time`;
    case 'stopped':
      return `Stopped; ${event.released === 0 ? 'no job' : counted(event.released, 'job')} left to other watchers or the next start`;
    case 'waiting':
      return `${event.job}: waiting, ${event.reason}`;
    case 'claimed':
      return `${event.job}: claimed, priority ${event.priority}${event.from === null ? '' : `, taken over from ${event.from}`}`;
    case 'started':
      return `${event.job}: analysis ${event.analysisId}`;
    case 'done':
      return `${event.job}: ${event.status}${event.score === null ? '' : `, ${event.score.toFixed(1)} of 7`}`;
    case 'already_done':
      return `${event.job}: has its result already (analysis ${event.analysisId})`;
    case 'refused':
      return `${event.job}: error ${event.code}, ${event.message}`;
    case 'lost':
      return `${event.job}: taken over by another watcher`;
    case 'retry':
      return `${event.job}: ${event.message} Next try in ${Math.round(event.inMs / 1000)} s`;
    case 'api_away':
      return `Waiting for the API: ${event.message}${event.hint === null ? '' : ` ${event.hint}`}`;
    case 'api_back':
      return 'The API is back';
    case 'folder_away':
      return `Waiting for the drop folder: ${event.message}`;
    case 'folder_back':
      return 'The drop folder is back';
    case 'trouble':
      return event.message;
    default:
      return assertNever(event);
  }
}

/** An event for machines: one line of JSON with the time of this machine. */
export const jsonLineOf = (event: WatchEvent): string => JSON.stringify({ at: new Date().toISOString(), ...event });

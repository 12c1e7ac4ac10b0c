/**
 * Histories of real runs, kept so that a change which could not carry on a run that is under way fails a test: one compressed JSON file per
 * run, in the form `temporal workflow show --output json` writes.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { historyFromJSON, historyToJSON } from '@temporalio/common/lib/proto-utils.js';

type History = ReturnType<typeof historyFromJSON>;

const DIRECTORY = path.join(import.meta.dirname, 'recorded');
const ENDING = '.json.gz';

/** Names of the stored histories, such as `deck-completed`. */
export function historyNames(): string[] {
  return readdirSync(DIRECTORY)
    .filter((file) => file.endsWith(ENDING))
    .map((file) => file.slice(0, -ENDING.length))
    .toSorted();
}

/** A stored history. */
export function readHistory(name: string): History {
  return historyFromJSON(JSON.parse(gunzipSync(readFileSync(path.join(DIRECTORY, name + ENDING))).toString('utf8')));
}

/** Keeps a history under a name, in place of the one that had it. */
export function writeHistory(name: string, history: History): void {
  mkdirSync(DIRECTORY, { recursive: true });
  writeFileSync(path.join(DIRECTORY, name + ENDING), gzipSync(historyToJSON(history), { level: 9 }));
}

/** Workflow type a history belongs to. @throws Error when it does not begin with a start */
export function workflowTypeOf(history: History): string {
  const type = history.events?.[0]?.workflowExecutionStartedEventAttributes?.workflowType?.name;
  if (type === undefined || type === null)
    throw new Error('a history that does not begin with the start of a workflow');
  return type;
}

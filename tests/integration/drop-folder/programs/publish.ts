/**
 * Publishes an error file for a job, in a drop folder whose `results` may be full: prints how it ended and what is in `results` then.
 * Arguments: the drop folder, the job's name, the size of the document in bytes.
 */
import { readdirSync } from 'node:fs';
import { folderError } from '../../../../drop-folder/files.ts';
import { DropFolder } from '../../../../drop-folder/folder.ts';

const [dir = '', name = '', size = '0'] = process.argv.slice(2);
const folder = await DropFolder.open(dir, 'publisher');
const at = new Date().toISOString();
const error = {
  job_id: name,
  error: { code: 'job_invalid', message: 'x'.repeat(Number(size)), hint: null },
  timestamp: at,
  dropped_at: at,
  analysis_id: null,
  attempt: 1,
  job: {},
};
const outcome = await folder.publishError(name, error).then(
  (published) => ({ published }),
  (thrown: unknown) => ({ code: folderError(thrown).code }),
);
process.stdout.write(`${JSON.stringify({ ...outcome, results: readdirSync(folder.in('results')) })}\n`);

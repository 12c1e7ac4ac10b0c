/**
 * Looks at the other watchers of a drop folder and does one round of housekeeping, as the user it is run by: prints what it saw and what it
 * could not remove. Arguments: the drop folder, then the watchers that are gone.
 */
import { DropFolder } from '../../../../drop-folder/folder.ts';
import { tidy } from '../../../../drop-folder/tidy.ts';

const [dir = '', ...gone] = process.argv.slice(2);
const folder = await DropFolder.open(dir, 'w');
const others = await folder.others();
const denied = await tidy(folder, { nowMs: Date.now(), retainDays: 30, gone });
const closed = others.filter((other) => other.denied).map((other) => other.id);
process.stdout.write(JSON.stringify({ closed, denied }));

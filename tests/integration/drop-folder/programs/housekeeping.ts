/**
 * Looks at the other watchers of a drop folder and does one round of housekeeping as a user with no rights of an administrator: prints what it
 * saw and what it could not remove. Arguments: the drop folder, then the watchers that are gone.
 */
import { DropFolder } from '../../../../drop-folder/folder.ts';
import { tidy } from '../../../../drop-folder/tidy.ts';

// Permissions say nothing to root. The code is loaded by now, so another user need not be able to read the checkout.
if (process.getuid?.() === 0) {
  process.setgroups?.([]);
  process.setgid?.(65_534);
  process.setuid?.(65_534);
}
const [dir = '', ...gone] = process.argv.slice(2);
const folder = await DropFolder.open(dir, 'w');
const others = await folder.others();
const denied = await tidy(folder, { nowMs: Date.now(), retainDays: 30, gone });
const closed = others.filter((other) => other.denied).map((other) => other.id);
process.stdout.write(JSON.stringify({ closed, denied }));

/** Lines that a deployment has logged, as text. */
import type { PoolLogsDocument } from '../../api/client.ts';
import { clean } from '../terminal/style.ts';

/** One line per line of the log: time, replica, message; what the provider says of a replica is marked. */
export function poolLogText({ pool, lines }: PoolLogsDocument): string {
  if (lines.length === 0)
    return `The deployment of pool ${pool} has logged nothing in this time; --minutes looks further back.`;
  return lines
    .map(({ at, replica, source, message }) => {
      const time = at === null ? '-' : at.slice(0, 19).replace('T', ' ');
      const words = `${source === 'provider' ? '[provider] ' : ''}${message}`;
      return `${time}  ${clean(replica ?? pool)}  ${clean(words)}`;
    })
    .join('\n');
}

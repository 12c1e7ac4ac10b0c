/** A process beside the API that writes down where it sends people, as the worker of notifications does. */
import { join } from 'node:path';
import { loadConfig } from '../../../../platform/config.ts';
import { reportUrl } from '../../../../platform/links.ts';
import { writeFileAtomically } from '../../../../platform/processes/records.ts';

const config = loadConfig();
writeFileAtomically(join(config.home, 'link.txt'), reportUrl(config, 'one'));
setInterval(() => undefined, 60_000);

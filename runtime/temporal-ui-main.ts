/**
 * Process entry of the front of the Temporal UI: `node runtime/temporal-ui-main.ts --port 8233 --target http://127.0.0.1:8243`, with
 * `--public-url` where people reach it by another name, and `--host` in a container.
 */
import { parseArgs } from 'node:util';
import { createUiFront } from './temporal-ui-front.ts';

const { values } = parseArgs({
  options: {
    host: { type: 'string', default: '127.0.0.1' },
    port: { type: 'string' },
    target: { type: 'string' },
    'public-url': { type: 'string', default: '' },
  },
});
const publicUrl = values['public-url'];
const server = createUiFront(values.target ?? '', publicUrl === '' ? undefined : publicUrl);
server.once('error', (error) => {
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
});
server.listen(Number(values.port), values.host);
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => process.exit(0));

/** Process entry of the front of the Temporal UI: `node platform/runtime/temporal-ui-main.ts --port 8233 --target http://127.0.0.1:8243`. */
import { parseArgs } from 'node:util';
import { createUiFront } from './temporal-ui-front.ts';

const { values } = parseArgs({ options: { port: { type: 'string' }, target: { type: 'string' } } });
const server = createUiFront(values.target ?? '');
server.once('error', (error) => {
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
});
server.listen(Number(values.port), '127.0.0.1');
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => process.exit(0));

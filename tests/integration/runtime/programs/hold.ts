/** Starts the runtime, says so on stdout, and holds it until it is killed. */
import { fileURLToPath } from 'node:url';
import { loadConfig } from '../../../../platform/config.ts';
import { startRuntime } from '../../../../runtime/runtime.ts';

const supervise = fileURLToPath(new URL('./supervise.ts', import.meta.url));
const runtime = await startRuntime(loadConfig(), { models: 'reader', supervisorArgs: [supervise] });
process.stdout.write(`${runtime.apiUrl}\n`);
await runtime.closed;

/** A supervisor for tests that runs real Postgres and Temporal and nothing else. */
import { loadConfig } from '../../../../platform/config.ts';
import { runSupervisor } from '../../../../platform/runtime/supervise.ts';

await runSupervisor(loadConfig(), { models: 'reader', set: { services: [], preparation: [] } });
process.exit(0);

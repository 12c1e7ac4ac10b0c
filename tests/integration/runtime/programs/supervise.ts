/**
 * A supervisor for tests: real Postgres and Temporal, and instead of Deckhand's own processes one small web server.
 *
 * The argument `servers-only` leaves that one out too.
 */
import { loadConfig } from '../../../../platform/config.ts';
import { httpAnswers } from '../../../../runtime/supervisor/probes.ts';
import type { ServiceSpec } from '../../../../runtime/services.ts';
import { runSupervisor } from '../../../../runtime/supervise.ts';

const echo: ServiceSpec = {
  name: 'echo',
  stage: 'app',
  script: 'tests/integration/runtime/programs/echo.ts',
  port: 'api',
  probe: (port) => httpAnswers(`http://127.0.0.1:${port}/`),
};
const services = process.argv.includes('servers-only') ? [] : [echo];

await runSupervisor(loadConfig(), { models: 'reader', set: { services, preparation: [] } });
process.exit(0);

/** A supervisor for tests: real Postgres and Temporal, a small web server in place of the API, and a process that writes links to it. */
import { loadConfig } from '../../../../platform/config.ts';
import type { ServiceSpec } from '../../../../runtime/services.ts';
import { runSupervisor } from '../../../../runtime/supervise.ts';
import { httpAnswers } from '../../../../runtime/supervisor/probes.ts';

const services: readonly ServiceSpec[] = [
  {
    name: 'echo',
    stage: 'app',
    script: 'tests/integration/runtime/programs/echo.ts',
    port: 'api',
    probe: (port) => httpAnswers(`http://127.0.0.1:${port}/`),
  },
  { name: 'links', stage: 'app', script: 'tests/integration/runtime/programs/write-link.ts' },
];

await runSupervisor(loadConfig(), { models: 'reader', set: { services, preparation: [] } });
process.exit(0);

/** A supervisor for tests of the gateway: everything of a runtime but gateways and models, which the tests start themselves. */
import { loadConfig } from '../../../../platform/config.ts';
import { ALL_SERVICES } from '../../../../runtime/services.ts';
import { runSupervisor } from '../../../../runtime/supervise.ts';

const WANTED = new Set(['api', 'control', 'convert']);
const services = ALL_SERVICES.services.filter((service) => WANTED.has(service.name));

await runSupervisor(loadConfig(), { models: 'reader', set: { ...ALL_SERVICES, services } });
process.exit(0);

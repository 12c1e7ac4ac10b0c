/**
 * Runs the simulated Azure as a process of its own: `node simulators/clouds/azure/main.ts --scenario demo --state FILE`.
 *
 * Prints one JSON line `{"listening": port}` on stdout when ready. With `--exit-with-parent` it ends when its stdin closes.
 */
import { runSimulator } from '../core/program.ts';
import { scenarioNames } from '../core/scenario.ts';
import { startAzureServer } from './server.ts';

await runSimulator({
  script: 'simulators/clouds/azure/main.ts',
  scenarios: scenarioNames('azure'),
  credentials: { 'client-id': 'clientId', 'client-secret': 'clientSecret' },
  start: startAzureServer,
});

/**
 * Runs the simulated DataCrunch as a process of its own: `node simulators/clouds/datacrunch/main.ts --scenario demo --state FILE`.
 *
 * Prints one JSON line `{"listening": port}` on stdout when ready. With `--exit-with-parent` it ends when its stdin closes. However it
 * ends, the model servers of its instances end with it.
 */
import { runSimulator } from '../core/program.ts';
import { scenarioNames } from '../core/scenario.ts';
import { startDataCrunchServer } from './server.ts';

await runSimulator({
  script: 'simulators/clouds/datacrunch/main.ts',
  scenarios: scenarioNames('datacrunch'),
  credentials: { 'client-id': 'clientId', 'client-secret': 'clientSecret', 'inference-key': 'inferenceKey' },
  start: startDataCrunchServer,
});

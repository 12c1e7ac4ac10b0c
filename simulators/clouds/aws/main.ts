/**
 * Runs the simulated AWS as a process of its own: `node simulators/clouds/aws/main.ts --scenario demo --state FILE`.
 *
 * Prints one JSON line `{"listening": port}` on stdout when ready. With `--exit-with-parent` it ends when its stdin closes.
 */
import { runSimulator } from '../core/program.ts';
import { scenarioNames } from '../core/scenario.ts';
import { startAwsServer } from './server.ts';

await runSimulator({
  script: 'simulators/clouds/aws/main.ts',
  scenarios: scenarioNames('aws'),
  credentials: { 'access-key-id': 'accessKeyId', 'secret-access-key': 'secretAccessKey' },
  start: startAwsServer,
});

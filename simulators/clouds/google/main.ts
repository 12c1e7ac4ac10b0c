/**
 * Runs the simulated Google as a process of its own: `node simulators/clouds/google/main.ts --scenario demo --state FILE`.
 *
 * Prints one JSON line `{"listening": port}` on stdout when ready. With `--exit-with-parent` it ends when its stdin closes.
 */
import { runSimulator } from '../core/program.ts';
import { scenarioNames } from '../core/scenario.ts';
import { startGoogleServer } from './server.ts';

await runSimulator({
  script: 'simulators/clouds/google/main.ts',
  scenarios: scenarioNames('google'),
  credentials: { 'refresh-token': 'refreshToken' },
  start: startGoogleServer,
});

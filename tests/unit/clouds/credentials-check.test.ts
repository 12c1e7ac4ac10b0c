/** `credentials test` against a simulator on this machine: what was set is what is checked. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { checkCredentials } from '../../../cli/credentials/check.ts';
import { startDataCrunchServer } from '../../../simulators/clouds/datacrunch/server.ts';
import { folderPerTest } from '../../../testing/per-file.ts';

it('a wrong secret in the file is refused at a loopback address, and without a file the simulator’s own are used', async () => {
  const server = await startDataCrunchServer();
  onTestFinished(() => server.stop());
  const home = folderPerTest();
  const credentialsFile = path.join(home, 'credentials');
  const config = { clientId: undefined, clientSecret: undefined, credentialsFile };
  const write = (secret: string) =>
    writeFileSync(credentialsFile, `client_id = demo\nclient_secret = ${secret}\n`, { mode: 0o600 });

  await expect(checkCredentials(config, server.baseUrl)).resolves.toMatchObject({ source: "the simulator's default" });
  write('wrong');
  await expect(checkCredentials(config, server.baseUrl)).rejects.toMatchObject({ code: 'provider_auth' });
  write('demo');
  await expect(checkCredentials(config, server.baseUrl)).resolves.toMatchObject({ source: credentialsFile });
});

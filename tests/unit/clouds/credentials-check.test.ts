/** `credentials test`: at which address, and that what was set is what is checked. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { checkCredentials, fleetToCheck } from '../../../cli/credentials/check.ts';
import { fleetConfigSchema } from '../../../domain/fleet/pool/pool-config.ts';
import { serveSimulator } from '../../../simulators/clouds/core/serving.ts';
import { createSimulatedDataCrunch } from '../../../simulators/clouds/datacrunch/app.ts';
import { folderPerTest } from '../../../testing/per-file.ts';

it('a wrong secret in the file is refused at a loopback address, and without a file the simulator’s own are used', async () => {
  const server = await serveSimulator(createSimulatedDataCrunch());
  onTestFinished(() => server.stop());
  const baseUrl = `${server.origin}/v1`;
  const home = folderPerTest();
  const credentialsFile = path.join(home, 'credentials');
  const config = { clientId: undefined, clientSecret: undefined, credentialsFile };
  const write = (secret: string) =>
    writeFileSync(credentialsFile, `client_id = demo\nclient_secret = ${secret}\n`, { mode: 0o600 });

  await expect(checkCredentials(config, baseUrl)).resolves.toMatchObject({ source: "the simulator's default" });
  write('wrong');
  await expect(checkCredentials(config, baseUrl)).rejects.toMatchObject({ code: 'provider_auth' });
  write('demo');
  await expect(checkCredentials(config, baseUrl)).resolves.toMatchObject({ source: credentialsFile });
});

it.each(['datacrunch', 'aws', 'google', 'azure'])(
  'a fleet of simulated providers has nothing to check at %s until an address is named',
  (provider) => {
    const config = fleetConfigSchema.parse({ provider, simulator: {} });
    const fleet = { ...config, installationId: 'test1' };
    expect(() => fleetToCheck(fleet, provider, undefined, 'fleet.json')).toThrow(
      expect.objectContaining({ code: 'usage', hint: expect.stringContaining('--base-url') }),
    );
    expect(() => fleetToCheck(fleet, provider, 'nonsense', 'fleet.json')).toThrow('is not a URL');
    const named = fleetToCheck(fleet, provider, 'http://127.0.0.1:1/v1', 'fleet.json');
    expect(named.providers[provider]).toEqual({ baseUrl: 'http://127.0.0.1:1/v1' });
    expect(fleetToCheck({ ...fleet, simulator: null }, provider, undefined, 'fleet.json').simulator).toBeNull();
  },
);

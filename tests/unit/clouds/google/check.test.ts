/** `credentials test google` against a simulator on this machine: what is set is what is checked. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { loadFleet } from '../../../../clouds/fleet-file.ts';
import { checkGoogle } from '../../../../cli/credentials/check-google.ts';
import { loadConfig } from '../../../../platform/config.ts';
import { serveSimulator } from '../../../../simulators/clouds/core/serving.ts';
import { createSimulatedGoogle } from '../../../../simulators/clouds/google/app.ts';
import { folderPerTest } from '../../../../testing/per-file.ts';

it('the login in a file is what is checked, in the project that it names; without a file the simulator’s own is', async () => {
  const server = await serveSimulator(createSimulatedGoogle(), { modelServers: false });
  onTestFinished(() => server.stop());
  const home = folderPerTest();
  const fleetFile = path.join(home, 'fleet.json');
  const providers = { google: { regions: ['europe-west4'], baseUrl: server.origin } };
  writeFileSync(fleetFile, JSON.stringify({ provider: 'google', installationId: 'test1', providers, pools: [] }));
  const credentials = path.join(home, 'login.json');
  const write = (refreshToken: string, project: string): void =>
    writeFileSync(
      credentials,
      JSON.stringify({
        type: 'authorized_user',
        client_id: 'demo',
        client_secret: 'demo',
        refresh_token: refreshToken,
        quota_project_id: project,
      }),
      { mode: 0o600 },
    );
  const check = (environment: Readonly<Record<string, string>>) => {
    const config = loadConfig({ DECKHAND_FLEET_FILE: fleetFile, DECKHAND_HOME: home, ...environment });
    return checkGoogle(config.google, loadFleet(config));
  };

  expect(await check({})).toEqual({
    source: "the simulator's default",
    account: null,
    project: 'simulated-project',
    regions: ['europe-west4'],
    zones: 3,
    instances: 0,
  });
  const named = { GOOGLE_APPLICATION_CREDENTIALS: credentials };
  write('wrong', 'simulated-project');
  await expect(check(named)).rejects.toMatchObject({ code: 'provider_auth' });
  write('demo', 'another-project');
  await expect(check(named)).rejects.toMatchObject({ code: 'usage' });
  await expect(check({ ...named, GOOGLE_CLOUD_PROJECT: 'simulated-project' })).resolves.toMatchObject({
    source: credentials,
  });
});

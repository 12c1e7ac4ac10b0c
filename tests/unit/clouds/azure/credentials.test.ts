/**
 * Azure credentials: where they are looked for, what is refused by name, and how the file is guarded.
 */
import { chmodSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { AZURE_SIMULATOR_CREDENTIALS, findAzureCredentials } from '../../../../clouds/azure/credentials.ts';
import { loadConfig, type Config } from '../../../../platform/config.ts';
import { folderPerTest } from '../../../../testing/per-file.ts';

const ENVIRONMENT = {
  AZURE_TENANT_ID: 'tenant',
  AZURE_CLIENT_ID: 'client',
  AZURE_CLIENT_SECRET: 'a-secret',
  AZURE_SUBSCRIPTION_ID: 'subscription',
};
/** As the command line of Azure prints it, shortened. */
const FILE = {
  clientId: 'file-client',
  clientSecret: 'file-secret',
  subscriptionId: 'file-subscription',
  tenantId: 'file-tenant',
  activeDirectoryEndpointUrl: 'https://login.microsoftonline.com',
  resourceManagerEndpointUrl: 'https://management.azure.com/',
};

function withFile(text: string, environment: Record<string, string> = {}, mode = 0o600): Config['azure'] {
  const file = path.join(folderPerTest(), 'auth.json');
  writeFileSync(file, text);
  chmodSync(file, mode);
  return loadConfig({ AZURE_AUTH_LOCATION: file, ...environment }).azure;
}

describe('the search for Azure credentials', () => {
  it('takes the environment before the file', () => {
    expect(findAzureCredentials(withFile(JSON.stringify(FILE), ENVIRONMENT))).toEqual({
      credentials: { tenantId: 'tenant', clientId: 'client', clientSecret: 'a-secret', subscriptionId: 'subscription' },
      source: 'the environment',
    });
  });

  it.each(['', '\uFEFF'])('reads the file that the command line of Azure prints (%j before it)', (mark) => {
    const { credentials } = findAzureCredentials(withFile(mark + JSON.stringify(FILE, null, 2)));
    const { clientId, clientSecret, subscriptionId, tenantId } = FILE;
    expect(credentials).toEqual({ clientId, clientSecret, subscriptionId, tenantId });
  });

  it('does not mix half an environment with a file', () => {
    const { AZURE_TENANT_ID, AZURE_CLIENT_ID } = ENVIRONMENT;
    const config = withFile(JSON.stringify(FILE), { AZURE_TENANT_ID, AZURE_CLIENT_ID });
    expect(() => findAzureCredentials(config)).toThrow('AZURE_CLIENT_SECRET and AZURE_SUBSCRIPTION_ID are not set');
  });

  it('takes a tenant and a subscription alone for what other tools left there', () => {
    const { AZURE_TENANT_ID, AZURE_SUBSCRIPTION_ID } = ENVIRONMENT;
    const config = withFile(JSON.stringify(FILE), { AZURE_TENANT_ID, AZURE_SUBSCRIPTION_ID });
    expect(findAzureCredentials(config).credentials.tenantId).toBe('file-tenant');
  });

  it('refuses a file that others may read', () => {
    const config = withFile(JSON.stringify(FILE), {}, 0o644);
    expect(() => findAzureCredentials(config)).toThrow('may be read by others (mode 644)');
  });

  it.each([
    ['{"tenantId": "t"}', 'has no clientId'],
    ['tenant=1', 'is no JSON object'],
    [JSON.stringify({ ...FILE, tenantId: '../../x' }), 'tenantId of'],
    [
      JSON.stringify({ ...FILE, resourceManagerEndpointUrl: 'https://management.chinacloudapi.cn/' }),
      'for another cloud',
    ],
  ])('refuses the file %s: %s', (text, words) => {
    expect(() => findAzureCredentials(withFile(text))).toThrow(words);
  });

  it('says how to set them where there are none', () => {
    expect(() => findAzureCredentials(loadConfig({}).azure)).toThrow(
      expect.objectContaining({ code: 'credentials_missing', hint: expect.stringContaining('AZURE_CLIENT_SECRET') }),
    );
  });

  it('does not read the file of a real subscription for a simulator', () => {
    expect(findAzureCredentials(withFile(JSON.stringify(FILE)), 'http://127.0.0.1:8428')).toBe(
      AZURE_SIMULATOR_CREDENTIALS,
    );
  });
});

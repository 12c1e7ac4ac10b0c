/**
 * Calls of Azure where it differs from other providers: how a token is asked for, and what its errors say. The rest is in ../transport.test.ts.
 */
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { command, getResource } from '../../../../clouds/azure/http/arm.ts';
import { refusalCode } from '../../../../clouds/http/refused.ts';
import { failureOf } from '../scripted-api.ts';
import { refusal, scriptedAzure, SECRET, transportOf } from './scripted-azure.ts';

const PATH = '/subscriptions/sub-1/resourceGroups/g/providers/Microsoft.Compute/virtualMachines/m';
const read = (api: { readonly baseUrl: string }) => getResource(transportOf(api), PATH, z.unknown());

describe('the token', () => {
  it('the token is asked for with the client secret in the body only', async () => {
    const api = await scriptedAzure({ 'GET virtualMachines/m': () => ({ body: {} }) });
    await read(api);
    const [asked] = api.of('POST token');
    expect(asked?.url.href).toMatch(/\/tenant-1\/oauth2\/v2.0\/token$/u);
    expect(Object.fromEntries(new URLSearchParams(asked?.text))).toEqual({
      grant_type: 'client_credentials',
      client_id: 'client-1',
      client_secret: SECRET,
      scope: 'https://management.azure.com/.default',
    });
  });

  it.each([
    ['invalid_client', 401, 'provider_auth', 'az ad sp credential reset'],
    ['unauthorized_client', 400, 'provider_auth', 'AZURE_CLIENT_ID'],
    ['invalid_request', 400, 'provider_auth', 'deckhand credentials test azure'],
  ])('is not given: %s', async (error, status, code, hint) => {
    const body = { error, error_description: 'AADSTS7000215: Invalid client secret provided.' };
    const api = await scriptedAzure({ 'POST token': () => ({ status, body }) });
    const failure = await failureOf(read(api));
    expect(failure).toMatchObject({ code, hint: expect.stringContaining(hint) });
    expect(refusalCode(failure)).toBe(error);
  });
});

it('an error names its call without the subscription, which stands in every path', async () => {
  const api = await scriptedAzure({ 'DELETE virtualMachines/m': () => refusal('Weird', 'words', 400) });
  const failure = await failureOf(command(transportOf(api), 'DELETE', PATH));
  expect(failure.message).toContain('DELETE …/virtualMachines/m: Weird');
});

/**
 * Where the credentials of a service principal come from: the environment, or a file as `az ad sp create-for-rbac --json-auth` writes it.
 */
import { z } from 'zod';
import { DeckhandError } from '../../domain/errors.ts';
import { tryJson } from '../../domain/text/json.ts';
import type { Config } from '../../platform/config.ts';
import { isLoopbackUrl } from '../../platform/loopback.ts';
import { noCredentials, OF_SIMULATOR, secretTextOf, type Found } from '../credential-file.ts';

/** A service principal and the subscription that it works in. The client secret is secret. */
export interface AzureCredentials {
  readonly tenantId: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly subscriptionId: string;
}

/** What a simulator accepts by default, and the one that the runtime starts always. */
export const AZURE_SIMULATOR_CREDENTIALS: Found<AzureCredentials> = {
  credentials: {
    tenantId: '00000000-0000-4000-8000-00000000da01',
    clientId: 'demo',
    clientSecret: 'demo',
    subscriptionId: '00000000-0000-4000-8000-00000000da02',
  },
  source: OF_SIMULATOR,
};

const VARIABLES: Readonly<Record<keyof AzureCredentials, string>> = {
  tenantId: 'AZURE_TENANT_ID',
  clientId: 'AZURE_CLIENT_ID',
  clientSecret: 'AZURE_CLIENT_SECRET',
  subscriptionId: 'AZURE_SUBSCRIPTION_ID',
};
const FIELDS = Object.keys(VARIABLES) as readonly (keyof AzureCredentials)[];

const HOW_TO_SET = `Set ${Object.values(VARIABLES).join(', ')}, or AZURE_AUTH_LOCATION to the file that \`az ad sp create-for-rbac --json-auth\` printed.`;

/** Ids and domains stand in paths. */
const ID = /^[\w.-]{1,100}$/u;

/**
 * Credentials for Azure, or for what stands in for it at `baseUrl`. The file holds a real account's and is not read for a simulator on this
 * machine.
 *
 * @throws DeckhandError `credentials_missing` when there are none or only a part, `usage` when the file may be read by others or is of
 *   another cloud
 */
export function findAzureCredentials(config: Config['azure'], baseUrl: string | null = null): Found<AzureCredentials> {
  const { tenantId = '', clientId = '', clientSecret = '', subscriptionId = '' } = config;
  const found = { tenantId, clientId, clientSecret, subscriptionId };
  const missing = FIELDS.filter((field) => found[field].trim() === '');
  if (missing.length === 0) return { credentials: checked(found, 'the environment'), source: 'the environment' };
  // A tenant or subscription alone is what other tools leave behind.
  if (clientId !== '' || clientSecret !== '') {
    const names = missing.map((field) => VARIABLES[field]).join(' and ');
    throw new DeckhandError('credentials_missing', `${names} ${missing.length === 1 ? 'is' : 'are'} not set`, {
      hint: 'Set all four, or none.',
    });
  }
  if (baseUrl !== null && isLoopbackUrl(baseUrl)) return AZURE_SIMULATOR_CREDENTIALS;
  if (config.authFile === undefined)
    throw noCredentials('Azure', 'there are no credentials of Azure in the environment and no file', HOW_TO_SET);
  return { credentials: ofFile(config.authFile), source: config.authFile };
}

const filled = z.string().trim().min(1);
const fileSchema = z.object({
  tenantId: filled,
  clientId: filled,
  clientSecret: filled,
  subscriptionId: filled,
  /** The files of Azure's other clouds (China, US government) name other addresses. */
  resourceManagerEndpointUrl: z.string().default('https://management.azure.com/'),
});

function ofFile(file: string): AzureCredentials {
  const text = secretTextOf(file);
  if (text === null) throw noCredentials('Azure', `${file} is no file`, HOW_TO_SET);
  // Windows writes a mark at the beginning.
  const parsed = fileSchema.safeParse(tryJson(text.replace(/^\uFEFF/u, '')));
  if (!parsed.success) {
    const field = parsed.error.issues[0]?.path.join('.') ?? '';
    const what = field === '' ? 'is no JSON object' : `has no ${field}`;
    throw new DeckhandError('credentials_missing', `${file} ${what}`, { hint: HOW_TO_SET });
  }
  const { resourceManagerEndpointUrl, ...credentials } = parsed.data;
  if (URL.parse(resourceManagerEndpointUrl)?.host !== 'management.azure.com') {
    throw new DeckhandError('usage', `${file} is for another cloud than the public one`, {
      userMessage: 'Deckhand rents machines in the public cloud of Azure only.',
      hint: 'Make a service principal there, or leave azure out of the fleet file.',
    });
  }
  return checked(credentials, file);
}

/** @throws DeckhandError `credentials_missing` for ids that are none */
function checked(credentials: AzureCredentials, source: string): AzureCredentials {
  const wrong = (['tenantId', 'clientId', 'subscriptionId'] as const).find((field) => !ID.test(credentials[field]));
  if (wrong === undefined) return credentials;
  throw new DeckhandError('credentials_missing', `${wrong} of ${source} is not an id`, { hint: HOW_TO_SET });
}

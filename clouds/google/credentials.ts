/**
 * Where the credentials of a Google Cloud project come from: the file that `GOOGLE_APPLICATION_CREDENTIALS` names, or the one that
 * `gcloud auth application-default login` writes.
 */
import { z } from 'zod';
import { DeckhandError } from '../../domain/errors.ts';
import { tryJson } from '../../domain/text/json.ts';
import type { Config } from '../../platform/config.ts';
import { isLoopbackUrl } from '../../platform/loopback.ts';
import { noCredentials, OF_SIMULATOR, secretTextOf, type Found } from '../credential-file.ts';

/** The key of a service account. Secret. */
export interface ServiceAccountKey {
  readonly kind: 'service_account';
  readonly email: string;
  readonly keyId: string | null;
  /** PEM. */
  readonly privateKey: string;
  readonly tokenUrl: string;
}

/** A person who has signed in with gcloud. Secret. */
export interface AuthorizedUser {
  readonly kind: 'authorized_user';
  readonly clientId: string;
  readonly clientSecret: string;
  readonly refreshToken: string;
  readonly tokenUrl: string;
}

export type GoogleCredentials = ServiceAccountKey | AuthorizedUser;

/** Credentials with the project that they name. */
export interface FoundGoogleCredentials extends Found<GoogleCredentials> {
  readonly project: string | null;
}

const TOKEN_URL = 'https://oauth2.googleapis.com/token';

/** What a simulator accepts by default, and the one that the runtime starts always. */
export const GOOGLE_SIMULATOR_CREDENTIALS: FoundGoogleCredentials = {
  credentials: {
    kind: 'authorized_user',
    clientId: 'demo',
    clientSecret: 'demo',
    refreshToken: 'demo',
    tokenUrl: TOKEN_URL,
  },
  project: 'simulated-project',
  source: OF_SIMULATOR,
};

const HOW_TO_SET =
  'Set GOOGLE_APPLICATION_CREDENTIALS to the key file of a service account, or run `gcloud auth application-default login`.';

/** Secrets are sent to this address: only Google's, or a simulator's. */
const tokenUrl = z
  .url()
  .refine((url) => isLoopbackUrl(url) || /^https:\/\/(?:[a-z0-9-]+\.)*(?:googleapis|google)\.com\//u.test(url), {
    message: 'is not an address of Google',
  });
const filled = z.string().trim().min(1);

const fileSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('service_account'),
    client_email: filled,
    private_key: filled,
    private_key_id: filled.nullable().default(null),
    token_uri: tokenUrl.default(TOKEN_URL),
    project_id: filled.nullable().default(null),
  }),
  z.object({
    type: z.literal('authorized_user'),
    client_id: filled,
    client_secret: filled,
    refresh_token: filled,
    token_uri: tokenUrl.default(TOKEN_URL),
    quota_project_id: filled.nullable().default(null),
  }),
]);

/** Kinds that would have to run a program or ask another service. */
const UNSUPPORTED: Readonly<Record<string, string>> = {
  external_account: 'signs in with an identity of another provider (external_account)',
  external_account_authorized_user: 'signs in with an identity of another provider (external_account_authorized_user)',
  impersonated_service_account: 'takes on the role of a service account (impersonated_service_account)',
  gdch_service_account: 'belongs to Google Distributed Cloud (gdch_service_account)',
};

/**
 * Credentials for Google, or for what stands in for it at `baseUrl`. The file of gcloud holds a real account's and is not read for a simulator
 * on this machine.
 *
 * @throws DeckhandError `credentials_missing` when there are none or of a kind that is not supported, `usage` when the file may be read by
 *   others
 */
export function findGoogleCredentials(config: Config['google'], baseUrl: string | null = null): FoundGoogleCredentials {
  const { credentialsFile, gcloudFile } = config;
  if (credentialsFile !== undefined) return readGoogleCredentials(credentialsFile);
  if (baseUrl !== null && isLoopbackUrl(baseUrl)) return GOOGLE_SIMULATOR_CREDENTIALS;
  return readGoogleCredentials(gcloudFile);
}

/** Reads a file of credentials. @throws DeckhandError as {@link findGoogleCredentials} */
export function readGoogleCredentials(file: string): FoundGoogleCredentials {
  const text = secretTextOf(file);
  if (text === null) throw noCredentials('Google', `${file} does not exist`, HOW_TO_SET);
  const json = tryJson(text);
  const kind = z.object({ type: z.string() }).safeParse(json);
  const unsupported = kind.success ? UNSUPPORTED[kind.data.type] : undefined;
  if (unsupported !== undefined) {
    throw new DeckhandError('credentials_missing', `${file} ${unsupported}`, {
      userMessage: `The Google credentials in ${file}: this kind ${unsupported}, which Deckhand does not do.`,
      hint: 'Use the key file of a service account.',
    });
  }
  const parsed = fileSchema.safeParse(json);
  // The content of the file stays out of the message: it is a secret.
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const where = json === undefined ? 'is not JSON' : `${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`;
    throw new DeckhandError('credentials_missing', `${file} is no file of Google credentials: ${where}`, {
      hint: HOW_TO_SET,
    });
  }
  return foundIn(file, parsed.data);
}

function foundIn(source: string, { token_uri: tokenUrl, ...file }: z.infer<typeof fileSchema>): FoundGoogleCredentials {
  if (file.type === 'service_account') {
    const { client_email: email, private_key_id: keyId, private_key: privateKey, project_id: project } = file;
    return { credentials: { kind: 'service_account', email, keyId, privateKey, tokenUrl }, project, source };
  }
  const { client_id: clientId, client_secret: clientSecret, refresh_token: refreshToken } = file;
  const credentials = { kind: 'authorized_user', clientId, clientSecret, refreshToken, tokenUrl } as const;
  return { credentials, project: file.quota_project_id, source };
}

/** The project to work in. @throws DeckhandError `usage` when nothing names one */
export function projectOf(
  settings: { readonly project: string | null },
  config: Pick<Config['google'], 'project'>,
  found: Pick<FoundGoogleCredentials, 'project'>,
): string {
  const project = settings.project ?? config.project ?? found.project;
  if (project !== null) return project;
  throw new DeckhandError('usage', 'the credentials of Google name no project', {
    hint: 'Set "project" under "providers.google" in the fleet file, or GOOGLE_CLOUD_PROJECT.',
  });
}

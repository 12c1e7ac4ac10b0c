/**
 * Where the credentials of an AWS account come from: the environment, or a profile of the files that AWS's own tools share.
 */
import { parse } from 'ini';
import { DeckhandError } from '../../domain/errors.ts';
import type { Config } from '../../platform/config.ts';
import { isLoopbackUrl } from '../../platform/loopback.ts';
import { bothOf, noCredentials, OF_SIMULATOR, refuseOpenFile, textOf, type Found } from '../credential-file.ts';
import type { AwsCredentials } from './http/sign.ts';

/** What a simulator accepts by default, and the one that the runtime starts always. */
export const AWS_SIMULATOR_CREDENTIALS: Found<AwsCredentials> = {
  credentials: { accessKeyId: 'demo', secretAccessKey: 'demo' },
  source: OF_SIMULATOR,
};

const HOW_TO_SET = 'Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or run `aws configure`.';

/** Kinds of profiles that would have to run a program or ask a person. */
const UNSUPPORTED: Readonly<Record<string, string>> = {
  credential_process: 'gets its keys from a program (credential_process)',
  sso_session: 'signs in with SSO (sso_session)',
  sso_start_url: 'signs in with SSO (sso_start_url)',
  role_arn: 'takes on a role (role_arn)',
  web_identity_token_file: 'signs in with a web identity (web_identity_token_file)',
};

/**
 * Credentials for AWS, or for what stands in for it at `baseUrl`. The files hold a real account's and are not read for a simulator on this
 * machine.
 *
 * @param profile from the fleet file; null = `AWS_PROFILE`, else `default`
 * @throws DeckhandError `credentials_missing` when there are none or of a kind that is not supported, `usage` when a file with keys may be
 *   read by others
 */
export function findAwsCredentials(
  config: Config['aws'],
  profile: string | null,
  baseUrl: string | null = null,
): Found<AwsCredentials> {
  const { accessKeyId, secretAccessKey, sessionToken } = config;
  const keys =
    profile === null ? bothOf({ AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey }) : null;
  if (keys !== null) return { credentials: credentialsOf(...keys, sessionToken), source: 'the environment' };
  if (baseUrl !== null && isLoopbackUrl(baseUrl)) return AWS_SIMULATOR_CREDENTIALS;
  return ofProfile(config, profile ?? config.profile ?? 'default');
}

/** Keys of a profile: of the credentials file, else of the configuration file. */
function ofProfile({ credentialsFile, configFile }: Config['aws'], profile: string): Found<AwsCredentials> {
  const keys = sectionOf(credentialsFile, [profile]);
  const settings = sectionOf(configFile, [`profile ${profile}`, ...(profile === 'default' ? ['default'] : [])]);
  const places = [
    [credentialsFile, keys],
    [configFile, settings],
  ] as const;
  for (const [file, section] of places) {
    const { aws_access_key_id: accessKeyId, aws_secret_access_key: secretAccessKey } = section ?? {};
    if (accessKeyId === undefined && secretAccessKey === undefined) continue;
    if (accessKeyId === undefined || secretAccessKey === undefined) {
      const missing = accessKeyId === undefined ? 'aws_access_key_id' : 'aws_secret_access_key';
      throw new DeckhandError('credentials_missing', `${file}: the profile ${profile} has no ${missing}`, {
        hint: HOW_TO_SET,
      });
    }
    refuseOpenFile(file);
    const credentials = credentialsOf(accessKeyId, secretAccessKey, section?.['aws_session_token']);
    return { credentials, source: `profile ${profile} of ${file}` };
  }
  for (const [file, section] of places) {
    const kind = Object.keys(UNSUPPORTED).find((name) => section?.[name] !== undefined);
    if (kind === undefined) continue;
    throw new DeckhandError('credentials_missing', `${file}: the profile ${profile} ${UNSUPPORTED[kind]}`, {
      userMessage: `The AWS profile ${profile} ${UNSUPPORTED[kind]}, which Deckhand does not do.`,
      hint: `Run \`aws configure export-credentials --profile ${profile} --format env\` and set what it prints, or use the keys of an IAM user.`,
    });
  }
  const where = keys === null && settings === null ? 'there is no' : 'no keys in the';
  throw noCredentials('AWS', `${where} profile ${profile} in ${credentialsFile} or ${configFile}`, HOW_TO_SET);
}

const credentialsOf = (accessKeyId: string, secretAccessKey: string, sessionToken?: string): AwsCredentials => ({
  accessKeyId,
  secretAccessKey,
  ...(sessionToken === undefined ? {} : { sessionToken }),
});

/** Filled values of the first section of these names; null where the file has none. */
function sectionOf(file: string, names: readonly string[]): Readonly<Record<string, string>> | null {
  const text = textOf(file);
  const sections = text === null ? {} : parse(withoutDots(text));
  for (const name of names) {
    const section: unknown = sections[withoutDots(`[${name}]`).slice(1, -1)];
    if (typeof section !== 'object' || section === null) continue;
    const values = Object.entries(section).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1].trim() !== '',
    );
    return Object.fromEntries(values);
  }
  return null;
}

/** In section names a dot is an ordinary letter to AWS's tools, and nests sections for the parser. */
const withoutDots = (text: string): string =>
  text.replaceAll(/^\s*\[[^\]]*\]/gmu, (header) => header.replaceAll('.', '\u0001'));

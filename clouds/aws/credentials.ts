/**
 * Where the credentials of an AWS account come from: the environment, or a profile of the files that AWS's own tools share.
 */
import { readFileSync, statSync } from 'node:fs';
import { parse } from 'ini';
import { DeckhandError } from '../../domain/errors.ts';
import type { Config } from '../../platform/config.ts';
import { isLoopbackUrl } from '../../platform/loopback.ts';
import type { AwsCredentials } from './http/sign.ts';

/** Credentials and where they were found, for people. */
export interface FoundAwsCredentials {
  readonly credentials: AwsCredentials;
  readonly source: string;
}

/** What a simulator accepts by default, and the one that the runtime starts always. */
export const AWS_SIMULATOR_CREDENTIALS: FoundAwsCredentials = {
  credentials: { accessKeyId: 'demo', secretAccessKey: 'demo' },
  source: "the simulator's default",
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
): FoundAwsCredentials {
  const { accessKeyId, secretAccessKey, sessionToken } = config;
  if (profile === null && accessKeyId !== undefined && secretAccessKey !== undefined) {
    const token = sessionToken === undefined ? {} : { sessionToken };
    return { credentials: { accessKeyId, secretAccessKey, ...token }, source: 'the environment' };
  }
  if (profile === null && (accessKeyId !== undefined || secretAccessKey !== undefined)) {
    const missing = accessKeyId === undefined ? 'AWS_ACCESS_KEY_ID' : 'AWS_SECRET_ACCESS_KEY';
    throw new DeckhandError('credentials_missing', `${missing} is not set although its other half is`, {
      hint: `Set ${missing} too, or neither.`,
    });
  }
  if (baseUrl !== null && isLoopbackUrl(baseUrl)) return AWS_SIMULATOR_CREDENTIALS;
  return ofProfile(config, profile ?? config.profile ?? 'default');
}

/** Keys of a profile: of the credentials file, else of the configuration file. */
function ofProfile({ credentialsFile, configFile }: Config['aws'], profile: string): FoundAwsCredentials {
  const keys = sectionOf(credentialsFile, [profile]);
  const settings = sectionOf(configFile, [`profile ${profile}`, ...(profile === 'default' ? ['default'] : [])]);
  for (const [file, section] of [
    [credentialsFile, keys],
    [configFile, settings],
  ] as const) {
    const { aws_access_key_id: accessKeyId, aws_secret_access_key: secretAccessKey } = section ?? {};
    const sessionToken = section?.['aws_session_token'];
    if (accessKeyId === undefined && secretAccessKey === undefined) continue;
    if (accessKeyId === undefined || secretAccessKey === undefined) {
      const missing = accessKeyId === undefined ? 'aws_access_key_id' : 'aws_secret_access_key';
      throw new DeckhandError('credentials_missing', `${file}: the profile ${profile} has no ${missing}`, {
        hint: HOW_TO_SET,
      });
    }
    refuseOpenFile(file);
    const token = sessionToken === undefined ? {} : { sessionToken };
    return { credentials: { accessKeyId, secretAccessKey, ...token }, source: `profile ${profile} of ${file}` };
  }
  for (const [file, section] of [
    [credentialsFile, keys],
    [configFile, settings],
  ] as const) {
    const kind = Object.keys(UNSUPPORTED).find((name) => section?.[name] !== undefined);
    if (kind === undefined) continue;
    throw new DeckhandError('credentials_missing', `${file}: the profile ${profile} ${UNSUPPORTED[kind]}`, {
      userMessage: `The AWS profile ${profile} ${UNSUPPORTED[kind]}, which Deckhand does not do.`,
      hint: `Run \`aws configure export-credentials --profile ${profile} --format env\` and set what it prints, or use the keys of an IAM user.`,
    });
  }
  const where = keys === null && settings === null ? 'there is no' : 'no keys in the';
  throw new DeckhandError('credentials_missing', `${where} profile ${profile} in ${credentialsFile} or ${configFile}`, {
    userMessage: 'There are no AWS credentials.',
    hint: HOW_TO_SET,
  });
}

/** Filled values of the first section of these names; null where the file has none. */
function sectionOf(file: string, names: readonly string[]): Readonly<Record<string, string>> | null {
  if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) return null;
  const sections = parse(withoutDots(readFileSync(file, 'utf8')));
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

function refuseOpenFile(file: string): void {
  const { mode } = statSync(file);
  if ((mode & 0o077) === 0) return;
  throw new DeckhandError('usage', `${file} may be read by others (mode ${(mode & 0o777).toString(8)})`, {
    hint: `chmod 600 ${file}`,
  });
}

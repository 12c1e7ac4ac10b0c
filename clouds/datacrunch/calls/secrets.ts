/**
 * Calls on what containers may know: secrets, secret files, credentials of image registries. Values go in and never come back.
 */
import { z } from 'zod';
import { command, get, segment } from '../http/reading.ts';
import type { Transport } from '../http/transport.ts';
import {
  registryCredentialsSchema,
  secretSchema,
  type RegistryCredentialsData,
  type SecretData,
} from '../schemas/containers.ts';

/** Credentials of an image registry, by kind of registry. */
export type NewRegistryCredentials = { readonly name: string } & (
  | { readonly type: 'dockerhub' | 'ghcr'; readonly username: string; readonly access_token: string }
  | { readonly type: 'gcr'; readonly service_account_key: string }
  | {
      readonly type: 'aws-ecr';
      readonly access_key_id: string;
      readonly secret_access_key: string;
      readonly region: string;
      readonly ecr_repo: string;
    }
  | { readonly type: 'custom'; readonly docker_config_json: string }
  | { readonly type: 'scaleway'; readonly scaleway_domain: string; readonly scaleway_uuid: string }
);

/** One file of a secret. */
export interface SecretFile {
  readonly file_name: string;
  readonly base64_content: string;
}

/** List, add and remove things that have a name. Removing one in use needs `force`. */
function namedCalls<Row, New>(http: Transport, path: string, row: z.ZodType<Row>) {
  return {
    list: (): Promise<readonly Row[]> => get(http, path, z.array(row)),
    create: (body: New): Promise<void> => command(http, { kind: 'create', method: 'POST', path, body }),
    delete: (name: string, options: { readonly force?: boolean } = {}): Promise<void> =>
      command(http, {
        kind: 'change',
        method: 'DELETE',
        path: `${path}/${segment(name)}`,
        query: { force: options.force },
      }),
  };
}

/** See the file's header. */
export function secretCalls(http: Transport) {
  return {
    secrets: namedCalls<SecretData, { readonly name: string; readonly value: string }>(http, '/secrets', secretSchema),
    fileSecrets: namedCalls<SecretData, { readonly name: string; readonly files: readonly SecretFile[] }>(
      http,
      '/file-secrets',
      secretSchema,
    ),
    registryCredentials: namedCalls<RegistryCredentialsData, NewRegistryCredentials>(
      http,
      '/container-registry-credentials',
      registryCredentialsSchema,
    ),
  };
}

/** Where people find the Temporal UI. */
import { existsSync, readFileSync } from 'node:fs';
import type { Config } from '../platform/config.ts';
import { readControlFile, runtimeFilePath, runtimeInfoSchema } from '../platform/runtime-info.ts';

/** Address and namespace of the UI: the configured one, or the running runtime's; null where neither is known. */
export function runningTemporalUi(config: Config): { readonly url: string; readonly namespace: string } | null {
  if (config.temporalUiUrl !== undefined) return { url: config.temporalUiUrl, namespace: config.temporalNamespace };
  const file = runtimeFilePath(config.home);
  if (readControlFile(config.home) === undefined || !existsSync(file)) return null;
  const info = runtimeInfoSchema.safeParse(JSON.parse(readFileSync(file, 'utf8')));
  if (!info.success || info.data.temporalUiUrl === null) return null;
  return { url: info.data.temporalUiUrl, namespace: info.data.temporalNamespace };
}

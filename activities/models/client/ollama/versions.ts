/**
 * The range of Ollama servers that the client is made for and tested against.
 *
 * Both ends of the range differ in error codes, image decoding and the schemas that they accept; the fixtures of the tests hold both. Every
 * version is used; the GPU diagnosis reports a newer one as untested, and an older one because it enforces no JSON schema reliably.
 */
import type { VersionSupport } from '../model-server.ts';

/** Oldest and newest minor version, both included. */
export const SUPPORTED_OLLAMA = { oldest: '0.24', newest: '0.34' } as const;

/** Places a version such as "0.24.0" or "0.34.4-rc1". Builds without a version ("0.0.0") are unknown. */
export function versionSupport(version: string): VersionSupport {
  const found = minor(version);
  if (found === null || found === 0) return 'unknown';
  if (found < (minor(SUPPORTED_OLLAMA.oldest) ?? 0)) return 'older';
  return found > (minor(SUPPORTED_OLLAMA.newest) ?? 0) ? 'newer' : 'supported';
}

/** One number that orders versions by major and minor; null for something that is no version. */
function minor(version: string): number | null {
  const match = /^v?(\d+)\.(\d+)/.exec(version);
  return match === null ? null : Number(match[1]) * 1000 + Number(match[2]);
}

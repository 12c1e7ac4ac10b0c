/**
 * The range of Ollama servers that the client is made for and tested against.
 *
 * Both ends of the range differ in error codes, image decoding and schema traps; the fixtures of the tests hold both. A newer server
 * is used, and `doctor` says that it is untested; an older one is refused because it enforces no JSON schema reliably.
 */
import { DeckhandError } from '../../../domain/errors.ts';

/** Oldest and newest minor version, both included. */
export const SUPPORTED_OLLAMA = { oldest: '0.24', newest: '0.34' } as const;

/** Where a server's version stands relative to {@link SUPPORTED_OLLAMA}. */
export type VersionSupport = 'older' | 'supported' | 'newer' | 'unknown';

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

/**
 * Refuses a server that is too old or does not say what it is.
 * @throws DeckhandError `dependency_missing`.
 */
export function assertSupportedVersion(version: string): void {
  const support = versionSupport(version);
  if (support === 'supported' || support === 'newer') return;
  const range = `${SUPPORTED_OLLAMA.oldest} to ${SUPPORTED_OLLAMA.newest}`;
  throw new DeckhandError('dependency_missing', `Ollama ${version} is ${support}; supported are ${range}`, {
    userMessage: `This Ollama server (version ${version}) is not supported.`,
    hint: `Install Ollama ${SUPPORTED_OLLAMA.oldest} or newer.`,
  });
}

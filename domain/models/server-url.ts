/** Addresses of model servers. */
import { z } from 'zod';

/** Base URL of a server in the one form by which it is known: host in lower case, no port that goes without saying, no slash at its end. */
export const serverUrl = z
  .url({ protocol: /^https?$/u, error: 'is not an http:// or https:// URL', abort: true })
  .refine((text) => urlParts(text).every((part) => part === ''), {
    // Everybody who may read the settings would read them, and paths are put behind the URL.
    error: 'must have no user, password, query or fragment',
    abort: true,
  })
  .refine((text) => !new URL(text).pathname.replace(/\/+$/u, '').includes('//'), {
    error: 'must have no empty part (//) in its path',
    abort: true,
  })
  .overwrite((text) => {
    const { origin, pathname } = new URL(text);
    const path = pathname.replace(/\/+$/u, '');
    // The usual path of OpenAI's protocol goes without saying.
    return `${origin}${path === '/v1' ? '' : path}`;
  });

function urlParts(text: string): readonly string[] {
  const { username, password, search, hash } = new URL(text);
  return [username, password, search, hash];
}

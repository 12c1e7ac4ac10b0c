/** Whether an address is on the loopback interface. */

/** True for a host, with or without port, that is loopback. */
export function isLoopbackHost(host: string): boolean {
  // An IPv6 address to listen on stands without brackets.
  const url = URL.parse(`http://${/^[\da-f]*:[\da-f:]+$/i.test(host) ? `[${host}]` : host}`);
  if (url === null || url.host === '' || url.pathname !== '/' || url.username !== '') return false;
  return url.hostname === 'localhost' || url.hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(url.hostname);
}

/** True for a URL that does not leave this machine. */
export const isLoopbackUrl = (url: string): boolean => isLoopbackHost(new URL(url).host);

/**
 * Static pools: one instance per server that runs already. Nothing is decided; servers come and go with the configuration.
 */
import type { InstanceView } from './pool.ts';

/** Name of the instance that stands for a server which runs already, such as `static-0`. */
const hostInstanceName = (pool: string, number: number): string => `${pool}-${number}`;

/** Which instance serves which server. */
export type Hosts = Readonly<Record<string, string>>;

export interface HostPlan {
  readonly hosts: Hosts;
  /** Instances to start, with the server each serves. */
  readonly start: readonly { readonly name: string; readonly url: string }[];
  /** Instances to let go. */
  readonly release: readonly string[];
}

/**
 * Compares the servers configured with the instances there are.
 *
 * @param present names of the instances whose life has not ended
 * @param firstNumber number of the next instance; a server that comes back gets a new one
 */
export function planHosts(
  pool: string,
  urls: readonly string[],
  hosts: Hosts,
  present: readonly string[],
  firstNumber: number,
): HostPlan {
  const kept = Object.entries(hosts).filter(([name, url]) => present.includes(name) && urls.includes(url));
  const unserved = [...new Set(urls)].filter((url) => !kept.some(([, served]) => served === url));
  const start = unserved.map((url, index) => ({ name: hostInstanceName(pool, firstNumber + index), url }));
  return {
    hosts: Object.fromEntries([...kept, ...start.map((s) => [s.name, s.url])]),
    start,
    release: present.filter((name) => !kept.some(([keptName]) => keptName === name)),
  };
}

/** What a static pool says of itself. */
export function staticReasons(urls: readonly string[], instances: readonly Pick<InstanceView, 'phase'>[]): string[] {
  const ready = instances.filter((i) => i.phase === 'ready').length;
  return [`${urls.length} ${urls.length === 1 ? 'server that runs' : 'servers that run'} already, ${ready} ready`];
}

/** Paths and URLs of resources, as answers write them. */
import type { Simulation } from '../account.ts';

/** `projects/p/zones/z/instances/x`, as messages write it. @param path below the project, with a slash first */
export const resourceName = ({ project }: Simulation, path: string): string => `projects/${project}${path}`;

/** URL of a resource. */
export const linkTo = (sim: Simulation, path: string): string =>
  `https://www.googleapis.com/compute/v1/${resourceName(sim, path)}`;

/** A time as Compute Engine writes it. */
export const writtenTime = (ms: number): string => new Date(ms).toISOString().replace('Z', '-00:00');

/** Last part of a URL or path. */
export const lastPart = (url: string): string => url.slice(url.lastIndexOf('/') + 1);

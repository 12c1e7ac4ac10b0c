/**
 * Names of instances: part of host names at the provider, so short and in lower case. A name is used for one life only.
 */

/** Characters of the suffix: enough to keep apart what two runs of one pool made. */
const SUFFIX_LENGTH = 4;

/** Name of a pool's instance, such as `visual-3-9f2c`. `random` is a UUID drawn by the workflow, so that it replays. */
export const rentedInstanceName = (pool: string, number: number, random: string): string =>
  `${pool}-${number}-${random.replaceAll('-', '').slice(0, SUFFIX_LENGTH)}`;

/** Name of the instance that stands for a server which runs already, such as `static-0`. */
export const hostInstanceName = (pool: string, number: number): string => `${pool}-${number}`;

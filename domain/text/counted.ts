/** Counts in words. */

/** `1 slide`, `2 slides`; a plural that is not formed by an s is named. */
export const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;

/** Leaving the page. An object, because a test can replace its methods, but not those of `location`. */

export const leave = {
  /** Opens an address that the workspace does not draw. */
  to: (address: string): void => location.assign(address),
  /** Loads the page anew. */
  again: (): void => location.reload(),
};

/** The tenant that every installation starts with: of people who work on its machine, with a key or, where the API is open, without one. */
export const DEFAULT_TENANT = 'default';

/** What the address of the list of companies holds. */

/** Words to search for. */
export interface CompaniesSearch {
  readonly q?: string;
}

/** Reads the search of an address. */
export const readCompaniesSearch = ({ q }: Readonly<Record<string, unknown>>): CompaniesSearch =>
  typeof q === 'string' || typeof q === 'number' ? { q: String(q) } : {};

/** Names under which a provider is known elsewhere, and the one that it has here. */
const SAME_PROVIDER: Readonly<Record<string, string>> = {
  gcp: 'google',
  verda: 'datacrunch',
  lambdalabs: 'lambda',
  vastai: 'vast',
  oracle: 'oci',
};

/** A provider's name as the price snapshot and the fleet file spell it; Verda is what DataCrunch is called now. */
export function providerName(text: string): string {
  const name = text.trim().toLowerCase();
  return Object.hasOwn(SAME_PROVIDER, name) ? (SAME_PROVIDER[name] ?? name) : name;
}

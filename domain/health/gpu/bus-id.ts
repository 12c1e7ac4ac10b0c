/**
 * The PCI address of a GPU, which the driver's tools and the kernel's log write differently: `00000000:3B:00.0` and `0000:3b:00`.
 */

const BUS_ID = /^(?:([0-9a-f]{4,8}):)?([0-9a-f]{2}):([0-9a-f]{2})(?:\.[0-9a-f])?$/iu;

/** One way of writing it: domain in four digits, lower case, without the function. Null for what is no address. */
export function canonicalBusId(text: string): string | null {
  const match = BUS_ID.exec(text.trim());
  if (match === null) return null;
  const [, domain = '0', bus = '', device = ''] = match;
  return `${Number.parseInt(domain, 16).toString(16).padStart(4, '0')}:${bus}:${device}`.toLowerCase();
}

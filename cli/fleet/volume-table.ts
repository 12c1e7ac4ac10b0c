/** Volumes of the fleet's accounts as a table of plain text. */
import type { FleetVolumeDocument, FleetVolumeListDocument } from '../../api/client.ts';
import { clean } from '../terminal/style.ts';
import { table } from '../terminal/table.ts';

/** Whose a volume is, in words. */
const OWNERS: Readonly<Record<FleetVolumeDocument['owner'], string>> = {
  system: 'system disk',
  data: 'data volume',
  foreign: 'not ours',
};

/** What a volume is attached to; empty = nothing. */
export const holdersText = ({ attachedTo }: Pick<FleetVolumeDocument, 'attachedTo'>): string =>
  attachedTo.map(({ instance, providerId }) => clean(instance ?? `machine ${providerId}`)).join(', ');

/** The providers that did not answer, a sentence each. */
export const unansweredLines = (unanswered: FleetVolumeListDocument['unanswered']): string[] =>
  unanswered.map(
    ({ provider, message }) => `${clean(provider)} does not answer, so its volumes are missing: ${clean(message)}`,
  );

/** One line per volume. */
export function volumeTable(items: readonly FleetVolumeDocument[]): string {
  if (items.length === 0) return 'There are no volumes in the accounts of the fleet.';
  return table([
    ['volume', 'name', 'provider', 'location', 'GiB', 'status', 'kind', 'attached to', '$/month'],
    ...items.map((item) => [
      clean(item.id),
      clean(item.name),
      item.provider,
      clean(item.location),
      String(item.sizeGib),
      item.status,
      `${OWNERS[item.owner]}${item.isShared ? ', shared' : ''}`,
      holdersText(item) || '-',
      item.usdPerMonth.toFixed(2),
    ]),
  ]);
}

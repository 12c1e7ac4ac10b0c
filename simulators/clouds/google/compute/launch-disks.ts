/** The disks of a new instance: made from an image, empty, or there already. */
import { z } from 'zod';
import type { CreateRequest } from '../../core/instances.ts';
import type { NewVolume } from '../../core/state.ts';
import type { AttachedDisk, Call } from '../account.ts';
import { GoogleError, invalid, notFound } from '../errors.ts';
import { checkLabels, labels, NAME, tagsOf, wholeText } from './body.ts';
import { volumeNamed } from './find.ts';
import { imageAt } from './images.ts';
import { lastPart, resourceName } from './links.ts';

const text = z.string();

/** A disk in the body of an insert. */
export const diskSchema = z.looseObject({
  boot: z.boolean().default(false),
  autoDelete: z.boolean().default(false),
  deviceName: text.optional(),
  diskName: text.optional(),
  source: text.optional(),
  initializeParams: z
    .looseObject({
      diskName: text.optional(),
      diskSizeGb: wholeText.optional(),
      diskType: text.optional(),
      sourceImage: text.optional(),
      labels,
    })
    .optional(),
});

/** What becomes of them. */
export interface LaunchDisks {
  readonly attached: readonly AttachedDisk[];
  readonly boot: CreateRequest['boot'];
  readonly added: readonly NewVolume[];
  readonly existing: readonly string[];
}

/** Reads and checks them. @param name of the instance @throws GoogleError */
export function disksOf(
  call: Call,
  zone: string,
  { disks, name }: { readonly disks: readonly z.infer<typeof diskSchema>[]; readonly name: string },
): LaunchDisks {
  const { sim } = call;
  const [root] = disks;
  if (root?.boot !== true) throw invalid('resource.disks[0].boot', 'false', 'The first disk must be the boot disk.');
  const attached: AttachedDisk[] = [];
  const added: NewVolume[] = [];
  const existing: string[] = [];
  let image = '';
  for (const [index, disk] of disks.entries()) {
    const given = disk.initializeParams;
    const diskName = given?.diskName ?? disk.diskName ?? (disk.source === undefined ? name : lastPart(disk.source));
    attached.push({ diskName, deviceName: disk.deviceName ?? diskName, boot: disk.boot, autoDelete: disk.autoDelete });
    const there = volumeNamed(sim, zone, diskName);
    if (disk.source !== undefined) {
      if (there === undefined) throw notFound(resourceName(sim, `/zones/${zone}/disks/${diskName}`));
      if (there.status !== 'detached')
        throw new GoogleError(
          400,
          'resourceInUseByAnotherResource',
          `The disk resource '${resourceName(sim, `/zones/${zone}/disks/${diskName}`)}' is already being used`,
        );
      existing.push(there.id);
      continue;
    }
    if (!NAME.test(diskName))
      throw invalid(`resource.disks[${index}].initializeParams.diskName`, diskName, 'It is no name.');
    if (there !== undefined || isOrdered(call, zone, diskName))
      throw new GoogleError(
        409,
        'alreadyExists',
        `The resource '${resourceName(sim, `/zones/${zone}/disks/${diskName}`)}' already exists`,
      );
    const source = given?.sourceImage === undefined ? null : imageAt(sim, given.sourceImage);
    if (disk.boot && source === null)
      throw invalid(`resource.disks[${index}].initializeParams.sourceImage`, '', 'A boot disk needs an image.');
    const sizeGib = given?.diskSizeGb ?? source?.sizeGib ?? 10;
    if (source !== null && sizeGib < source.sizeGib)
      throw invalid(
        `resource.disks[${index}].initializeParams.diskSizeGb`,
        String(sizeGib),
        `Disk size cannot be smaller than the chosen image size (${source.sizeGib} GB).`,
      );
    checkLabels(given?.labels ?? {});
    if (disk.boot && source !== null) image = source.path;
    added.push({
      name: diskName,
      sizeGib,
      type: lastPart(given?.diskType ?? 'pd-standard'),
      onEviction: disk.autoDelete ? 'purge' : 'keep',
      tags: tagsOf(given?.labels ?? {}),
    });
  }
  const [first] = existing;
  if (root.source !== undefined && first !== undefined)
    return { attached, boot: { kind: 'volume', volumeId: first }, added, existing: existing.slice(1) };
  const [osVolume = null, ...others] = added;
  return {
    attached,
    boot: { kind: 'image', image, osVolume, sshKeyIds: [], startupScriptId: null },
    added: others,
    existing,
  };
}

/** True when a disk of this name will be made with an instance that is being made. */
const isOrdered = ({ sim }: Call, zone: string, name: string): boolean =>
  Object.values(sim.cloud.state.instances).some(
    (one) => one.location === zone && one.phase !== 'gone' && one.newVolumes.some((volume) => volume.name === name),
  );

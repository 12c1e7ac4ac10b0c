/**
 * Which volumes an operator may attach to a machine of ours and detach from it.
 *
 * Data is lost by mistakes here, so the rule is narrow: data volumes that the fleet file names, and machines of this installation. Deckhand's
 * own disks are system disks: an instance boots from them. What belongs to others in the account is not touched.
 */
import { DeckhandError } from '../../errors.ts';
import { isPresent, type InstancePhase } from '../phases.ts';

/** Whose a volume is. `system`: a system disk of this installation; `data`: named in the fleet file; `foreign`: any other. */
export type VolumeOwner = 'system' | 'data' | 'foreign';

/** What is known of a volume. */
export interface VolumeFacts {
  readonly id: string;
  readonly provider: string;
  readonly location: string;
  readonly status: 'attached' | 'detached' | 'changing' | 'trashed' | 'deleted';
  readonly isOsVolume: boolean;
  readonly owner: VolumeOwner;
  /** It may be attached to several machines. */
  readonly isShared: boolean;
  /** Machines that it is attached to: their id at the provider, and our name where they are ours. */
  readonly attachedTo: readonly { readonly providerId: string; readonly instance: string | null }[];
}

/** What is known of an instance. */
export interface MachineFacts {
  readonly name: string;
  readonly provider: string;
  readonly phase: InstancePhase;
  /** Null while it has no machine. */
  readonly providerId: string | null;
  readonly location: string | null;
}

const refuse = (code: 'conflict' | 'forbidden' | 'not_found', message: string, hint?: string): DeckhandError =>
  new DeckhandError(code, message, { userMessage: message, ...(hint === undefined ? {} : { hint }) });

function checkVolume({ id, isOsVolume, owner, status }: VolumeFacts): void {
  if (status === 'deleted' || status === 'trashed') throw refuse('not_found', `Volume ${id} is deleted.`);
  if (isOsVolume || owner === 'system') {
    throw refuse(
      'conflict',
      `Volume ${id} is a system disk: a machine boots from it. Only data volumes are attached and detached.`,
    );
  }
  if (owner === 'foreign') {
    throw refuse(
      'forbidden',
      `Volume ${id} is not one of this installation.`,
      'If it is yours, name its id under "dataVolumes" in the fleet file.',
    );
  }
}

/**
 * Whether a volume may be attached to an instance.
 *
 * @param canAttach whether the volume's provider attaches volumes
 * @returns id of the machine, or null when it is attached there already
 * @throws DeckhandError `not_found` (deleted), `forbidden` (somebody else's), `conflict` (system disk, attached elsewhere, another provider or
 *   location, no machine, a provider that attaches none)
 */
export function checkAttach(volume: VolumeFacts, machine: MachineFacts, canAttach: boolean): string | null {
  checkVolume(volume);
  const { id, provider, location, attachedTo } = volume;
  if (machine.provider !== provider) {
    throw refuse('conflict', `Volume ${id} is at ${provider}, and ${machine.name} at ${machine.provider}.`);
  }
  if (!canAttach) throw refuse('conflict', `Deckhand attaches no volumes at ${provider}.`);
  // A machine that was stopped and kept is suspended; some providers attach disks to such machines only.
  const isThere = isPresent(machine.phase) || machine.phase === 'suspended';
  if (machine.providerId === null || !isThere) {
    throw refuse(
      'conflict',
      `${machine.name} is ${machine.phase} and has no machine to attach a volume to.`,
      'Wake it first: deckhand fleet wake NAME',
    );
  }
  if (machine.location !== null && machine.location !== location) {
    throw refuse('conflict', `Volume ${id} is in ${location}, and ${machine.name} in ${machine.location}.`);
  }
  if (attachedTo.some(({ providerId }) => providerId === machine.providerId)) return null;
  const [other] = attachedTo;
  if (other !== undefined && !volume.isShared) {
    const holder = other.instance ?? `machine ${other.providerId}`;
    throw refuse('conflict', `Volume ${id} is attached to ${holder}.`, `Detach it first: deckhand fleet detach ${id}`);
  }
  if (volume.status === 'changing') throw refuse('conflict', `Volume ${id} is being changed; try again in a minute.`);
  return machine.providerId;
}

/**
 * Whether a volume may be detached.
 *
 * @param from the instance to detach it from; null = the only one that it is attached to
 * @returns id of the machine, or null when it is not attached
 * @throws DeckhandError as {@link checkAttach}; `conflict` for a shared volume of several machines without a name
 */
export function checkDetach(volume: VolumeFacts, from: MachineFacts | null, canAttach: boolean): string | null {
  checkVolume(volume);
  const { id, provider, attachedTo } = volume;
  if (!canAttach) throw refuse('conflict', `Deckhand detaches no volumes at ${provider}.`);
  const holders = from === null ? attachedTo : attachedTo.filter(({ providerId }) => providerId === from.providerId);
  const [holder] = holders;
  if (holder === undefined) {
    if (from === null || attachedTo.length === 0) return null;
    throw refuse('conflict', `Volume ${id} is not attached to ${from.name}.`);
  }
  if (holders.length > 1) {
    throw refuse('conflict', `Volume ${id} is attached to ${holders.length} machines.`, 'Name the instance as well.');
  }
  if (holder.instance === null) {
    throw refuse(
      'forbidden',
      `Volume ${id} is attached to machine ${holder.providerId}, which is not one of this installation.`,
    );
  }
  return holder.providerId;
}

/** Which volumes may be attached and detached. */
import { describe, expect, it } from 'vitest';
import { INSTANCE_PHASES } from '../../../domain/fleet/phases.ts';
import {
  checkAttach,
  checkDetach,
  type MachineFacts,
  type VolumeFacts,
} from '../../../domain/fleet/provider/volume-attachment.ts';

const volumeOf = (changes: Partial<VolumeFacts> = {}): VolumeFacts => ({
  id: 'v1',
  provider: 'datacrunch',
  location: 'FIN-01',
  status: 'detached',
  isOsVolume: false,
  owner: 'data',
  isShared: false,
  attachedTo: [],
  ...changes,
});
const machineOf = (changes: Partial<MachineFacts> = {}): MachineFacts => ({
  name: 'gpu-1',
  provider: 'datacrunch',
  phase: 'ready',
  providerId: 'm1',
  location: 'FIN-01',
  ...changes,
});
const OTHER = { providerId: 'm2', instance: 'gpu-2' };
const OWN = { providerId: 'm1', instance: 'gpu-1' };

describe('attaching a volume', () => {
  it('is allowed for a named data volume of the same location, once', () => {
    expect(checkAttach(volumeOf(), machineOf(), true)).toBe('m1');
    expect(checkAttach(volumeOf({ status: 'attached', attachedTo: [OWN] }), machineOf(), true)).toBeNull();
  });

  it('is allowed for a machine that is suspended and kept', () =>
    expect(checkAttach(volumeOf(), machineOf({ phase: 'suspended' }), true)).toBe('m1'));

  it('of a shared filesystem is allowed beside other machines', () => {
    const shared = volumeOf({ isShared: true, status: 'attached', attachedTo: [OTHER] });
    expect(checkAttach(shared, machineOf(), true)).toBe('m1');
  });

  it.each<[string, Partial<VolumeFacts>, Partial<MachineFacts>, string]>([
    ['a system disk', { isOsVolume: true }, {}, 'system disk'],
    ['a disk of this installation', { owner: 'system' }, {}, 'system disk'],
    ['a volume of somebody else', { owner: 'foreign' }, {}, 'not one of this installation'],
    ['a deleted volume', { status: 'trashed' }, {}, 'is deleted'],
    ['a volume that is attached elsewhere', { status: 'attached', attachedTo: [OTHER] }, {}, 'is attached to gpu-2'],
    ['a volume that is being changed', { status: 'changing' }, {}, 'is being changed'],
    ['another location', { location: 'ICE-01' }, {}, 'is in ICE-01, and gpu-1 in FIN-01'],
    ['another provider', {}, { provider: 'aws' }, 'is at datacrunch, and gpu-1 at aws'],
    ['a machine that is being stopped', {}, { phase: 'suspending' }, 'has no machine'],
    ['an instance without a machine', {}, { phase: 'suspended', providerId: null }, 'has no machine'],
  ])('is refused for %s', (_name, volume, machine, message) => {
    expect(() => checkAttach(volumeOf(volume), machineOf(machine), true)).toThrow(message);
  });

  it('is refused at a provider that attaches none', () => {
    expect(() => checkAttach(volumeOf(), machineOf(), false)).toThrow('attaches no volumes at datacrunch');
    expect(() => checkDetach(volumeOf(), null, false)).toThrow('detaches no volumes at datacrunch');
  });
});

describe('detaching a volume', () => {
  it('never is allowed for what a machine boots from, in any phase', () => {
    for (const phase of INSTANCE_PHASES) {
      const system = volumeOf({ isOsVolume: true, status: 'attached', attachedTo: [OWN] });
      expect(() => checkDetach(system, machineOf({ phase }), true)).toThrow('system disk');
    }
  });

  it('is allowed from the machine it is attached to, and is done when it is attached to none', () => {
    expect(checkDetach(volumeOf({ attachedTo: [OWN] }), null, true)).toBe('m1');
    expect(checkDetach(volumeOf({ attachedTo: [OWN] }), machineOf(), true)).toBe('m1');
    expect(checkDetach(volumeOf(), null, true)).toBeNull();
  });

  it('of a shared filesystem needs the name of one of several', () => {
    const shared = volumeOf({ isShared: true, attachedTo: [OWN, OTHER] });
    expect(() => checkDetach(shared, null, true)).toThrow('attached to 2 machines');
    expect(checkDetach(shared, machineOf(), true)).toBe('m1');
  });

  it('is refused from a machine that it is not attached to, and from one of somebody else', () => {
    expect(() => checkDetach(volumeOf({ attachedTo: [OTHER] }), machineOf(), true)).toThrow('not attached to gpu-1');
    const foreign = volumeOf({ attachedTo: [{ providerId: 'x', instance: null }] });
    expect(() => checkDetach(foreign, null, true)).toThrow('not one of this installation');
  });
});

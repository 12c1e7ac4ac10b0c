/**
 * The whole of Deckhand on a simulated provider of its own process, whose machines each have a model server and an inside: for tests of
 * what goes wrong with machines while decks are reviewed.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { z } from 'zod';
import type { fleetConfigSchema, poolConfigSchema } from '../../domain/fleet/pool/pool-config.ts';
import type { ScenarioInput } from '../../simulators/clouds/core/scenario.ts';
import type { SimInstance } from '../../simulators/clouds/core/state.ts';
import type { MachineFaultInput } from '../../simulators/machine/faults.ts';
import { startSimulator } from '../simulator-process.ts';
import { startRig, type Rig, type RigOptions } from '../rig.ts';

export interface MachineRigOptions extends Pick<RigOptions, 'servers' | 'environment'> {
  readonly scenario: ScenarioInput;
  readonly pools: readonly z.input<typeof poolConfigSchema>[];
  readonly health?: z.input<typeof fleetConfigSchema>['health'];
}

export interface MachineRig extends Rig {
  /** Machines of an instance that are not gone, by its name. */
  machinesOf(instance: string): Promise<readonly SimInstance[]>;
  /** Sets what is wrong with the machine that an instance has now, in place of what was. */
  setFaults(instance: string, faults: readonly MachineFaultInput[]): Promise<void>;
  /** The provider takes back the spot machine that an instance has now, with notice where it gives one. */
  evict(instance: string): Promise<void>;
  /** Calls that the model servers of all machines have in hand. */
  inFlight(): Promise<number>;
}

/** Starts everything. Takes a few seconds; share one per test file. */
export async function startMachineRig(options: MachineRigOptions): Promise<MachineRig> {
  const directory = mkdtempSync(path.join(tmpdir(), 'deckhand-machines-'));
  const scenarioFile = path.join(directory, 'scenario.json');
  writeFileSync(scenarioFile, JSON.stringify(options.scenario));
  const simulator = await startSimulator('--scenario', scenarioFile);
  const fleet = {
    provider: 'datacrunch',
    baseUrl: `http://127.0.0.1:${simulator.port}/v1`,
    installationId: 'rig1',
    access: 'simulated',
    pools: options.pools,
    health: options.health,
  };
  const rig = await startRig({ ...options, fleet });
  const machinesOf: MachineRig['machinesOf'] = async (instance) => {
    const { instances } = await simulator.control<{ instances: Record<string, SimInstance> }>('/state');
    return Object.values(instances).filter((i) => i.hostname.startsWith(`dh-rig1-${instance}-`) && i.phase !== 'gone');
  };
  return {
    ...rig,
    machinesOf,
    setFaults: async (instance, faults) => {
      const [machine] = await machinesOf(instance);
      if (machine === undefined) throw new Error(`${instance} has no machine`);
      await simulator.control(`/instances/${machine.id}/faults`, faults);
    },
    evict: async (instance) => {
      const [machine] = await machinesOf(instance);
      if (machine === undefined) throw new Error(`${instance} has no machine`);
      await simulator.control('/evict', { id: machine.id });
    },
    inFlight: async () => {
      const rows = await rig.db.instanceServing.findMany({ select: { inFlight: true } });
      return rows.reduce((sum, row) => sum + row.inFlight, 0);
    },
    stop: async () => {
      await rig.stop();
      await simulator.kill('SIGTERM');
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

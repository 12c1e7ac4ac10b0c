/** A gateway for tests: attaches a simulated machine and says how its proof went, from what the simulator knows of the machine. */
import type { Machine, ReadinessFacts } from '../../domain/fleet/instance-life/types.ts';
import type { ReadinessFailure } from '../../domain/fleet/instance-life/memory.ts';
import type { VirtualCloud } from './virtual-cloud.ts';

/** How a proof goes; `silent` = the gateway says nothing at all. */
export type Proof = 'proved' | 'silent' | { readonly failure: ReadinessFailure };

export const PROOF_FACTS: ReadinessFacts = {
  models: [{ name: 'gemma3:12b', digest: 'sha256:1', sizeBytes: 8e9, vramBytes: 8e9 }],
  loadMs: 10_000,
  generationMs: 500,
};

export class VirtualGateway {
  /** Time from attachment to its report. */
  proofMs = 20_000;
  /** Proofs that come first, in order; then the machine's own state decides. */
  readonly script: Proof[] = [];
  /** Restarting the model server, or rebooting, mends a machine that runs on its CPU. */
  restartMends = true;
  rebootMends = true;
  /** Attachments so far, newest last. */
  readonly attached: Machine[] = [];
  /** Asked first, when set: what the proof of a machine comes to; null = as the simulated cloud has it. */
  consult: ((machine: Machine) => Proof | null) | null = null;
  /** Told of what is done to a machine. */
  onTouched: (machine: Machine, how: 'restart' | 'reboot') => void = () => undefined;
  readonly #mended = new Set<string>();
  readonly #clouds: readonly VirtualCloud[];

  constructor(...clouds: readonly VirtualCloud[]) {
    this.#clouds = clouds;
  }

  /** What the proof of this machine comes to now. */
  prove(machine: Machine): Proof {
    const scripted = this.script.shift();
    if (scripted !== undefined) return scripted;
    const told = this.consult?.(machine) ?? null;
    if (told !== null) return told;
    const real = this.#clouds
      .flatMap(({ sim, idOf }) => sim.core.allInstances().filter((i) => idOf(i) === machine.providerId))
      .at(0);
    if (real?.phase !== 'running' || real.modelFault === 'dead') return { failure: 'unreachable' };
    if (real.modelFault === 'cpu_only' && !this.#mended.has(real.id)) return { failure: 'cpu_only' };
    return 'proved';
  }

  restarted(machine: Machine | undefined): void {
    if (machine === undefined) return;
    if (this.restartMends) this.#mended.add(machine.providerId);
    this.onTouched(machine, 'restart');
  }

  rebooted(machine: Machine | undefined): void {
    if (machine === undefined) return;
    if (this.rebootMends) this.#mended.add(machine.providerId);
    this.onTouched(machine, 'reboot');
  }
}

/** The health loop of one instance on virtual time: asks for looks when they are due, as the workflow does, and judges what they see. */
import { judge, type HealthAction, type HealthObservation } from '../../domain/health/judge.ts';
import { nextLook, type NextLook } from '../../domain/health/looks.ts';
import { stateAfterCheck, type HealthSettings, type HealthState } from '../../domain/health/state.ts';
import type { FaultyMachine } from './faulty-machine.ts';

export const HEALTH_SETTINGS: HealthSettings = {
  sampleIntervalMs: 60_000,
  probeIdleMs: 120_000,
  probeTimeoutMs: 20_000,
  rented: true,
};

/** How long looks take. */
export interface LookTimes {
  readonly sampleMs: number;
  /** Until a look is taken for unanswered. */
  readonly silenceMs: number;
}

export class VirtualHealth {
  state: HealthState;
  readonly settings: HealthSettings;
  readonly actions: { readonly atMs: number; readonly action: HealthAction }[] = [];
  /** Every level it was at, with its fault, oldest first. */
  readonly levels: { readonly atMs: number; readonly level: string; readonly failure: string | null }[] = [];
  probes = 0;
  samples = 0;
  readonly #machine: FaultyMachine;
  readonly #times: LookTimes;
  #nowMs: number;

  constructor(
    machine: FaultyMachine,
    provedAtMs: number,
    settings: Partial<HealthSettings> = {},
    times: LookTimes = { sampleMs: 500, silenceMs: 15_000 },
  ) {
    this.settings = { ...HEALTH_SETTINGS, ...settings };
    this.#machine = machine;
    this.#times = times;
    this.#nowMs = provedAtMs;
    this.state = this.#stateAfterCheck(provedAtMs, null, false);
  }

  get dueMs(): number {
    return Math.max(this.#nowMs, nextLook(this.state, this.settings).atMs);
  }

  /** It passed its readiness check again. */
  passCheck(atMs: number, options: { readonly isSameMachine: boolean; readonly isRebooted: boolean }): void {
    this.#nowMs = atMs;
    this.state = this.#stateAfterCheck(atMs, options.isSameMachine ? this.state : null, options.isRebooted);
  }

  /** Not looked at until now. */
  skipTo(atMs: number): void {
    this.#nowMs = Math.max(this.#nowMs, atMs);
  }

  /** Looks at everything that is due until then. `onDue` is called before each look, with its time. */
  runUntil(endMs: number, onDue: (atMs: number) => void = () => undefined): void {
    while (this.dueMs < endMs) {
      onDue(this.dueMs);
      this.lookOnce();
    }
  }

  /** The look that is due next. */
  lookOnce(): void {
    const look = nextLook(this.state, this.settings);
    const askedAtMs = Math.max(this.#nowMs, look.atMs);
    const observation = this.#look(look, askedAtMs);
    this.#nowMs = observation.atMs;
    const judgement = judge(JSON.parse(JSON.stringify(this.state)) as HealthState, observation, this.settings);
    this.state = judgement.state;
    for (const action of judgement.actions) this.actions.push({ atMs: observation.atMs, action });
    if (judgement.isChanged) {
      this.levels.push({ atMs: observation.atMs, level: judgement.level, failure: judgement.failure });
    }
  }

  #look(look: NextLook, askedAtMs: number): HealthObservation {
    const machine = this.#machine;
    if (machine.isSilent) {
      const atMs = askedAtMs + this.#times.silenceMs;
      return { kind: 'missing', atMs, askedAtMs, message: 'no worker picked it up', gatewaySeenAtMs: null };
    }
    if (look.kind === 'sample') {
      this.samples++;
      const measurement = machine.measure(askedAtMs);
      return { kind: 'measured', atMs: askedAtMs + this.#times.sampleMs, askedAtMs, measurement };
    }
    this.probes++;
    const reading = machine.probe(askedAtMs, this.settings.probeTimeoutMs, look.model);
    return { kind: 'probed', atMs: reading.atMs, reading };
  }

  #stateAfterCheck(atMs: number, before: HealthState | null, isRebooted: boolean): HealthState {
    return stateAfterCheck({ atMs, before, isSameMachine: before !== null, isRebooted }, this.settings);
  }
}

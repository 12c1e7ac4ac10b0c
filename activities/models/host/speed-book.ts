/** Speeds of the models on one machine: what the readiness check measured, corrected by the answers since. */
import {
  type AnswerTimes,
  correctedSpeed,
  type MeasuredSpeed,
  newEstimate,
  type SpeedEstimate,
  withAnswer,
  withUnreadPrompt,
} from '../../../domain/models/speed.ts';

export class SpeedBook {
  readonly #estimates = new Map<string, SpeedEstimate>();

  /** Notes a measurement; what was learned before it no longer counts. */
  measured(model: string, speed: MeasuredSpeed): void {
    this.#estimates.set(model, newEstimate(speed));
  }

  /** Notes the times of an answer. Without a measurement they say nothing: the prompt may have come from the server's cache. */
  learned(model: string, answer: AnswerTimes): void {
    this.#change(model, (estimate) => withAnswer(estimate, answer));
  }

  /** Notes a prompt that was not read to its end in so much time. */
  unread(model: string, prompt: Parameters<typeof withUnreadPrompt>[1]): void {
    this.#change(model, (estimate) => withUnreadPrompt(estimate, prompt));
  }

  /** Null = not measured. */
  of(model: string): MeasuredSpeed | null {
    const estimate = this.#estimates.get(model);
    return estimate === undefined ? null : correctedSpeed(estimate);
  }

  #change(model: string, change: (estimate: SpeedEstimate) => SpeedEstimate): void {
    const estimate = this.#estimates.get(model);
    if (estimate !== undefined) this.#estimates.set(model, change(estimate));
  }
}

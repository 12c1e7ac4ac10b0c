/**
 * Activities on queue `gpu-text`: calls that read the assembled text of a deck.
 */
import type { ModelCallInput, ModelCallOutcome, ModelCallRunner } from '../models/run-call.ts';

export interface TextActivities {
  /** Keeps the sentences of one slide that must survive when the deck does not fit the model's window. */
  condenseSlide(input: ModelCallInput): Promise<ModelCallOutcome>;
  /** Offering, company name, funding or date. */
  extractValue(input: ModelCallInput): Promise<ModelCallOutcome>;
  classifySector(input: ModelCallInput): Promise<ModelCallOutcome>;
  answerQuestion(input: ModelCallInput): Promise<ModelCallOutcome>;
  scoreAnswer(input: ModelCallInput): Promise<ModelCallOutcome>;
  /** Clinical, regulatory or scientific reading. */
  analyseSpecialised(input: ModelCallInput): Promise<ModelCallOutcome>;
}

export const createTextActivities = (runner: ModelCallRunner): TextActivities => ({
  condenseSlide: (input) => runner.run(input),
  extractValue: (input) => runner.run(input),
  classifySector: (input) => runner.run(input),
  answerQuestion: (input) => runner.run(input),
  scoreAnswer: (input) => runner.run(input),
  analyseSpecialised: (input) => runner.run(input),
});

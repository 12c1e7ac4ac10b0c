/**
 * Activities on queue `gpu-visual`: calls that look at one slide's image.
 */
import type { ModelCallInput, ModelCallOutcome, ModelCallRunner } from '../models/run-call.ts';

export interface VisionActivities {
  /** Text, figures and charts of one slide. */
  describeSlide(input: ModelCallInput): Promise<ModelCallOutcome>;
  /** Ten-second comprehension check of one slide. */
  giveSlideFeedback(input: ModelCallInput): Promise<ModelCallOutcome>;
}

export const createVisionActivities = (runner: ModelCallRunner): VisionActivities => ({
  describeSlide: (input) => runner.run(input),
  giveSlideFeedback: (input) => runner.run(input),
});

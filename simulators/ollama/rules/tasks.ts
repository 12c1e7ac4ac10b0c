/** Which rule answers which task. The keys are the titles of the `format` schemas. */
import { describeSlide } from './describe-slide.ts';
import type { ReadPrompt } from './prompt.ts';

/** A rule: from the prompt as read to the value of the task's schema. Pure. */
export type TaskRule = (prompt: ReadPrompt) => unknown;

export const TASK_RULES: Readonly<Record<string, TaskRule>> = {
  describe_slide: describeSlide,
};

/** Labels that more than one counter has. */
import { STAGE_OF_TASK } from '../decks/replay/stages.ts';
import { parseOfferKey } from '../fleet/selection/offer.ts';
import { MODEL_TASKS, type ModelTask, type TaskType } from '../models/model-tasks.ts';

/** Which of the eleven task types a model task is done for. Condensing prepares the text that mostly the template's questions read. */
const TASK_TYPE_OF_TASK: Readonly<Record<ModelTask, TaskType>> = {
  describe_slide: 'visual_analysis',
  slide_feedback: 'slide_feedback',
  condense_slide: 'template_analysis',
  extract_offering: 'company_offering_extraction',
  extract_company_name: 'startup_name_extraction',
  extract_funding: 'funding_amount_extraction',
  extract_deck_date: 'deck_date_extraction',
  classify_sector: 'healthcare_classification',
  answer_question: 'template_analysis',
  score_answer: 'template_analysis',
  specialised_clinical: 'specialized_clinical',
  specialised_regulatory: 'specialized_regulatory',
  specialised_science: 'specialized_science',
};

const isTask = (name: string): name is ModelTask => Object.hasOwn(MODEL_TASKS, name);

/** Stage of a model task; `none` for a task that this version does not know. */
export const stageLabel = (task: string): string => (isTask(task) ? STAGE_OF_TASK[task] : 'none');

/** Labels of costs that were for this task; null = for no model call. */
export const costLabels = (task: string | null) => ({
  task: task ?? 'none',
  task_type: task !== null && isTask(task) ? TASK_TYPE_OF_TASK[task] : 'none',
});

/** Labels of an offer, from its key; `none` without one. */
export function offerLabels(offerKey: string | null) {
  if (offerKey === null) return { provider: 'none', location: 'none', type: 'none', market: 'none' };
  const { provider, location, instanceType: type, market } = parseOfferKey(offerKey);
  return { provider, location, type, market };
}

/** Label `gpu` of calls on a machine: its type, `static` for a server that was there already. */
export function gpuLabel(machine: { readonly provider: string; readonly offerKey: string | null } | null): string {
  if (machine === null) return 'unknown';
  if (machine.provider === 'static') return 'static';
  return machine.offerKey === null ? 'unknown' : parseOfferKey(machine.offerKey).instanceType;
}

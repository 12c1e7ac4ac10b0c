/** What a model call is about, in the line that the Temporal UI shows for it. */
import type { PlannedCall } from '../../activities/models/plan/plan-calls.ts';
import { assertNever } from '../../domain/errors.ts';

/** `slide 7 of 30`, `question 12 of 34 (market_size)`. */
export function callSubject(call: PlannedCall, pageCount: number): string {
  const slide = `slide ${call.slideNumber ?? '?'} of ${pageCount}`;
  const { place } = call;
  const question = place === undefined ? 'a question' : `question ${place.number} of ${place.of} (${place.slug})`;
  switch (call.task) {
    case 'describe_slide':
      return slide;
    case 'slide_feedback':
      return `feedback on ${slide}`;
    case 'condense_slide':
      return `condense ${slide}`;
    case 'extract_offering':
      return 'offering';
    case 'extract_company_name':
      return 'company name';
    case 'extract_funding':
      return 'funding';
    case 'extract_deck_date':
      return 'date of the deck';
    case 'classify_sector':
      return 'sector';
    case 'answer_question':
      return question;
    case 'score_answer':
      return `score of ${question}`;
    case 'specialised_clinical':
      return 'clinical reading';
    case 'specialised_regulatory':
      return 'regulatory reading';
    case 'specialised_science':
      return 'scientific reading';
    default:
      return assertNever(call.task);
  }
}

/** `slide 7 of 30 · gemma3:12b`. */
export const callSummary = (call: PlannedCall, pageCount: number): string =>
  `${callSubject(call, pageCount)} · ${call.modelName}`;

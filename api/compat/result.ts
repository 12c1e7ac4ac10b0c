/** The answer of the compatibility layer: the part of a report that belongs to one task type, and what answered. */
import type { AnalysisReport, Provenance } from '../../domain/decks/report.ts';
import { EXTRACTION_FIELDS, SPECIALISED_KINDS, type TaskType } from '../../domain/models/model-tasks.ts';
import { MODEL_TASKS, taskOfField, taskOfSpecialised } from '../../domain/models/model-tasks.ts';
import { documentOf } from '../http/definition.ts';
import { describedSlideSchema, judgedSlideSchema, type TaskAnswer, type TaskResult } from './schemas.ts';

/** What a task found, and where it comes from. */
interface Found {
  readonly result: TaskResult | null;
  readonly provenance: readonly (Provenance | null)[];
}

function visual({ slides }: AnalysisReport): Found {
  return {
    result: {
      slides: slides.map((slide) =>
        documentOf(describedSlideSchema, { ...slide, provenance: slide.descriptionProvenance }),
      ),
    },
    provenance: slides.map((slide) => slide.descriptionProvenance),
  };
}

function feedback({ slides }: AnalysisReport): Found {
  return {
    result: {
      slides: slides.map((slide) => documentOf(judgedSlideSchema, { ...slide, provenance: slide.feedbackProvenance })),
    },
    provenance: slides.map((slide) => slide.feedbackProvenance),
  };
}

const one = (result: (TaskResult & { readonly provenance: Provenance | null }) | undefined): Found => ({
  result: result ?? null,
  provenance: [result?.provenance ?? null],
});

function foundBy(task: TaskType, report: AnalysisReport): Found {
  switch (task) {
    case 'visual_analysis':
      return visual(report);
    case 'slide_feedback':
      return feedback(report);
    case 'healthcare_classification':
      return one(report.sector);
    case 'template_analysis': {
      const { template, overall, chapters } = report;
      const questions = chapters.flatMap((chapter) => chapter.questions);
      const provenance = questions.flatMap((question) => [question.answerProvenance, question.scoreProvenance]);
      return { result: { template, overall, chapters }, provenance };
    }
    case 'company_offering_extraction':
    case 'startup_name_extraction':
    case 'funding_amount_extraction':
    case 'deck_date_extraction': {
      const field = EXTRACTION_FIELDS.find((each) => MODEL_TASKS[taskOfField(each)].taskType === task);
      return one(report.extractions.find((value) => value.field === field));
    }
    case 'profile_extraction':
      return one(report.profile);
    case 'specialized_clinical':
    case 'specialized_regulatory':
    case 'specialized_science': {
      const kind = SPECIALISED_KINDS.find((each) => MODEL_TASKS[taskOfSpecialised(each)].taskType === task);
      return one(report.specialised.find((reading) => reading.kind === kind));
    }
  }
}

const MS_PER_SECOND = 1000;

/** Results with the same task, model and host together. */
function summed(all: readonly (Provenance | null)[]): TaskAnswer['provenance'] {
  const byPlace = new Map<string, TaskAnswer['provenance'][number]>();
  for (const each of all) {
    if (each === null) continue;
    const { task, model, modelDigest: digest, host } = each;
    const key = JSON.stringify([task, model, digest, host]);
    const before = byPlace.get(key) ?? { task, model, digest, host, calls: 0, seconds: 0 };
    const seconds = Math.round(before.seconds * MS_PER_SECOND + each.durationMs) / MS_PER_SECOND;
    byPlace.set(key, { ...before, calls: before.calls + 1, seconds });
  }
  return [...byPlace.values()];
}

/**
 * The answer to a task.
 *
 * @param report of an analysis of this task type, finished or not
 * @param isFinished whether its result is complete; else the answer has none
 * @param url where the same answer is later
 */
export function taskAnswer(
  task: TaskType,
  report: AnalysisReport,
  { isFinished, url }: { readonly isFinished: boolean; readonly url: string },
): TaskAnswer {
  const { result, provenance } = isFinished ? foundBy(task, report) : { result: null, provenance: [] };
  return {
    id: report.analysisId,
    task,
    status: report.status,
    deckId: report.deck.id,
    url,
    seconds: report.durationMs === null ? null : report.durationMs / MS_PER_SECOND,
    result,
    gaps: report.gaps,
    provenance: summed(provenance),
  };
}

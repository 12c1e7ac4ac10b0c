/** Slides of a report: every page of the deck, with what was found on it. */
import type { ReportSlide } from '../../../domain/decks/report.ts';
import { failureOf } from '../store.ts';
import { provenanceOf } from './parts.ts';
import type { ReportRows } from './rows.ts';

/** Path of a slide's image on the API. */
export const slideImagePath = (deckId: string, number: number): string =>
  `/api/v1/decks/${deckId}/slides/${number}/image`;

/** Pages in order; a page that nothing is known of yet is left out. */
export function buildSlides({ analysis, slides, invisible }: ReportRows): ReportSlide[] {
  const pages = new Map(slides.map((s) => [s.number, s]));
  const numbers = new Set([...pages.keys(), ...analysis.slideFindings.map((f) => f.slideNumber)]);
  return [...numbers]
    .toSorted((a, b) => a - b)
    .map((number) => {
      const page = pages.get(number) ?? null;
      const ofKind = (kind: string) => analysis.slideFindings.find((f) => f.slideNumber === number && f.kind === kind);
      const description = ofKind('description');
      const feedback = ofKind('feedback');
      const filled = (text: string | null | undefined): string | null =>
        text === undefined || text === '' ? null : text;
      return {
        number,
        title: filled(description?.title),
        summary: filled(description?.summary),
        legible: description?.legible ?? null,
        hasTextLayer: page?.hasTextLayer ?? false,
        page: page?.page ?? null,
        hasIssues: feedback?.hasIssues ?? null,
        feedback: filled(feedback?.feedback),
        figures: (description?.figures ?? []).map((f) => ({ kind: f.kind, description: f.description })),
        invisibleText: invisible.get(number)?.join('\n') ?? null,
        imageUrl: page === null || page.artefactBlobKey === null ? null : slideImagePath(analysis.deckId, number),
        failure: page === null ? null : failureOf(page),
        descriptionProvenance: provenanceOf(analysis, description?.modelResult),
        feedbackProvenance: provenanceOf(analysis, feedback?.modelResult),
      };
    });
}

/**
 * Chooses the template version for a deck, with the reason: the requested one, else the sector's, else the Seven-Chapter review as fallback.
 */

export const FALLBACK_TEMPLATE = 'seven_chapter_review';

export interface TemplateOption {
  readonly slug: string;
  readonly versionId: string;
  readonly version: number;
  readonly questionCount: number;
}

export interface TemplateChoiceInput {
  readonly requested: string | null;
  /** Null when classification failed or was not possible. */
  readonly sector: {
    readonly slug: string;
    readonly name: string;
    readonly templateSlug: string | null;
    readonly templateReason: string;
  } | null;
  /** Latest version of each template. */
  readonly templates: readonly TemplateOption[];
}

export interface TemplateChoice {
  readonly template: TemplateOption;
  readonly reason: string;
}

/** The choice; null when the requested template or the fallback cannot be used. */
export function chooseTemplate(input: TemplateChoiceInput): TemplateChoice | null {
  const bySlug = (slug: string | null): TemplateOption | undefined => input.templates.find((t) => t.slug === slug);
  const usable = (t: TemplateOption | undefined): t is TemplateOption => t !== undefined && t.questionCount > 0;

  if (input.requested !== null) {
    const asked = bySlug(input.requested);
    return usable(asked) ? { template: asked, reason: 'chosen by the person who started the analysis' } : null;
  }
  const fallback = bySlug(FALLBACK_TEMPLATE);
  if (!usable(fallback)) return null;
  if (input.sector === null) return { template: fallback, reason: 'fallback: the sector of this deck is not known' };
  const own = bySlug(input.sector.templateSlug);
  if (input.sector.templateSlug === null)
    return { template: fallback, reason: `fallback: no template is set for sector ${input.sector.name}` };
  if (!usable(own))
    return { template: fallback, reason: `fallback: the template of sector ${input.sector.name} has no questions` };
  return { template: own, reason: `sector ${input.sector.name}: ${input.sector.templateReason}` };
}

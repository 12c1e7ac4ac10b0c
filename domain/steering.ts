/**
 * Finds words on a slide that address a model instead of an investor: attempts to steer the score. They are reported as a finding; the
 * fences around deck text keep them from being instructions.
 */

const PATTERNS: readonly RegExp[] = [
  /\b(?:ignore|disregard|forget|override)\b[^.\n]{0,40}\b(?:previous|prior|above|earlier|all|any|your|the)\b[^.\n]{0,30}\b(?:instructions?|prompts?|rules?|guidelines?|criteria)\b/iu,
  /\b(?:ignorier\p{L}*|vergiss|missachte\p{L}*)\b[^.\n]{0,50}\b(?:anweisung\p{L}*|instruktion\p{L}*|regel\p{L}*|vorgaben?|prompts?)\b/iu,
  /\b(?:give|assign|award|rate|score|grade)\b[^.\n]{0,50}\b(?:(?:highest|maximum|top|full|perfect)\s+(?:possible\s+)?(?:score|rating|marks?|points?|grade)|(?:score|rating)\s+of\s+(?:7|seven)|7\s*(?:\/|out of|of)\s*7)\b/iu,
  /\b(?:gib|vergib|bewerte\p{L}*)\b[^.\n]{0,50}\b(?:höchste\p{L}*|maximale\p{L}*|volle)\s+(?:punktzahl|bewertung|punkte|note)\b/iu,
  /\b(?:system|developer)\s+(?:prompt|message|instruction)s?\b/iu,
  /\b(?:as|you are|act as|du bist)\b[^.\n]{0,20}\b(?:an?|ein\p{L}*)\s+(?:ai|llm|language model|large language model|assistant|ki|sprachmodell)\b/iu,
  /\b(?:note|message|instructions?|hinweis)\s+(?:to|for|an|für)\s+(?:the\s+|die\s+|das\s+)?(?:ai|llm|model|reviewer model|assistant|ki|sprachmodell)\b/iu,
];

/** The lines of a slide that try to steer a model, verbatim, at most five. */
export function findSteering(slideText: string): string[] {
  const lines = slideText.normalize('NFKC').split('\n');
  const found: string[] = [];
  for (let i = 0; i < lines.length && found.length < 5; i++) {
    // A sentence may wrap: each line is tried alone and together with the next.
    const line = (lines[i] ?? '').trim();
    const wrapped = `${line} ${(lines[i + 1] ?? '').trim()}`.trim();
    if (PATTERNS.some((p) => p.test(line))) found.push(line.slice(0, 300));
    else if (lines[i + 1] !== undefined && PATTERNS.some((p) => p.test(wrapped) && !p.test(lines[i + 1] ?? ''))) {
      found.push(wrapped.slice(0, 300));
    }
  }
  return found;
}

/**
 * The content key of a model call: a stored result with the same key is used instead of a new call.
 */
import type { Language, ModelTask } from './model-tasks.ts';

export interface ContentKeyParts {
  readonly tenantId: string;
  readonly task: ModelTask;
  /** SHA-256 of the user message (page text, or the assembled text). */
  readonly userSha256: string;
  /** SHA-256 of the image the model sees; null for text calls. */
  readonly imageSha256: string | null;
  readonly modelDigest: string;
  readonly promptVersion: number;
  /** SHA-256 of the output schema: another shape is another result. */
  readonly schemaSha256: string;
  readonly language: Language;
  /** Base options, not those a retry raised. */
  readonly numCtx: number;
  readonly numPredict: number;
  readonly temperature: number;
  readonly topP: number;
  /** Set for what is computed anew although a result is stored: the replay that began it. Absent or null leaves the key as it always was. */
  readonly edition?: string | null;
}

/** The exact string whose SHA-256 is the content key; fields in fixed order, unambiguous by JSON quoting. */
export function contentKeyMaterial(p: ContentKeyParts): string {
  return JSON.stringify([
    'deckhand-content-key-1',
    p.tenantId,
    p.task,
    p.userSha256,
    p.imageSha256,
    p.modelDigest,
    p.promptVersion,
    p.schemaSha256,
    p.language,
    p.numCtx,
    p.numPredict,
    p.temperature,
    p.topP,
    ...(p.edition === undefined || p.edition === null ? [] : [p.edition]),
  ]);
}

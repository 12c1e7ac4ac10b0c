/** What `deckhand replay` ends with. */
import type { ReplayBatch } from '../../api/client.ts';
import { ERROR_KINDS, isErrorCode } from '../../domain/errors.ts';

/** Exit code of an error by its code; one that is not known counts as internal. */
export const exitCodeOfError = (code: string | undefined): number =>
  ERROR_KINDS[isErrorCode(code) ? code : 'internal'].exitCode;

/** 0 unless an analysis was refused: whoever asked for all of them has to hear that one is missing. */
export const exitCodeOfBatch = ({ items }: ReplayBatch): number =>
  Math.max(0, ...items.flatMap(({ refusal }) => (refusal === null ? [] : [exitCodeOfError(refusal.code)])));

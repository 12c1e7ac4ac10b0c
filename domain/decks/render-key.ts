/**
 * Key of the render parameters. Rendered pages are stored by deck and this key, so that pages of other parameters are not used.
 */
import { ARTEFACT_WIDTH_PX, JPEG_QUALITY, MODEL_WIDTH_PX } from './pdf.ts';

/** Raise when the way pages are drawn or their text is read changes without the sizes changing. */
const DRAWING_VERSION = 1;

export const RENDER_KEY = `v${DRAWING_VERSION}-${ARTEFACT_WIDTH_PX}-${MODEL_WIDTH_PX}-q${JPEG_QUALITY}`;

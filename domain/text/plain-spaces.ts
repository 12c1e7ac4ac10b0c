/** A text for documents: the Temporal UI alone needs its spaces unbroken. */
export const plainSpaces = (text: string): string => text.replaceAll('\u00A0', ' ');

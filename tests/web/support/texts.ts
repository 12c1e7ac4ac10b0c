/** The texts of elements, as they are read. */
export const textsOf = (elements: readonly Element[]): string[] => elements.map(({ textContent }) => textContent);

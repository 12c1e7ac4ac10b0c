/**
 * A text in lower case in which every character keeps its place: a letter whose small form has another length, such as İ, stays as it is.
 */
export const lowerCase = (text: string): string =>
  text.replaceAll(/\p{Lu}/gu, (letter) => {
    const lower = letter.toLowerCase();
    return lower.length === letter.length ? lower : letter;
  });

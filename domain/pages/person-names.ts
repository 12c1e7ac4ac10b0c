/** Names of people, as they stand over roles. */

/** Titles and two to five words with capitals. */
const NAME =
  /^(?:(?:Dr|Prof|Dipl|Ing|Mag|PD|em|med|rer|nat|pol|phil|jur|oec|habil)\.[\p{L}-]*\.?\s)*\p{Lu}[\p{L}.'’-]*(?:\s(?:\p{Lu}[\p{L}.'’-]*|von|van|de|der|zu)){1,4}$/u;
/** Headings of two words with capitals begin with these. */
const ARTICLE =
  /^(?:the|our|your|an?|no|why|how|what|main|key|das|die|der|ein|eine|unsere?|ihre?|kein|warum|wie|was)\s/iu;

/** True for words that can be the name of a person; other headings in title case can be as well. */
export const isPersonName = (text: string): boolean => NAME.test(text) && !ARTICLE.test(text);

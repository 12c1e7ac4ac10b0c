/**
 * Tells a template from a deck. A template says what an author should write: "Describe your venture's advantage", "[Company name]". Nothing in
 * it is a statement of a company, so no question is answered and no value read from it.
 */
import { oncePerDeck } from './once-per-deck.ts';
import type { ReadPrompt, ReadSlide } from './prompt.ts';
import { isWorded } from './subjects.ts';
import { anyOf, has } from './words.ts';

/** What an author has, and a customer has not. A product may well be for "your team" or "your business". */
const AUTHORS =
  '(?:venture|startup|start-up|pitch|deck|elevator|tagline|slides?|investors?|founders?|competitors?|target (?:market|customers?|audience)|go-to-market|business model|market size|value proposition|competitive advantage|milestones|traction|ask|round|valuation|exit strategy|mission statement|use of funds|funds)';
/** Words to the author of a deck. */
const TO_AUTHOR = anyOf(
  `your (?:\\p{L}+ )?${AUTHORS}(?:['’]s)?`,
  'how (?:do |will |are |would )?you (?:going to )?(?:make money|earn|sell|acquire|monetise|monetize|scale|reach your|plan to|execute|differ)',
  '(?:are|do) you (?:sell|selling|raising|solving|targeting|need to raise)|capital (?:will|do) you need|you (?:need|want|should|have) to (?:convey|explain|show|convince|present|tell|demonstrate|state)|you (?:cater to|are pitching|will be (?:allotted|presenting))',
  'what is the (?:pain ?point|problem|price|solution|size|team|ask)|who has (?:it|the problem)|how do people solve|which role is missing|name the source|(?:one|a) (?:real )?(?:story|line) of (?:a|your|background)|tip: \\p{L}+',
  '(?:describe|outline|define|explain|demonstrate|summari[sz]e|highlight|list|state|introduce) (?:\\p{L}+ ){0,4}your(?:self)?|one sentence that (?:describes|explains|says)',
  '(?:ihr|euer|dein)(?:e|en|em|er|es)? (?:start-?up|pitch|deck|gründungsteam|geschäftsmodell|wettbewerber|zielgruppe|wertversprechen|kapitalbedarf|alleinstellungsmerkmal|meilensteine|investoren)',
  '(?:beschreiben|erklären|erläutern|nennen|zeigen|skizzieren|definieren) sie|(?:beschreibe|erkläre|erläutere|nenne|skizziere|definiere) (?:\\p{L}+ ){0,3}(?:dein|euer)\\p{L}*',
);
/** Words that stand where an author's own belong. */
const PLACEHOLDER =
  /lorem ipsum|[[<{](?:your |ihr |insert |enter )?(?:company|start-?up|product|presenter|founder|firmen?|name|logo|tagline|date|title|datum|titel)[\p{L} ]*[\]>}]|(?<!\p{L})(?:(?:insert|add|place|put) (?:your|text|logo|image|picture)|click to (?:add|edit)|your (?:logo|tagline|company name|text|title) here|text (?:hier )?einfügen|platzhalter|replace with your|first (?:name )?last name|vorname nachname|your ?company\.\w+|yourname|month year|dd\/mm\/yyyy|(?:goes|comes) here|[$€£] ?_{2,}|__+ ?%|insert (?:a |an |the )?(?:\p{L}+ or )?(?:\p{L}+ )?(?:matrix|table|chart|graph|screenshot|photo|picture|image|logo|text|title|name)|name, role|step \d+: ?(?:…|\.{3})|[$€£] ?(?:x{1,3} ?(?:[kmb]n?)?|0{2,3})(?![\p{L}\d.,])|(?<!\d)00 ?%)(?!\p{L})/iu;
/** A name for a value in brackets, with capitals as a title has them: "[Milestone]", "[Step 1]"; a blackened word is in capitals throughout. */
const FIELD = /\[\p{Lu}\p{Ll}+(?: \p{L}+){0,3}(?: \d)?\]/u;
/** A company speaks of itself. */
const OURSELVES = anyOf('we|our|ours|us|wir|uns|unser\\p{L}*');

/** So many of the slides are for the author in a template. */
const LEAST_SHARE = 0.4;
const LEAST_SLIDES = 3;

/** True for a deck of which four slides in ten tell an author what to write, and fewer speak of "us". */
export const isTemplate: (prompt: ReadPrompt) => boolean = oncePerDeck((prompt) => {
  const slides = prompt.slides.filter((slide) => slide.units.some(isWorded));
  const instructing = slides.filter(({ text }) => has(text, TO_AUTHOR) || has(text, PLACEHOLDER) || FIELD.test(text));
  const isEnough = instructing.length >= Math.max(LEAST_SLIDES, slides.length * LEAST_SHARE);
  return isEnough && slides.filter(speaksOfItself).length < instructing.length;
});

const speaksOfItself = (slide: ReadSlide): boolean => has(slide.text, OURSELVES);

/** Words by which the sentence on the offering is told from others, in English and German. */
import { phrases } from './phrases.ts';

/** What is offered. */
export const PRODUCT = phrases('product');

/** What it does. */
export const ACTS = phrases('acts');
export const AUDIENCE =
  /(?<!\p{L})(?:for|to help|für|helps?|helping|enables?|allows?|lets?|connect(?:s|ing)?|zwischen|between)\s+\p{L}/iu;

/** Says by itself that an offering follows. */
export const DEFINES = phrases('defines an offering');
export const ABOUT_SOLUTION = phrases('about solution');
export const ABOUT_PROBLEMS = phrases('about problems');
export const ABOUT_OTHERS = phrases('about others');
/** Words of other things that decks tell. */
export const NOT_OFFERING = phrases('not offering');
export const PERSON = phrases('person in the offering');
/** A label before what is offered: "What we sell: …". */
export const OFFERS =
  /^(?:what we (?:sell|offer|do|build|make|provide)|(?:our |the )?(?:offer(?:ing)?|product|solution|service|idea)|in (?:one|a) sentence|was wir (?:verkaufen|anbieten|bieten|tun|machen|bauen|entwickeln)|(?:unser |das )?(?:angebot|produkt)|(?:unsere |die )?(?:lösung|idee)|in einem satz)\s*(?::|[–—-]\s)\s*/iu;
/** A heading of a slide before what it says. */
export const LEAD = new RegExp(
  String.raw`${OFFERS.source}|^(?:(?:our|the|unsere?|die) )?(?:mission|vision|mvp)\s*(?::|[–—-]\s)\s*`,
  'iu',
);
/** The company says what it makes, or what its product is. */
export const MAKES =
  /^(?:we (?:are |have )?(?:build|building|built|offer|provide|develop|developing|developed|make|sell|created?|are)|our (?:\p{L}+ )?(?:product|solution|platform|app|service|device|system) is|wir (?:bauen|bieten|entwickeln|liefern|verkaufen|machen)|unser[es]? (?:\p{L}+ )?(?:produkt|lösung|plattform|app|gerät|dienst|system) ist) (?:an?|the first|eine?n?|die erste|das erste) /iu;
/** What a product does in one step of its use; the product itself is named elsewhere. */
export const ANAPHORA =
  /^(?:the|der|die|das|our|unsere?) (?!first|only|world|next|erste|einzige)(?:[\p{L}-]+ )?(?:product|platform|software|app|device|patch|system|tool|robot|sensor|test|kit|model|algorithm|engine|ai|service|plattform|anwendung|gerät|pflaster|werkzeug|roboter|schnelltest|modell|algorithmus|ki|dienst) (?!is |ist |for |für |that |to |with |mit |in |of |by |and |und )\p{Ll}+/iu;
/** Headings over the steps in which a product is used. */
export const STEPS = phrases('steps');
/** Ends in the middle of a sentence. */
export const CUT_OFF =
  /(?<!\p{L})(?:a|an|the|to|of|and|or|for|with|by|in|into|on|at|from|without|between|than|as|that|which|who|our|your|their|its|is|are|can|der|die|das|den|dem|des|und|oder|für|mit|ohne|von|vom|zu|zum|zur|nach|bei|beim|aus|auf|über|unter|gegen|durch|zwischen|vor|im|in|am|ein|eine|einen|einem|einer|eines|als|dass|ist|sind)$|[,&(/–—-]$/iu;
export const NEGATION = phrases('negation');
/** Goes on with a story, or tells of somebody. */
export const NARRATIVE =
  /^(?:but|however|because|so|and|or|she|he|they|it (?:took|takes)|in (?:her|his|their)|imagine|while|although|despite|unlike|if|when|describe|explain|list|include|outline|define|insert|tell|beschreib\p{L}*|erklär\p{L}*|aber|doch|weil|und|oder|sie|er|man|obwohl|wenn|stell)(?!\p{L})/iu;
export const BOILERPLATE =
  /forward-looking|[|·–-] ?(?:an? )?spin-?off (?:of|from)|not for (?:clinical|commercial|diagnostic|human) use|this (?:presentation|document|deck)|representations? (?:or|and) warrant|(?:no|any|makes? no) (?:\p{L}+ )?warrant|solicitation|lorem ipsum|all rights reserved|click|copyright|©|diese präsentation|haftung|(?:built|made|created|developed) (?:in|at|during|within) (?:\d+ hours|the \p{L}+ hackathon)|hackathon|demo day|pitch competition/iu;

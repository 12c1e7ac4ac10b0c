/** Words by which the sentence on the offering is told from others, in English and German. */
import { anyOf } from './words.ts';

/** What is offered. */
export const PRODUCT = anyOf(
  'ai|platforms?|software|apps?|applications?|patch|patches|devices?|marketplaces?|services?|systems?|tools?|solutions?|tests?|sensors?|robots?|networks?|programs?|programmes?|librar(?:y|ies)|therap(?:y|ies|eutics?)|drugs?|vaccines?|assays?|implants?|wearables?|assistants?|copilots?|engines?|models?|algorithms?|apis?|sdk|hardware|machines?|materials?|kits?|clinics?|subscriptions?|infrastructure|dashboards?|suite|saas|molecules?|antibod(?:y|ies)|compounds?|treatments?|scanners?|monitors?|monitoring|analytics|batter(?:y|ies)|bikes?|drones?|coach(?:ing)?|training|courses?|exchange|bank|insurance|card|wallet|operating system|scheduling|matching|chatbots?|agents?|toolkit|catheters?|inhalers?|pumps?|supplements?|products?|website|web ?site|portal|game|community|consultancy|agency|advisory|codec|protocol|imaging|extension|plugin|bot|layer|ecosystem|store|shop|tracker|wristband|headset|headband|bracelet|glasses|camera|vehicles?|fuel|feed|drink|food|kitchen|clothing|social network',
  'ki|[\\p{L}-]*(?:plattform|plattformen|anwendung|gerät|geräte|marktplatz|dienst|dienste|dienstleistung|werkzeug|lösung|lösungen|schnelltest|roboter|netzwerk|programm|programme|therapie|therapien|wirkstoff|wirkstoffe|impfstoff|implantat|assistent|assistenz|modell|algorithmus|sensorik|sensor|system|systeme|software|app|apps|test|tests|pflaster|verfahren|maschine|maschinen|anlage|anlagen|material|speicher|batterie|produkt|produkte|sprechstunde|überwachung|begleiter|pumpe|kapsel|matratze|bett|drohne|baukasten|abo|shop|portal|cloud|messgerät|kur|training|kurs|beratung|webseite|website|armband|kamera|spiel)',
);

/** What it does. */
export const ACTS = anyOf(
  'that|which|lets?|letting|helps?|helping|enables?|enabling|allows?|allowing|detects?|automat(?:es?|ing)|predicts?|reduc(?:es?|ing)|cuts?|connect(?:s|ing)?|finds?|treats?|measures?|monitors?|turn(?:s|ing)|replac(?:es?|ing)|makes?|making|deliver(?:s|ing)?|saves?|saving|brings?|bringing|match(?:es|ing)|plans?|prevents?|supports?|supporting|guides?|analy[sz](?:es|ing)|gives?|giving|shows?|tells|empower(?:s|ing)?|improv(?:es?|ing)|creat(?:es?|ing)|provid(?:es?|ing)|offer(?:s|ing)?|build(?:s|ing)?|summari[sz](?:es?|ing)|simplif(?:y|ies|ying)|transform(?:s|ing)?|handles?|combin(?:es?|ing)|identif(?:y|ies)|reads?|reading|rent|book|verif(?:y|ies)|track(?:s|ing)?|optimi[sz](?:es?|ing)|introduces?|where|generat(?:es?|ing)|manag(?:es?|ing)|accelerat(?:es?|ing)',
  'damit|ermöglicht|erkennt|hilft|automatisiert|verbindet|findet|misst|überwacht|ersetzt|senkt|spart|macht|bringt|behandelt|unterstützt|begleitet|plant|verhindert|lindert|vermittelt|reduziert|verkürzt|führt|zeigt|die|mit|können|zum|zur|bietet|liefert|analysiert|vereinfacht|erstellt|prüft',
);
export const AUDIENCE =
  /(?<!\p{L})(?:for|to help|für|helps?|helping|enables?|allows?|lets?|connect(?:s|ing)?|zwischen|between)\s+\p{L}/iu;

/** Says by itself that an offering follows. */
export const DEFINES = anyOf(
  'we (?:build|offer|provide|develop|make|sell|are building|are developing|have built|have developed|have created|created?|empower|help|enable|connect|deliver|bring|automate|turn|combine|are an?|let|give|propose|introduce)|our (?:\\p{L}+ )?(?:product|solution|platform|software|app|device|service|technology|system|marketplace|mission is to)|this (?:platform|app|product|solution|system)|introducing',
  'wir (?:bauen|bieten|entwickeln|liefern|verkaufen|machen|haben|ermöglichen|helfen|verbinden|unterstützen)|unser[es]? (?:\\p{L}+ )?(?:produkt|lösung|plattform|software|app|gerät|dienst|technologie|system)',
);
export const ABOUT_SOLUTION = anyOf(
  'solutions?|products?|what we (?:do|build|offer|are)|how it works|our (?:approach|platform|technology|answer|idea)|meet|introducing|about(?: us)?|offering|idea|what is|executive summary|value proposition|the app|in one sentence|at a glance|concept',
  'lösung\\p{L}*|produkt\\p{L}*|was wir (?:tun|machen|bieten)|was ist|so funktioniert(?: es)?|wie es funktioniert|unser (?:ansatz|produkt|angebot)|unsere (?:lösung|plattform|antwort|technologie|idee)|über uns|angebot|(?:die )?idee|(?:die )?umsetzung|konzept|zusammenfassung|in einem satz|auf einen blick|vorstellung',
);
export const ABOUT_PROBLEMS = anyOf(
  'problems?|challenges?|pain(?: points?)?|why now|status quo|background|current (?:situation|state)|the gap|issues?|today',
  'problem\\p{L}*|herausforderung\\p{L}*|ausgangslage|hintergrund|heute|status quo|motivation',
);
export const ABOUT_OTHERS = anyOf(
  'market(?: \\p{L}+)?|team|founders?|competition|competitors?|competitive \\p{L}+|landscape|alternatives|ask|funding|finance|financials?|roadmap|traction|use of funds|risks?|contact|business (?:model|plan)|pricing|milestones|customers?|evidence|references?|testimonials?|go[- ]to[- ]market|timeline|advisors?|partners?|appendix|sources?|next steps|future|revenue \\p{L}+|projections?|thank you|disclaimer',
  'markt\\p{L}*|wettbewerb\\p{L}*|konkurrenz\\p{L}*|mitbewerber|finanz\\p{L}*|mittelverwendung|risiken|kontakt|geschäftsmodell|meilensteine|kunden|evidenz|studie\\p{L}*|gründer\\p{L}*|zukunft\\p{L}*|ausblick|quellen|danke|fahrplan',
);
/** Words of other things that decks tell. */
export const NOT_OFFERING = anyOf(
  'spin-?off (?:of|from)|(?:funded|supported|incubated) by|wait ?list|we are raising|competing|no other|raised|founded|occasion|revenue|market (?:size|grows|share)|competitors?|million (?:people|patients)|billion|growing|customers pay|runway|confidential|presentation|investors?|suffer|suffers|struggle|lose|loses|waste|wasted|currently|unfortunately|nobody|no one|hiring|quote|said|survey|source|lack|lacks|problem|challenges?|difficult|our (?:team|vision|goal|traction)|we believe|founder|imagine|thank|agenda|join us|roadmap|pilot|instead of|expensive|slide|will|would|could|mission|should|your (?:company|pitch|deck|product|idea|business|investors?|slides?|team)|should|describe|explain|demonstrate',
  'ausgründung|gefördert (?:durch|von|vom)|umsatz|gegründet|kapitalbedarf|wettbewerber|leiden|vertraulich|präsentation|investoren|derzeit|leider|niemand|verlieren|verschwenden|quelle|umfrage|wir suchen|heute noch|bislang|bisher|problem\\p{L}*|fehlt|künftigen|danke|unser (?:team|ziel)|pilot\\p{L}*',
);
export const PERSON = anyOf(
  'ceo|cto|coo|cfo|cmo|head of|co-?founder|gründer\\p{L}*|geschäftsführer\\p{L}*|prof|dr|years? (?:at|of|in)|jahre|presented by|submitted by',
);
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
export const STEPS = anyOf('how (?:it|this) works', 'so funktioniert(?: es)?|wie es funktioniert|ablauf');
/** Ends in the middle of a sentence. */
export const CUT_OFF =
  /(?<!\p{L})(?:a|an|the|to|of|and|or|for|with|by|in|into|on|at|from|without|between|than|as|that|which|who|our|your|their|its|is|are|can|der|die|das|den|dem|des|und|oder|für|mit|ohne|von|vom|zu|zum|zur|nach|bei|beim|aus|auf|über|unter|gegen|durch|zwischen|vor|im|in|am|ein|eine|einen|einem|einer|eines|als|dass|ist|sind)$|[,&(/–—-]$/iu;
export const NEGATION = anyOf('no|not|never|rarely|hardly|without|cannot|kein\\p{L}*|nicht|nie|ohne');
/** Goes on with a story, or tells of somebody. */
export const NARRATIVE =
  /^(?:but|however|because|so|and|or|she|he|they|it (?:took|takes)|in (?:her|his|their)|imagine|while|although|despite|unlike|if|when|describe|explain|list|include|outline|define|insert|tell|beschreib\p{L}*|erklär\p{L}*|aber|doch|weil|und|oder|sie|er|man|obwohl|wenn|stell)(?!\p{L})/iu;
export const BOILERPLATE =
  /forward-looking|[|·–-] ?(?:an? )?spin-?off (?:of|from)|not for (?:clinical|commercial|diagnostic|human) use|this (?:presentation|document|deck)|representations? (?:or|and) warrant|(?:no|any|makes? no) (?:\p{L}+ )?warrant|solicitation|lorem ipsum|all rights reserved|click|copyright|©|diese präsentation|haftung|(?:built|made|created|developed) (?:in|at|during|within) (?:\d+ hours|the \p{L}+ hackathon)|hackathon|demo day|pitch competition/iu;

/**
 * The words of which attempts to steer a score are made, in English, German, French and Spanish, as sources of regular expressions. Written
 * for text in its readable form: lower case, no accents.
 */

export const anyOf = (...alternatives: readonly string[]): string => `(?:${alternatives.join('|')})`;
export const words = (...alternatives: readonly string[]): string => `\\b${anyOf(...alternatives)}\\b`;

/** Machines that read: names of models, and anything that judges by itself. */
export const MACHINE = words(
  // Programs that describe pictures add a sentence such as "AI-generated content may be incorrect".
  "(?<!j')ais?(?!-generated)",
  'llms?',
  'gpts?',
  'chat ?gpt',
  'chat ?bots?',
  '(?:large )?language models?',
  '(?:ai|automat(?:ed|ic)|machine|grading|scoring|reviewing|reviewer)[ -](?:models?|agents?|reviewers?|assistants?|systems?|graders?|evaluators?|readers?|tools?|judges?)',
  'kis?(?!-)',
  'ki-(?!generier)\\w+',
  'kunstliche intelligenz',
  '(?:grosse[sn]? )?sprachmodelle?n?',
  '(?:automatische|maschinelle)\\w* (?:prufe|gutachte|bewerte|leser|auswert|bewertung)\\w*',
  "(?<!(?:generee?s? par|generad[oa]s? por) (?:l'|la )?)(?:l')?ia",
  "(?:l')?intelligence artificielle",
  'modeles? de langage',
  '(?:evaluateur|correcteur|lecteur|systeme)s? automati\\w+',
  'inteligencia artificial',
  'modelos? de lenguaje',
  '(?:evaluador|corrector|lector|sistema)(?:es)? automatic\\w+',
);
/** A reader in a role; a machine only where it is addressed. */
export const READER = anyOf(
  MACHINE,
  words('models?', 'assistants?', 'modell', 'assistent\\w*', 'modele', 'modelo', 'asistente'),
);
export const THIS_DECK = anyOf(
  words(
    '(?:this|these|our|the) (?:pitch |slide )?(?:decks?|slides?|documents?|pitch(?:es)?|pages?|text|files?|presentations?|submission|company|startup|venture)',
    'dies\\w* (?:prasentation|folien?|dokument\\w*|datei\\w*|seiten?|deck|text|unternehmen)',
    '(?:ce|cet|cette|ces) (?:document|presentation|fichier|page|texte|dossier|diapositive)s?',
    'est[aeo]s? (?:documento|presentacion|archivo|pagina|texto|diapositiva)(?:es|s)?',
  ),
  '\\b(?:this|dies|das hier|dies hier|ceci|cela|esto)(?=\\s*(?:[,:.;!)]|$))',
);
export const READS = words(
  '(?:read|review|evaluat|assess|analy[sz]|scor|grad|process|summari[sz]|judg|pars)\\w*',
  '(?:lies|gelesen|auswert|auszuwert|bewert|analysier|pruf|zusammenfass|verarbeit)\\w*',
  '(?:lit|lis|lisez|lisent|lire|analys\\w*|evalu\\w*|trait(?:e|es|ez|ent)|resum\\w*)',
  '(?:lee|lees|lea|leer|leyendo|analiz\\w*|proces\\w*)',
);

/** What a model was told, or what it judges by. */
export const INSTRUCTIONS = words(
  'instructions?',
  'prompts?',
  'guidelines?',
  'criteri(?:a|on)',
  'rubrics?',
  'directions',
  'directives?',
  'told',
  'asked',
  'anweisung\\w*',
  'instruktion\\w*',
  'vorgaben?',
  '(?:bewertungs|prufungs)?kriterien',
  'bewertungs\\w+',
  'consignes?',
  'criteres?',
  "grille (?:d'evaluation|de notation)",
  'instruccion(?:es)?',
  'indicaciones',
  'directrices',
  'criterios?',
  'ordenes',
);
/** Rules of anything are spoken of; rules are a model's where they are all or the ones before. */
export const RULES = `${words('all', 'any', 'your', 'previous', 'prior', 'above', 'earlier', 'these', 'alle', 'deine', 'ihre', 'bisherigen', 'obigen', 'vos', 'tes', 'ces', 'toutes', 'tus', 'sus', 'todas')} (?:\\w+ ){0,2}${words('rules?', 'regeln?', 'regles?', 'reglas?')}`;
/** Orders not to follow something. In German, French and Spanish the form of the verb says that it is an order. */
export const CANCEL = words(
  'ignor(?:es|er|ez|a|ad|ar|en|ons)',
  'ignore (?:les|tes|vos|ces|toutes?|tous|las|los|tus|sus)',
  'ignorier\\w*',
  '(?:ignore|disregard|forget|override|bypass|skip|set aside|pay no attention to)(?= (?:all|any|every|the|your|our|my|this|th[oe]se|previous|prior|earlier|above|other|system|what)\\w*)',
  "(?:do not|don't|never|no longer|not) (?:follow|obey|apply|use|evaluate|grade|judge|score|rate)",
  'vergiss',
  'vergesst',
  'missacht\\w*',
  'ubergeh\\w*',
  'beacht\\w* nicht',
  'oubli(?:e|es|er|ez)',
  'ne (?:tiens|tenez|tenir) (?:pas |aucun |plus )?(?:pas )?compte',
  '(?:fais|faites) abstraction',
  'ne (?:suis|suivez|respecte|respectez|applique|appliquez)(?: pas| plus)?',
  'olvid(?:a|ad|ar|e|en)',
  'omit(?:e|ir|a|an)',
  'descart(?:a|ar|e|en)',
  'no (?:sigas?|siga|apliques?|aplique|tengas? en cuenta|tenga en cuenta|uses?)',
);
/** What judges a deck, and that it does not count any more. */
export const JUDGED_BY = words(
  'instructions?',
  'prompts?',
  'rubrics?',
  '(?:grading|scoring|evaluation|assessment) (?:rules?|criteria|guidelines?|rubrics?)',
  'anweisung\\w*',
  '(?:bewertungs|prufungs)(?:kriterien|regeln|vorgaben|raster|schema)',
  'consignes?',
  'instruccion(?:es)?',
  "(?:criteres|grille) d'evaluation",
  'criterios de evaluacion',
);
export const VOID = words(
  'no longer (?:appl(?:y|ies)|valid|counts?)',
  '(?:does|do) not apply',
  '(?:are|is|has been|have been) (?:void|cancell?ed|revoked|superseded|replaced|suspended)',
  '(?:gilt|gelten|zahlt|zahlen) (?:\\w+ )?(?:nicht|nicht mehr|nicht langer)',
  'aufgehoben',
  'ungultig',
  'ausser kraft',
  "(?:ne s'appliquent?|ne valent?|ne sont) (?:pas|plus)",
  'annule\\w*',
  'caduc\\w*',
  'anulad\\w*',
  'no (?:se aplican?|valen?)',
  'sin efecto',
);

/** An order in English: at the begin of a clause, or after a word that asks or demands. */
const ORDER_EN = (...verbs: readonly string[]): string =>
  `(?:^|[.:;,!?)"'–—-] ?|\\b(?:please|kindly|must|should|shall|and|then|or|always|simply|just|only|now|by|you to|be|also) )${anyOf(...verbs)}\\b`;
/** Orders to give a score or an answer. */
export const DO = anyOf(
  ORDER_EN(
    'giv(?:e|en|ing)',
    'assign(?:ed)?',
    'award(?:ed)?',
    'rat(?:e|ed|ing)',
    'scor(?:e|ed|ing)',
    'grad(?:e|ed)',
    'mark(?:ed)?',
    'return(?:ed)?',
    'output',
    'choose',
    'select',
    'set',
    'use',
    'enter',
    'writ(?:e|ing)',
    'report',
    'conclude',
    'finish',
    'answer',
    'respond',
    'reply',
    'record',
    'put',
    'receive',
    'get',
    'say',
    'state',
  ),
  words(
    'gib',
    'gebt',
    'geben sie',
    'ver(?:gib|gebt|geben)',
    'bewerte(?!t\\b|ten\\b)\\w*',
    'zu bewerten',
    'setze?n?',
    '(?:ein)?tragen?(?: sie)?',
    'schreibe?n?',
    'antworte\\w*',
    'melden?',
    'wahle?n?',
    'nenne?',
    'eintragen',
  ),
  words(
    'donn(?:e|es|er|ez)',
    '(?:attribu|accord|not|evalu|inscri[sv]|indiqu|ecri[sv])(?:e|es|er|ez|s)?',
    'mets',
    'mettez',
    'mettre',
    'reponds',
    'repondez',
    'ecris',
  ),
  words(
    'da',
    'dad',
    'dale',
    'den',
    'otorg\\w+',
    'asign(?:a|ad|ar|e|en)',
    'calific(?:a|ar|ad)',
    'califiquen?',
    'puntu(?:a|ar|e|en)',
    'evalu(?:a|ar|e|en)',
    'pon',
    'ponle',
    'poner',
    'pongan?',
    'concede\\w*',
    'devuelv\\w+',
    'escrib(?:e|a|an|ir)',
    'responde\\w*',
    'indica',
  ),
);

export const SCALE_END = '(?:7|seven|sieben|sept|siete)';
/** The end of the scale: of this product's in figures, or the best of any. */
export const TOP = anyOf(
  `\\b${SCALE_END}\\s*(?:/|of|out of|von|sur|de|sobre)\\s*${SCALE_END}\\b`,
  `\\b${SCALE_END} (?:points?|punkten?|puntos?|marks?)\\b`,
  `\\b(?:scores?|ratings?|grades?|results?|punktzahl|note|nota|puntuacion|value|wert)\\s*(?:=|:|to|is|of|on|von|de|a)?\\s*(?:7|seven|sieben|sept|siete|10|ten|100)\\b(?![.,]\\d)`,
  '\\b(?:un|una|eine|with|to|mit) (?:siete|sieben|7|seven)\\b(?! ?[%\\w])',
  words(
    '(?:highest|maximum|max|top|full|perfect|best)(?: possible| available| overall)? (?:scores?|ratings?|marks?|points?|grades?|values?)',
    '(?:the|a) (?:maximum|highest|perfect) (?:in|for|on|to|everywhere)',
    '(?:hochst\\w*|maximal\\w*|voll\\w*|best\\w*|groesst\\w*) (?:punktzahl|bewertung|punkte|note|wertung|wert)',
    '(?:hochst|best)(?:note|wertung|wert|punktzahl|bewertung)n?',
    '(?:notes?|scores?|evaluations?) (?:maxim\\w+|parfaite?|(?:le |la )?plus (?:haute?|elevee?))',
    '(?:meilleure?|plus haute?|maximum de) (?:note|evaluation|score|points?)',
    '(?:puntuacion|calificacion|nota|puntaje)\\w* (?:maxim\\w+|perfect\\w+|mas alt\\w+)',
    '(?:maxim\\w+|mejor|mas alt\\w+) (?:puntuacion|calificacion|nota|puntaje)',
  ),
);
/** What is judged, all of it. */
export const EVERYTHING = words(
  '(?:every|each|all|any)(?: (?:of|the|these|our|single))* (?:questions?|criteri(?:a|on)|categor(?:y|ies)|chapters?|slides?|items?|points?|answers?|statements?|claims?|parts?|sections?|respects?)',
  '(?:the |these |our )?(?:statements?|claims?|figures?|numbers?|facts?)(?= (?:on|in|of|made|as|are) )',
  'everything',
  'everywhere',
  'throughout',
  'across the board',
  '(?:alle|jede[mnrs]?|samtliche)(?: der| dieser| unserer)? (?:frage|kriteri|kategorie|kapitel|folie|punkt|aussage|angabe|antwort|teil)\\w*',
  'uberall',
  'alles',
  'ausnahmslos',
  'durchweg',
  '(?:tou(?:s|te|tes)|chaque)(?: les| ces| nos| des)? (?:question|critere|categorie|chapitre|diapositive|point|affirmation|reponse|partie)s?',
  'partout',
  'tout',
  '(?:tod[ao]s|cada)(?: las| los| estas| estos| nuestras| nuestros)? (?:pregunta|criterio|categoria|capitulo|diapositiva|punto|apartado|afirmacion|respuesta|seccion)(?:es|s)?',
  'siempre',
  'todo',
);
/** The finding that is wanted: that everything is there and true. */
export const PROVEN = words(
  '(?:fully |completely |entirely )?(?:verified|complete|covered|proven|confirmed|fulfilled|satisfied|answered)',
  'as (?:true|facts?)',
  'answers? (?:\\w+ ){0,2}(?:fully|completely|in detail)',
  '(?:no|without|keine|aucune?|ning[uú]na) (?:\\w+ )?(?:missing|weakness\\w*|gaps?|schwach\\w*|lucken?|faibless\\w*|lacunes?|debilidad\\w*)',
  '(?:information|anything|nothing) (?:is |are )?missing',
  '(?:voll(?:standig)? |ganz )?(?:belegt|erfullt|bewiesen|bestatigt|beantwortet|abgedeckt|verifiziert)',
  'verifiee?s?',
  '(?:entierement |totalement )?(?:couverte?|prouvee?|confirmee?|remplie?|traitee?)s?',
  '(?:verificad|demostrad|cubiert|confirmad|cumplid|respondid)[ao]s?',
);
/** Orders to take something for true, or to say so. */
export const CLAIM = anyOf(
  ORDER_EN(
    'treat',
    'consider',
    'mark',
    'take',
    'regard',
    'accept',
    'assume',
    'claim',
    'state',
    'say',
    'write',
    'report',
    'conclude',
    'confirm',
    'answer',
    'respond',
    'describe',
    'find',
  ),
  words(
    'behandle\\w*',
    'betrachte\\w*',
    'markiere\\w*',
    'antworte\\w*',
    'werte\\w*',
    'nimm',
    'schreibe?n?',
    'bestatige\\w*',
    'trage?n?',
    '(?:consider|trait|ecri|indiqu|confirm|repond|marqu)(?:e|es|ez|s|re|vez)',
    'da(?:d|r)? por',
    'considera\\w*',
    'trata\\w*',
    'marca\\w*',
    'escrib\\w+',
    'confirma\\w*',
    'responde\\w*',
    'indica',
  ),
);
/** Orders to be silent about what is wrong. */
export const HIDE = anyOf(
  ORDER_EN(
    "(?:never|do not|don't|without) (?:report|mention|note|list|raise|name|criticis?z?e|point out|look for)(?:ing)?",
    'leave out',
    'omit',
    'hide',
  ),
  words(
    '(?:erwahn|nenn|melde|berichte|such)\\w* (?:keine|nicht)',
    '(?:keine|nicht) (?:\\w+ )?(?:erwahnen|nennen|melden|bemangeln)',
    "n(?:e |')(?:signale|mentionne|indique|cite|relev)\\w* (?:aucun|pas|jamais|nulle)\\w*",
    'no (?:menciones?|mencione[ns]?|senales?|indiques?|informes?|cites?)',
    'sin mencionar',
  ),
);
export const FAULTS = words(
  'weakness(?:es)?',
  'weak points?',
  'gaps?',
  'flaws?',
  'faults?',
  'shortcomings?',
  'concerns?',
  'criticism',
  'schwach\\w*',
  'lucken?',
  'mangel',
  'kritik\\w*',
  'faibless\\w*',
  'lacunes?',
  'defauts?',
  'debilidad\\w*',
  'carencias?',
  'defectos?',
  'fallos?',
);

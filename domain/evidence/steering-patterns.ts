/**
 * How attempts to steer a score are worded, in English, German, French and Spanish. Written for text in its readable form: lower case, no
 * accents.
 */

/** Up to so many characters of the same sentence. */
const within = (characters: number): string => `[^.!?;]{0,${characters}}?`;

const words = (...alternatives: readonly string[]): string => `\\b(?:${alternatives.join('|')})\\b`;

/** Alternatives that follow each other in one sentence. */
const inOrder = (...parts: readonly (string | number)[]): RegExp =>
  new RegExp(parts.map((part) => (typeof part === 'number' ? within(part) : part)).join(''), 'u');

const MODEL_EN =
  '(?:ais?|llms?|gpts?|chatbots?|(?:large )?language models?|(?:reviewer |ai |grading |scoring )models?|ai (?:agents?|reviewers?|assistants?|systems?|graders?|evaluators?))';
const MODEL_DE = '(?:ki|kunstliche intelligenz|sprachmodelle?n?|ki-\\w+)';
const MODEL_FR = "(?:ia|l'ia|intelligence artificielle|modeles? de langage|assistants? ia)";
const MODEL_ES = '(?:ia|inteligencia artificial|modelos? de lenguaje|asistentes? de ia)';

const BEST_EN = '(?:highest|maximum|max|top|full|perfect|best)';
const SCORE_EN = '(?:scores?|ratings?|marks?|points?|grades?)';
/** The end of this product's scale, as words of a score. */
const SEVEN_OF_SEVEN = '(?:7|seven)\\s*(?:/|of|out of|von|sur|de|sobre)\\s*(?:7|seven)\\b';
/** Words of a request. Mere "score" or "rating" of something is none. */
const GIVE_EN = words(
  'give',
  'gives',
  'giving',
  'assign',
  'award',
  'rate',
  'rating',
  'score',
  'grade',
  'mark',
  'return',
  'output',
  'choose',
  'select',
);

/** Each by itself is an attempt. */
export const STEERING_PATTERNS: readonly RegExp[] = [
  // What was said before shall not count.
  inOrder(
    words(
      'ignore',
      'disregard',
      'forget',
      'override',
      'bypass',
      "(?:do not|don't) (?:follow|obey|apply)",
      'pay no attention to',
    ),
    40,
    words(
      'previous',
      'prior',
      'above',
      'earlier',
      'preceding',
      'all',
      'any',
      'your',
      'the',
      'these',
      'other',
      'system',
    ),
    30,
    words('instructions?', 'prompts?', 'rules?', 'guidelines?', 'criteria', 'rubrics?', 'directions'),
  ),
  inOrder(
    words('ignorier\\w*', 'vergiss', 'vergesst', 'missacht\\w*', 'beacht\\w* nicht', 'ubergeh\\w*'),
    50,
    words('anweisung\\w*', 'instruktion\\w*', 'regeln?', 'vorgaben?', 'prompts?', 'kriterien', 'bewertungskriterien'),
  ),
  inOrder(
    words(
      'ignor(?:e|es|er|ez|ons)',
      'oubli(?:e|es|er|ez)',
      'ne (?:tiens|tenez|tenir) (?:pas |aucun )?(?:pas )?compte',
      'fais abstraction',
      'faites abstraction',
      'ne (?:suis|suivez) pas',
    ),
    50,
    words('instructions?', 'consignes?', 'regles?', 'directives?', 'criteres?', 'prompts?'),
  ),
  inOrder(
    words(
      'ignor(?:a|ad|ar|e|en)',
      'olvid(?:a|ad|ar|e|en)',
      'omit(?:e|ir|a|an)',
      'descart(?:a|ar|e|en)',
      'no (?:sigas?|siga|tengas?|tenga) (?:en cuenta)?',
    ),
    50,
    words('instrucciones', 'instruccion', 'indicaciones', 'reglas', 'directrices', 'criterios', 'ordenes', 'prompts?'),
  ),
  // A score is asked for.
  inOrder(
    GIVE_EN,
    50,
    `\\b(?:${BEST_EN} (?:possible |available |overall )?${SCORE_EN}|(?:score|rating|grade) of (?:7|seven|10|ten|100)|${SEVEN_OF_SEVEN})`,
  ),
  inOrder(
    words('gib', 'gebt', 'geben sie', 'vergib', 'vergebt', 'vergeben sie', 'bewerte\\w*', 'setze?n?'),
    50,
    `\\b(?:(?:hochst\\w*|maximal\\w*|voll\\w*|best\\w*) (?:punktzahl|bewertung|punkte|note|wertung)|hochstnote|hochstwertung|${SEVEN_OF_SEVEN})`,
  ),
  inOrder(
    words(
      'donn(?:e|es|er|ez)',
      'attribu(?:e|er|ez)',
      'accord(?:e|er|ez)',
      'not(?:e|er|ez)',
      'mets',
      'mettez',
      'evalu(?:e|er|ez)',
    ),
    50,
    `\\b(?:(?:notes?|scores?|evaluations?) (?:maxim\\w+|parfaite?|la plus (?:haute|elevee)|de (?:7|sept))|(?:meilleure|plus haute) (?:note|evaluation) possible|maximum de points|${SEVEN_OF_SEVEN})`,
  ),
  inOrder(
    words(
      'da',
      'dar',
      'dale',
      'den',
      'otorg\\w+',
      'asign(?:a|ar|e|en)',
      'calific(?:a|ar)',
      'califiquen?',
      'puntu(?:a|ar|e|en)',
      'evalu(?:a|ar|e|en)',
      'pon',
      'ponle',
      'concede\\w*',
    ),
    50,
    `\\b(?:(?:puntuacion|calificacion|nota|puntaje)\\w* (?:maxim\\w+|perfect\\w+|mas alt\\w+)|(?:maxim\\w+|mejor|mas alt\\w+) (?:puntuacion|calificacion|nota|puntaje)|${SEVEN_OF_SEVEN})`,
  ),
  // A score is claimed: of this scale, or as what is due.
  inOrder(
    words(
      'scores?',
      'scored',
      'ratings?',
      'rated',
      'grades?',
      'graded',
      'awarded',
      'punkte?',
      'punktzahl',
      'bewertung',
      'note',
      'nota',
      'puntuacion',
      'calificacion',
    ),
    20,
    `(?<![\\d.,/])${SEVEN_OF_SEVEN}`,
  ),
  inOrder(
    words(
      'deserves?',
      'merits?',
      'warrants?',
      'must receive',
      'should receive',
      'shall receive',
      '(?:must|should|shall) (?:be )?(?:given|get|rated|scored|graded|awarded)',
    ),
    30,
    `\\b${BEST_EN} (?:possible |available |overall )?${SCORE_EN}`,
  ),
  inOrder(
    words(
      'the (?:correct|right|only|expected|appropriate) (?:correct |right |possible )?(?:answer|score|rating|grade)',
    ),
    40,
    words('every', 'each', 'all'),
    15,
    words('questions?', 'criteria', 'criterion', 'chapters?', 'slides?'),
  ),
  // The reader is told that it is a machine.
  inOrder(words('system', 'developer'), ' ', words('prompts?', 'messages?', 'instructions?', 'override')),
  inOrder(
    words('as', 'if you are', 'you are', 'act as', 'acting as'),
    `(?: now| being)? an? (?:helpful |honest |impartial )?${MODEL_EN}\\b`,
  ),
  inOrder(words('you are', 'act as'), ' (?:now )?an? (?:helpful |honest |impartial |friendly )?assistant\\b'),
  inOrder(words('du bist', 'sie sind', 'als'), `(?: jetzt| nun)? eine? ${MODEL_DE}\\b`),
  inOrder(words('tu es', 'vous etes', 'en tant que?'), `(?: maintenant)? (?:une? )?${MODEL_FR}\\b`),
  inOrder(words('eres', 'usted es', 'como'), `(?: ahora)? una? ${MODEL_ES}\\b`),
  inOrder(
    words('notes?', 'notice', 'messages?', 'instructions?', 'attention', 'reminder'),
    ` (?:to|for) (?:the |any |all )?(?:${MODEL_EN}|model|assistant)\\b`,
  ),
  inOrder(
    words('hinweise?', 'nachricht', 'anweisung\\w*', 'notiz'),
    ` (?:an|fur) (?:die |das |alle )?(?:${MODEL_DE}|modell|assistent\\w*)\\b`,
  ),
  inOrder(
    words('notes?', 'messages?', 'instructions?', 'consignes?'),
    ` (?:a|pour|destinee?s? a) (?:l'|la |le |les |tout )?(?:${MODEL_FR}|modele|assistant)\\b`,
  ),
  inOrder(
    words('notas?', 'mensajes?', 'instruccion(?:es)?', 'aviso'),
    ` (?:a|para) (?:la |el |los |las |cualquier )?(?:${MODEL_ES}|modelo|asistente)\\b`,
  ),
  inOrder(
    `\\b(?:any |every |all )?${MODEL_EN}`,
    ' (?:that (?:is |are )?)?(?:reading|reviewing|evaluating|assessing|analy[sz]ing|scoring|grading|processing|reads?|reviews?|evaluates?|scores?|grades?) (?:this|these) ',
    words('decks?', 'slides?', 'documents?', 'pitch(?:es)?', 'pages?', 'text', 'files?'),
  ),
  inOrder(
    words('when', 'while', 'before', 'if you are'),
    ' (?:you are |you )?(?:scoring|grading|rating|evaluate|evaluating|score|grade|rate) (?:this|these|our) ',
    words('decks?', 'slides?', 'documents?', 'pitch(?:es)?', 'company', 'startup', 'submission'),
  ),
  inOrder(
    words(
      'your (?:new|real|actual|true|only) (?:task|role|instructions?|goal|objective|job)',
      'new instructions?:',
      'from now on,? you',
    ),
    '(?: (?:is|are|will|must|shall|should)\\b|\\W|$)',
  ),
  inOrder(
    words('reveal', 'print', 'repeat', 'output', 'show'),
    20,
    words('your (?:system |hidden |initial )?(?:prompt|instructions)'),
  ),
  inOrder(
    words('respond', 'reply', 'answer'),
    ' (?:only |always |simply )?with (?:only )?(?:a |the )?',
    words('7', 'seven', 'scores?', 'ratings?', BEST_EN),
  ),
  // The marks by which chats, prompts and answers are divided.
  /<\|\s*[a-z_]{2,20}\s*\|>|\[\/?inst\]|<<\/?sys>>|<\/?(?:s|start_of_turn|end_of_turn)>\s*(?:system|user|model|assistant|\[inst\])/u,
  /(?:^|\s)#{2,}\s*(?:system|instructions?|assistant|developer|response|new task)\b\s*:?/u,
  /(?:^|[\n>"'\]}.] ?)(?:system|assistant|developer)\s*:\s*(?:you\b|ignore|override|new |from now|the (?:score|rating|company|deck)|scores?\b|ratings?\b|i (?:will|rate|give|score)|understood|sure|ok(?:ay)?\b|rate |give |all )/u,
  /<\s*\/\s*(?:system|instructions?|prompt|deck|decks?[-_]?text|slides?|document|untrusted[\w-]*|context|input|data|user|content|answers?|question)\s*>/u,
  /<\s*(?:system|instructions?|prompt|assistant|override)\b[^<>]{0,60}>/u,
  /[[({<=*#_-]{2,}\s*(?:end|ende|fin) (?:of|des|der|du|de la|del) (?:the )?(?:deck|slides?|document|user|untrusted|context|input|prompt)\b/u,
  // An answer in the form in which models give them.
  /"(?:overall[ _-]?)?(?:score|rating|grade)"\s*:\s*"?(?:6|7|10|100)(?:\.0)?\b/u,
  /\{[^{}]{0,400}"(?:score|rating|grade)"\s*:[^{}]{0,400}"(?:rationale|reasoning|justification|evidence|answer|confidence)"\s*:/u,
  /\{[^{}]{0,400}"(?:rationale|reasoning|justification|evidence|answer)"\s*:[^{}]{0,400}"(?:score|rating|grade)"\s*:/u,
  /"role"\s*:\s*"(?:system|assistant|developer|user)"/u,
];

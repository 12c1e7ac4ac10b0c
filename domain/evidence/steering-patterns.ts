/**
 * The rules by which attempts to steer a score are told, for text in its readable form.
 *
 * An attempt is told by what comes together in one sentence: somebody is told to do something, and it is about how a deck is judged. A company's
 * own sentences have a subject before the verb.
 */
import {
  anyOf,
  MACHINE,
  READER,
  THIS_DECK,
  READS,
  INSTRUCTIONS,
  RULES,
  CANCEL,
  JUDGED_BY,
  VOID,
  DO,
  SCALE_END,
  TOP,
  EVERYTHING,
  PROVEN,
  CLAIM,
  HIDE,
  FAULTS,
  words,
} from './steering-words.ts';

/** A blank of a pattern is any white space, and lines begin and end wherever the text is broken. */
const regex = (source: string): RegExp => new RegExp(source.replaceAll(' ', String.raw`\s`), 'mu');

/**
 * Concepts that make an attempt where all of them come together in one sentence, in any order: the text from the first to the last has at most
 * so many characters beside them.
 */
export interface Combination {
  /** The first is searched for, with flag `g`. */
  readonly all: readonly [RegExp, ...RegExp[]];
  readonly within: number;
}

const together = (within: number, first: string, ...others: readonly string[]): Combination => ({
  all: [new RegExp(regex(first), 'gmu'), ...others.map(regex)],
  within,
});

export const STEERING_COMBINATIONS: readonly Combination[] = [
  // What was said before shall not count.
  together(60, CANCEL, anyOf(INSTRUCTIONS, RULES)),
  together(60, VOID, JUDGED_BY),
  together(
    60,
    words('disregard', 'set aside', 'ignore', 'forget'),
    words('whatever', 'everything', 'anything', 'what'),
    words('told', 'said', 'instructed', 'above', 'before'),
  ),
  // A score is asked for.
  together(70, DO, TOP),
  together(
    90,
    TOP,
    EVERYTHING,
    words(
      'must',
      'should',
      'shall',
      'deserves?',
      'ist',
      'sind',
      'soll',
      'sollen',
      'muss',
      'verdien\\w*',
      'meritent?',
      'doit',
      'doivent',
      'merec\\w+',
      'deben?',
      'valid',
      'correct',
    ),
  ),
  // Everything shall be found true, and nothing wrong.
  together(90, CLAIM, EVERYTHING, PROVEN),
  together(90, MACHINE, PROVEN, anyOf(CLAIM, EVERYTHING)),
  together(40, HIDE, FAULTS),
  together(60, MACHINE, TOP),
  // A machine reads.
  together(50, `(?<!\\b(?:our|their|its|the|unsere?r?|notre|nuestr[ao]|my) )${MACHINE}`, READS, THIS_DECK),
];

/** How far what is said to a reader may be from its name. */
const SHORT = '[^.!?;]{0,40}?';

/** Each by itself is an attempt. */
export const STEERING_PATTERNS: readonly RegExp[] = [
  // A score is claimed: of this scale, or as what is due.
  `${words('scores?', 'scored', 'ratings?', 'rated', 'grades?', 'graded', 'awarded', 'punkte?', 'punktzahl', 'bewertung', 'note', 'nota', 'puntuacion', 'calificacion')}[^.!?;]{0,20}?(?<![\\d.,/])${SCALE_END}\\s*(?:/|of|out of|von|sur|de|sobre)\\s*${SCALE_END}\\b`,
  `${words('deserves?', 'merits?', 'warrants?', '(?:must|should|shall) (?:be )?(?:receive|given|get|rated|scored|graded|award(?:ed)?)')}[^.!?;]{0,30}?${TOP}`,
  `\\bthe (?:only |one )?(?:correct|right|only|valid|expected|appropriate)(?: correct| right| possible| valid| acceptable)? (?:answer|score|rating|grade|result|value)\\b${SHORT}${anyOf(EVERYTHING, words('(?:7|seven|yes)'))}`,
  // The reader is told that it is a machine.
  `\\b(?:system|developer) (?:prompts?|messages?|instructions?|override)\\b`,
  `\\b(?:as|if you are|you are|act as|acting as)(?: now| being)? an? (?:helpful |honest |impartial )?${MACHINE}(?=\\s*(?:[,.:;!?)]|$|(?:you|that|which|who|and|trained|reading|reviewing|scoring)\\b))`,
  `\\b(?:you are|act as) (?:now )?an? (?:helpful |honest |impartial |friendly )?assistant\\b`,
  `\\b(?:du bist|sie sind|du|als) (?:jetzt |nun )?eine? ${MACHINE}(?: bist)?(?=\\s*(?:[,.:;!?)]|$|bist|sind))`,
  `\\b(?:tu es|vous etes|en tant qu[e']) ?(?:maintenant )?(?:une? )?${MACHINE}`,
  `\\b(?:eres|usted es|como) (?:ahora )?una? ${MACHINE}(?=\\s*(?:[,.:;!?)]|$|que))`,
  // And spoken to.
  `\\b(?:dear|sehr geehrte[rs]?|liebe[rs]?|chere?|estimad[ao]|querid[ao]) ${READER}(?=\\s*[,:!.]|$)`,
  `\\b(?:attention|achtung|atencion|hello|hi|hey|hallo|bonjour|hola)[,:]? (?:an |a |to |all |alle |any )?${MACHINE}\\s*[,:]`,
  `\\b(?:notes?|notice|messages?|instructions?|attention|reminder) (?:to|for) (?:the |any |all )?${READER}`,
  `\\b(?:hinweise?|nachricht|anweisung\\w*|notiz) (?:an|fur) (?:die |das |den |alle )?${READER}`,
  `\\b(?:notes?|messages?|instructions?|consignes?|l'attention) (?:a|pour|de|des|destinee?s? a) ?(?:l'|la |le |les |tout )?${READER}`,
  `\\b(?:notas?|mensajes?|instruccion(?:es)?|aviso) (?:a|para) (?:la |el |los |las |cualquier )?${READER}`,
  // "An AI that …" in English names a product.
  `(?:^|[.!?:] ?)(?:(?:to|for|fur|pour|para) (?:whichever |whatever |any |every |all |the |das |die |den |jede[sn]? |alle |le |la |les |l'|tout |el |los |las |cualquier )?|an (?:das |die |den |jede[sn]? |alle |(?=ki\\b))|a (?:le |la |les |l'|tout |el |los |las |cualquier |(?=ia\\b)))${MACHINE}(?= (?:that|which|who|reading|processing|reviewing|qui|que)\\b|\\s*[,:])`,
  `\\b(?:when|while|before|if you are|if you)(?: you are| you)? (?:scoring|grading|rating|evaluate|evaluating|score|grade|rate) (?:this|these|our) (?:decks?|slides?|documents?|pitch(?:es)?|company|startup|submission)\\b`,
  // It gets another task.
  `\\byour (?:new|real|actual|true|only) (?:task|role|instructions?|goal|objective|job)(?: (?:is|are|will|must|shall|should)\\b|\\W|$)`,
  `\\byour (?:task|role|instructions?|job|purpose) (?:has|have|is|are|was|were)(?: been)?(?: now)? (?:changed|updated|replaced|different|to)\\b`,
  `\\b(?:new|updated) (?:directive|instruction|order)s?(?: from (?:the |your )?(?:admin\\w*|developer|system|operator|user)|\\s*:)`,
  `\\b(?:from (?:now|here|this (?:point|moment|page|slide|line)) on(?:wards?)?|ab (?:jetzt|hier|sofort)|(?:a|à) partir de (?:maintenant|cette page|ahora|aqui)|desormais|de ahora en adelante),?[^.!?;]{0,12}?\\b(?:you (?:are|must|shall|should|act|answer|respond)|respond|answer|act as|behave|antworte|bist du|reponds|agis|responde|actua)\\b`,
  `\\b(?:reveal|print|repeat|output|show)[^.!?;]{0,20}?\\byour (?:system |hidden |initial )?(?:prompt|instructions)\\b`,
  `\\b(?:respond|reply|answer) (?:only |always |simply )?with (?:only )?(?:a |the )?(?:7|seven|scores?|ratings?|highest|maximum|full|perfect)\\b`,
].map(regex);

/** The marks by which chats, prompts and answers are divided; also found across sentences. */
export const STEERING_MARKS: readonly RegExp[] = [
  // A turn of somebody is begun. Control words alone are named and stay on the page (domain/text/control-words.ts).
  /<\|\s*[a-z_]{0,20}(?:start|begin|header)[a-z_]{0,20}\s*\|>\s*(?:system|user|model|assistant|developer|tool)\b|<\|\s*(?:system|user|model|assistant|developer)\s*\|>/u,
  /\[inst\][\s\S]{0,2000}\[\/inst\]|<<\/?sys>>|<\/?(?:s|start_of_turn|end_of_turn)>\s*(?:system|user|model|assistant|\[inst\])/u,
  /(?:^|\s)#{2,}\s*(?:system|instructions?|assistant|developer|response|new task)\b\s*:?/u,
  /(?:^|[\n>"'\]}.] ?)(?:system|assistant|developer)\s*:\s*(?:you\b|ignore|override|new |from now|the (?:score|rating|company|deck)|scores?\b|ratings?\b|i (?:will|rate|give|score)|understood|sure|ok(?:ay)?\b|rate |give |set |mark |treat |all )/u,
  /<\s*\/\s*(?:system|instructions?|prompt|deck|decks?[-_]?text|slides?|document|untrusted[\w-]*|context|input|data|user|content|answers?|question)\s*>/u,
  /<\s*(?:system|instructions?|prompt|assistant|override)\b[^<>]{0,60}>/u,
  /[[({<=*#_-]{2,}\s*(?:end|ende|fin) (?:of|des|der|du|de la|del) (?:the )?(?:deck|slides?|document|user|untrusted|context|input|prompt)\b/u,
  // An answer in the form in which models give them.
  /"(?:overall[ _-]?)?(?:score|rating|grade)"\s*:\s*"?(?:6|7|10|100)(?:\.0)?\b/u,
  /\{[^{}]{0,400}"(?:score|rating|grade)"\s*:[^{}]{0,400}"(?:rationale|reasoning|justification|evidence|answer|confidence)"\s*:/u,
  /\{[^{}]{0,400}"(?:rationale|reasoning|justification|evidence|answer)"\s*:[^{}]{0,400}"(?:score|rating|grade)"\s*:/u,
  /"role"\s*:\s*"(?:system|assistant|developer|user)"/u,
];

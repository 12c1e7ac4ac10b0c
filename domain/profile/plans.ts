/** Words that make a statement a plan: nothing of it has been reached yet. */

/** A word of one of these stems, or one of these phrases, in English or German. */
const PLANNED = new RegExp(
  String.raw`(?<![\p{L}\d])(?:${[
    'plan(?:s|ned|ning)?(?! b)',
    'target(?:s|ed|ing)?(?! (?:group|market|customer|audience|user))',
    'goals?',
    'aim(?:s|ing)?',
    'potential(?:ly)?',
    'prospective',
    'expect(?:s|ed|ing)?',
    'forecast(?:s|ed)?',
    'projected|projections?',
    'upcoming',
    'next steps?',
    'will(?! not)',
    'to be (?:signed|launched|won|closed|started|confirmed|announced)',
    '(?:still|yet) to (?:be |sign|come|launch)',
    'in (?:talks|discussions?|negotiations?)',
    'would like to',
    '(?:starts?|begins?|kicks? off) in',
    'roadmap',
    'pipeline',
    'geplant(?:e[nrs]?|er)?',
    'planen|planung|plan(?= \\d)',
    'ziel(?:e|en|wert|größe)?',
    'angestrebt(?:e[nrs]?)?',
    'potenziell(?:e[nrs]?)?|potentiell(?:e[nrs]?)?',
    'erwartet(?:e[nrs]?)?|erwarten',
    'prognos(?:e|en|tiziert)',
    'startet (?:im|in|ab)',
    'künftig(?:e[nrs]?)?|zukünftig(?:e[nrs]?)?',
    'werden \\p{L}+ (?:gewinnen|starten|erreichen)',
    'soll(?:en)?',
    'in (?:gesprächen?|verhandlung(?:en)?)',
    'vor (?:der )?(?:unterschrift|unterzeichnung|abschluss)',
    'wird unterzeichnet|zu unterzeichnen',
  ].join('|')})(?![\p{L}\d])`,
  'iu',
);

/** True where the words of a fact make it a plan: "target: 40 clinics", "first pilot to be signed in May". */
export const isPlanned = (...texts: readonly string[]): boolean => texts.some((text) => PLANNED.test(text));

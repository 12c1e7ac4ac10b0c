/** Words of the sign-in page, in every language of the workspace. */
import type { Language } from '../../domain/models/model-tasks.ts';

/** Why a browser is not signed in. */
export const SIGN_IN_PROBLEMS = ['key_refused', 'link_over'] as const;
export type SignInProblem = (typeof SIGN_IN_PROBLEMS)[number];

interface SignInWords {
  readonly title: string;
  readonly key: string;
  readonly signIn: string;
  readonly signOut: string;
  readonly problems: Readonly<Record<SignInProblem, string>>;
  /** Before the command that makes a key. */
  readonly makeKey: string;
  /** Before the command that prints a link. */
  readonly makeLink: string;
  /** Before the file with the machine's own key. */
  readonly ownKey: string;
  readonly signedIn: (name: string, role: string, tenant: string) => string;
  readonly open: string;
  readonly workspace: string;
  readonly costs: string;
  readonly alerts: string;
}

const english: SignInWords = {
  title: 'Sign in',
  key: 'API key',
  signIn: 'Sign in',
  signOut: 'Sign out',
  problems: {
    key_refused: 'This API key is not known here, or it was revoked.',
    link_over: 'This sign-in link was used before, or it is too old. Make a new one, or sign in with a key.',
  },
  makeKey: 'An operator makes a key:',
  makeLink: 'On the machine that Deckhand runs on, this prints a link that signs in without a key:',
  ownKey: 'The key of that machine is in its data directory, in the file',
  signedIn: (name, role, tenant) => `Signed in with the key “${name}” (${role}, tenant ${tenant}).`,
  open: 'This installation asks for no keys. You may do everything.',
  workspace: 'Workspace',
  costs: 'Costs',
  alerts: 'Alerts and targets',
};

const german: SignInWords = {
  title: 'Anmelden',
  key: 'API-Schlüssel',
  signIn: 'Anmelden',
  signOut: 'Abmelden',
  problems: {
    key_refused: 'Dieser API-Schlüssel ist hier nicht bekannt, oder er wurde widerrufen.',
    link_over:
      'Dieser Anmeldelink wurde schon benutzt, oder er ist zu alt. Erzeugen Sie einen neuen, oder melden Sie sich mit einem Schlüssel an.',
  },
  makeKey: 'Einen Schlüssel erzeugt, wer die Rolle operator hat:',
  makeLink: 'Auf dem Rechner, auf dem Deckhand läuft, gibt dieser Befehl einen Link aus, der ohne Schlüssel anmeldet:',
  ownKey: 'Der Schlüssel dieses Rechners steht in seinem Datenverzeichnis, in der Datei',
  signedIn: (name, role, tenant) => `Angemeldet mit dem Schlüssel „${name}“ (${role}, Mandant ${tenant}).`,
  open: 'Diese Installation verlangt keinen Schlüssel. Sie dürfen alles.',
  workspace: 'Arbeitsplatz',
  costs: 'Kosten',
  alerts: 'Warnungen und Ziele',
};

/** The words by language. */
export const SIGN_IN_WORDS: Readonly<Record<Language, SignInWords>> = { en: english, de: german };

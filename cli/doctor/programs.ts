/**
 * Programs that parts of Deckhand use when they are there, and how to get them.
 */
import type { ProgramCheck } from './check.ts';

/** Always needed. */
export const REQUIRED_PROGRAMS: readonly ProgramCheck[] = [
  {
    name: 'npm',
    commands: ['npm'],
    versionArgs: ['--version'],
    neededFor: 'installing what Deckhand is made of',
    hint: 'It comes with Node.js: https://nodejs.org',
    required: true,
  },
];

/** Needed by parts; Deckhand runs without them. */
export const OPTIONAL_PROGRAMS: readonly ProgramCheck[] = [
  {
    name: 'gcc',
    commands: ['gcc', 'cc'],
    versionArgs: ['--version'],
    neededFor: 'tests against real model servers',
    hint: 'apt-get install build-essential, or xcode-select --install',
  },
  {
    name: 'java',
    commands: ['java'],
    versionArgs: ['-version'],
    neededFor: 'tests that skip time',
    hint: 'apt-get install default-jre-headless, or https://adoptium.net',
  },
  {
    name: 'python3',
    commands: ['python3'],
    versionArgs: ['--version'],
    neededFor: 'making the tiny models of the tests',
    hint: 'apt-get install python3 python3-venv, or https://www.python.org',
  },
  {
    name: 'shellcheck',
    commands: ['shellcheck'],
    versionArgs: ['--version'],
    neededFor: 'checking the shell scripts',
    hint: 'apt-get install shellcheck, or brew install shellcheck',
  },
  {
    name: 'chromium',
    commands: ['chromium', 'chromium-browser', 'google-chrome'],
    versionArgs: ['--version'],
    neededFor: 'tests of the pages',
    hint: 'apt-get install chromium, or https://www.google.com/chrome',
  },
  {
    name: 'pdftoppm',
    commands: ['pdftoppm'],
    versionArgs: ['-v'],
    neededFor: 'comparing the speed of conversion',
    hint: 'apt-get install poppler-utils, or brew install poppler',
  },
];

/** Needed where no Temporal server is found. */
export const GO: ProgramCheck = {
  name: 'go',
  commands: ['go'],
  versionArgs: ['version'],
  neededFor: 'building the Temporal server, where none is found',
  hint: 'https://go.dev/dl',
};

/**
 * Logging: one pino logger per process, JSON lines on stderr.
 *
 * Stdout belongs to results, so nothing is ever logged there. The correlation id everywhere is the analysis id: take a child logger
 * with `log.child({ analysisId })` and pass it on.
 */
import { pino } from 'pino';
import type { Logger } from 'pino';
import type { Config } from './config.ts';

export type { Logger } from 'pino';

/** What must never be written to a log, wherever it stands in an object. */
const SECRET_PATHS = [
  'password',
  '*.password',
  'databaseUrl',
  '*.databaseUrl',
  'apiKey',
  '*.apiKey',
  'token',
  '*.token',
];

/**
 * Makes the logger of a process.
 *
 * @param name the process or part that speaks, e.g. `control`
 */
export function createLogger(name: string, config: Pick<Config, 'logLevel'>): Logger {
  return pino(
    {
      name,
      level: config.logLevel,
      redact: { paths: SECRET_PATHS, censor: '[secret]' },
      timestamp: pino.stdTimeFunctions.isoTime,
    },
    pino.destination({ fd: 2, sync: true }),
  );
}

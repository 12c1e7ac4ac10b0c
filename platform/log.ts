/**
 * Logging: one pino logger per process, JSON lines on stderr.
 *
 * Stdout is for results, so nothing is logged there. The correlation id is the analysis id: make a child logger with
 * `log.child({ analysisId })` and pass it on.
 */
import { pino } from 'pino';
import type { DestinationStream, Logger } from 'pino';
import type { Config } from './config.ts';

export type { Logger } from 'pino';

/** Names of fields with secrets, in our objects and in those of a provider's API. */
const SECRET_NAMES = [
  'password',
  'databaseUrl',
  'apiKey',
  'payloadKeys',
  'secret',
  'cookie',
  'token',
  'clientSecret',
  'client_secret',
  'access_token',
  'refresh_token',
  'authorization',
  'Authorization',
];

/** Paths that are never logged: the field itself, and one level down (an error's cause, a request's headers). */
const SECRET_PATHS = SECRET_NAMES.flatMap((name) => [name, `*.${name}`]);

/**
 * Makes the logger of a process.
 *
 * @param name the process or part that logs, such as `control`
 * @param destination stderr by default; tests capture the output
 */
export function createLogger(
  name: string,
  config: Pick<Config, 'logLevel'>,
  destination: DestinationStream = pino.destination({ fd: 2, sync: true }),
): Logger {
  return pino(
    {
      name,
      level: config.logLevel,
      redact: { paths: SECRET_PATHS, censor: '[secret]' },
      timestamp: pino.stdTimeFunctions.isoTime,
    },
    destination,
  );
}

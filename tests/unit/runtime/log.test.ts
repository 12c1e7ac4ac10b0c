import { expect, it } from 'vitest';
import { createLogger } from '../../../platform/log.ts';

const SECRET = 'hunter2-hunter2';

/** What a logger writes. */
function written(speak: (log: ReturnType<typeof createLogger>) => void): string {
  let text = '';
  speak(createLogger('test', { logLevel: 'info' }, { write: (line) => (text += line) }));
  return text;
}

it.each([
  'password',
  'databaseUrl',
  'apiKey',
  'token',
  'clientSecret',
  'client_secret',
  'access_token',
  'refresh_token',
  'authorization',
  'Authorization',
])('a log never holds a secret under %s, at the top and one level down', (name) => {
  const line = written((log) => log.info({ [name]: SECRET, request: { [name]: SECRET, path: '/v1' } }, 'a call'));
  expect(line).toContain('"path":"/v1"');
  expect(line).toContain(`"${name}":"[secret]"`);
  expect(line).not.toContain(SECRET);
});

it('a log never holds a secret also from a child that carries the secret with it', () => {
  const line = written((log) => log.child({ credentials: { clientSecret: SECRET } }).info('opened'));
  expect(line).toContain('opened');
  expect(line).not.toContain(SECRET);
});

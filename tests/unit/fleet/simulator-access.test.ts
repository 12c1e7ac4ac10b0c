/** How machines of a simulated provider are reached when the fleet file does not say. */
import { expect, it } from 'vitest';
import { loadFleetFile } from './load-fleet-file.ts';

const accessOf = (file: object): string | null =>
  loadFleetFile({ provider: 'datacrunch', installationId: 'test', ...file }).access;

it('is simulated with a simulator, ssh otherwise, and always what the file says', () => {
  expect(accessOf({ simulator: {} })).toBe('simulated');
  expect(accessOf({ baseUrl: 'http://127.0.0.1:8425/v1' })).toBe('simulated');
  expect(accessOf({ baseUrl: 'https://api.verda.com/v1' })).toBe('ssh');
  expect(accessOf({ baseUrl: 'http://127.0.0.1:8425/v1', access: 'ssh' })).toBe('ssh');
});

import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../../platform/config.ts';
import { serviceEnvironment, SERVICES } from '../../../runtime/services.ts';

const config = loadConfig({
  DECKHAND_HOME: '/somewhere',
  DATACRUNCH_CLIENT_ID: 'my-client',
  DATACRUNCH_CLIENT_SECRET: 'my-secret',
});

it('the credentials of the provider reach the processes that speak to it, and no other', () => {
  const told = SERVICES.filter((service) =>
    Object.values(serviceEnvironment(config, 'reader', {}, service)).includes('my-secret'),
  );
  expect(told.map((service) => service.name)).toEqual(['api', 'control']);
});

it('the credentials of the provider are told whole or not at all', () => {
  for (const service of SERVICES) {
    const { DATACRUNCH_CLIENT_ID: id, DATACRUNCH_CLIENT_SECRET: secret } = serviceEnvironment(
      config,
      'reader',
      {},
      service,
    );
    expect(id === undefined).toBe(secret === undefined);
  }
});

describe('the key of whoever starts the runtime', () => {
  const told = (environment: Record<string, string>): string[] =>
    SERVICES.filter((service) => {
      const config = loadConfig({ DECKHAND_HOME: '/somewhere', DECKHAND_API_KEY: 'dh_o_mine', ...environment });
      return Object.values(serviceEnvironment(config, 'reader', {}, service)).includes('dh_o_mine');
    }).map((service) => service.name);

  it('reaches the one process that is a client of the API', () => expect(told({})).toEqual(['watch']));

  it('reaches none when it is meant for another machine, whose address no process of this runtime is told', () => {
    const DECKHAND_API_URL = 'https://deckhand.example';
    expect(told({ DECKHAND_API_URL })).toEqual([]);
    const config = loadConfig({ DECKHAND_HOME: '/somewhere', DECKHAND_API_URL });
    for (const service of SERVICES)
      expect(serviceEnvironment(config, 'reader', {}, service)['DECKHAND_API_URL']).toBeUndefined();
  });
});

it('payload keys reach the processes that speak to Temporal, and no other', () => {
  const config = loadConfig({ DECKHAND_HOME: '/somewhere', DECKHAND_PAYLOAD_KEYS: 'k1:secret' });
  const told = SERVICES.filter((service) =>
    Object.values(serviceEnvironment(config, 'reader', {}, service)).includes('k1:secret'),
  );
  expect(told.map((service) => service.name)).toEqual(['api', 'control', 'convert', 'gateway']);
});

import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../../platform/config.ts';
import { serviceEnvironment, SERVICES } from '../../../platform/runtime/services.ts';

const config = loadConfig({
  DECKHAND_HOME: '/somewhere',
  DATACRUNCH_CLIENT_ID: 'my-client',
  DATACRUNCH_CLIENT_SECRET: 'my-secret',
});

describe('the credentials of the provider', () => {
  it('reach the processes that speak to it, and no other', () => {
    const told = SERVICES.filter((service) =>
      Object.values(serviceEnvironment(config, 'reader', {}, service)).includes('my-secret'),
    );
    expect(told.map((service) => service.name)).toEqual(['api', 'control']);
  });

  it('are told whole or not at all', () => {
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
});

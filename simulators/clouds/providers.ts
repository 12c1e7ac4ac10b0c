/** The simulated providers: how each is opened, and how its account is told. Each is loaded when it is opened. */
import type { Simulator, SimulatorOptions } from './core/simulator.ts';

/** A simulator with what its clients need. */
interface Opened {
  readonly simulator: Simulator;
  /** Facts for machines. */
  readonly facts: Readonly<Record<string, string>>;
  /** Names and values of its credentials, for people. */
  readonly credentials: readonly [label: string, values: string];
}

export interface SimulatedProvider {
  readonly title: string;
  /** Path of its API. */
  readonly apiPath: string;
  /** Option of the command line, such as `client-id`, to the option of `open` that it sets. */
  readonly options: Readonly<Record<string, string>>;
  /** @throws Error when the scenario is not valid */
  open(options: SimulatorOptions): Promise<Opened>;
}

/** By the provider's name. */
export const SIMULATED_PROVIDERS: Readonly<Record<string, SimulatedProvider>> = {
  datacrunch: {
    title: 'Simulated DataCrunch',
    apiPath: '/v1',
    options: { 'client-id': 'clientId', 'client-secret': 'clientSecret', 'inference-key': 'inferenceKey' },
    open: async (options) => {
      const { createSimulatedDataCrunch } = await import('./datacrunch/app.ts');
      const simulator = createSimulatedDataCrunch(options);
      const { clientId, clientSecret } = simulator;
      const credentials = ['client id / secret', `${clientId} / ${clientSecret}`] as const;
      return { simulator, facts: { clientId, clientSecret }, credentials };
    },
  },
  aws: {
    title: 'Simulated AWS',
    apiPath: '',
    options: { 'access-key-id': 'accessKeyId', 'secret-access-key': 'secretAccessKey' },
    open: async (options) => {
      const { createSimulatedAws } = await import('./aws/app.ts');
      const simulator = createSimulatedAws(options);
      const { accessKeyId, secretAccessKey } = simulator;
      const credentials = ['access key id / secret', `${accessKeyId} / ${secretAccessKey}`] as const;
      return { simulator, facts: { accessKeyId, secretAccessKey }, credentials };
    },
  },
  google: {
    title: 'Simulated Google',
    apiPath: '',
    options: { 'refresh-token': 'refreshToken' },
    open: async (options) => {
      const { createSimulatedGoogle } = await import('./google/app.ts');
      const simulator = createSimulatedGoogle(options);
      const { project, refreshToken } = simulator;
      const credentials = ['project / refresh token', `${project} / ${refreshToken}`] as const;
      return { simulator, facts: { project, refreshToken }, credentials };
    },
  },
  azure: {
    title: 'Simulated Azure',
    apiPath: '',
    options: { 'client-id': 'clientId', 'client-secret': 'clientSecret' },
    open: async (options) => {
      const { createSimulatedAzure } = await import('./azure/app.ts');
      const simulator = createSimulatedAzure(options);
      const { clientId, clientSecret } = simulator.secrets;
      const credentials = ['client id / secret', `${clientId} / ${clientSecret}`] as const;
      return { simulator, facts: { ...simulator.secrets }, credentials };
    },
  },
};

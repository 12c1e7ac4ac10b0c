/** The AWS client to moto, a double of AWS that others wrote: the contract of the provider port. */
import { afterAll, beforeAll } from 'vitest';
import { startMotoProxy, type MotoProxy } from '../../testing/moto/proxy.ts';
import { openMotoRig } from '../../testing/moto/rig.ts';
import { startMoto, type MotoServer } from '../../testing/moto/server.ts';
import { describeProviderContract } from '../../testing/provider-contract/contract.ts';

let moto: MotoServer;
let proxy: MotoProxy;

beforeAll(async () => {
  moto = await startMoto();
  proxy = await startMotoProxy(moto.url);
});

afterAll(async () => {
  await proxy.close();
  await moto.stop();
});

describeProviderContract('AWS on moto', () => openMotoRig(proxy, moto.url));

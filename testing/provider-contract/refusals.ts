/** The contract's part about calls that are refused, and about answers that are lost. */
import { partOf } from '../../clouds/parts.ts';
import { expect, it } from 'vitest';
import { providerErrorOf } from '../../clouds/errors.ts';
import { DeckhandError } from '../../domain/errors.ts';
import {
  create,
  end,
  eventually,
  listedAs,
  orderFor,
  refusalOf,
  untilAccepted,
  untilGone,
  untilStatus,
} from './acts.ts';
import { expectNoMachine } from './lives.ts';
import type { ContractTest, RefusalReason } from './rig.ts';

const CREATE_REASONS: readonly RefusalReason[] = ['capacity', 'quota', 'billing', 'auth', 'throttled', 'transient'];
const READ_REASONS: readonly RefusalReason[] = ['auth', 'throttled', 'transient'];

export function testRefusals(test: ContractTest): void {
  it.for(CREATE_REASONS)('says of a refused create: %s', async (reason, { skip }) => {
    const { rig } = test;
    test.needs(skip, `create ${reason}`);
    const order = await orderFor(rig, `dh-contract-no-${reason}`);
    const preparation = await rig.provider.prepareCreate(order);
    await rig.faults.refuse('create', reason);
    const error = await refusalOf(() => rig.provider.createInstance(order, preparation));
    expect(error).toBeInstanceOf(DeckhandError);
    expect(providerErrorOf(error), error.message).toMatchObject({ errorClass: reason });
    await rig.faults.mend();
    await expectNoMachine(test);
    // The refusal was about that moment: the same order is accepted afterwards.
    const id = await create(rig, order);
    expect((await listedAs(rig, order.hostname)).map((instance) => instance.id)).toEqual([id]);
  });

  it.for(READ_REASONS)('says of a refused look: %s', async (reason, { skip }) => {
    const { rig } = test;
    test.needs(skip, `read ${reason}`);
    await rig.faults.refuse('read', reason);
    for (const look of [
      () => rig.provider.listInstances(),
      // What cannot be looked at is not gone.
      () => rig.provider.getInstance(rig.unknownIds.instance),
      () => rig.provider.getVolume(rig.unknownIds.volume),
      () => rig.provider.listVolumes(),
    ]) {
      const error = await refusalOf(look);
      expect(error).toBeInstanceOf(DeckhandError);
      expect(providerErrorOf(error), error.message).toMatchObject({ errorClass: reason });
    }
    await rig.faults.mend();
    expect(await rig.provider.listInstances()).toEqual([]);
  });

  it.for(['capacity', 'quota'] as const)(
    'says of a refused start: %s; the machine stays stopped',
    async (reason, { skip }) => {
      const { rig } = test;
      test.needs(skip, `start ${reason}`);
      const id = await create(rig, await orderFor(rig, `dh-contract-start-${reason}`));
      await untilStatus(rig, id, 'running');
      await untilAccepted(rig, 'the stop', () => partOf(rig.provider, 'stopping').shutdown(id));
      await untilStatus(rig, id, 'stopped');
      await rig.faults.refuse('start', reason);
      const error = await refusalOf(() => partOf(rig.provider, 'stopping').start(id));
      expect(providerErrorOf(error), error.message).toMatchObject({ errorClass: reason });
      expect(await rig.provider.getInstance(id)).toMatchObject({ status: 'stopped' });
      await rig.faults.mend();
      await partOf(rig.provider, 'stopping').start(id);
      await untilStatus(rig, id, 'running');
    },
  );

  it('shows a machine that got no capacity after it was accepted as failed', async ({ skip }) => {
    const { rig } = test;
    test.needs(skip, 'failAfterCreate');
    await rig.faults.failAfterCreate();
    const id = await create(rig, await orderFor(rig, 'dh-contract-failed'));
    const failed = await eventually(
      rig,
      'it failed',
      () => rig.provider.getInstance(id),
      (instance) => instance !== null && instance.status !== 'starting',
    );
    expect(failed).toMatchObject({ status: 'failed', rawStatus: expect.stringMatching(/capacity/iu) });
    await expectNoMachine(test);
    // A provider may show it until it is ended.
    await end(rig, id, []);
    await untilGone(rig, id);
  });

  it('leaves exactly one machine behind an answer that was lost, to be found by its host name', async ({ skip }) => {
    const { rig } = test;
    test.needs(skip, 'loseCreateAnswer');
    const order = await orderFor(rig, 'dh-contract-lost');
    const preparation = await rig.provider.prepareCreate(order);
    await rig.faults.loseCreateAnswer();
    const error = await refusalOf(() => rig.provider.createInstance(order, preparation));
    expect(providerErrorOf(error), error.message).toMatchObject({ errorClass: 'transient' });
    expect(await rig.livingHostnames()).toEqual([order.hostname]);
    const found = await listedAs(rig, order.hostname);
    expect(found).toHaveLength(1);
    const running = await untilStatus(rig, found[0]?.id ?? '', 'running');
    expect(running.hostname).toBe(order.hostname);
    await end(rig, running.id, running.volumeIds);
    await untilGone(rig, running.id);
  });

  it('gives the same machine for the same create, and refuses another one under its host name', async ({ skip }) => {
    const { rig } = test;
    test.needs(skip, 'create token');
    const order = await orderFor(rig, 'dh-contract-token');
    const id = await create(rig, order);
    expect(await create(rig, order)).toBe(id);
    expect(await rig.livingHostnames()).toEqual([order.hostname]);
    const types = await rig.provider.listInstanceTypes();
    const other = types.find((type) => type.gpuCount > 1 && type.instanceType !== order.instanceType);
    const error = await refusalOf(() => create(rig, { ...order, instanceType: other?.instanceType ?? '' }));
    // There is a machine under the name: it has to be looked for.
    expect(providerErrorOf(error), error.message).toMatchObject({ errorClass: 'transient' });
    expect(await rig.livingHostnames()).toEqual([order.hostname]);
  });

  it('passes on the words of a refusal without control characters', async ({ skip }) => {
    const { rig } = test;
    test.needs(skip, 'refuseInWords');
    const order = await orderFor(rig, 'dh-contract-words');
    const preparation = await rig.provider.prepareCreate(order);
    await rig.faults.refuseInWords('the first line\nthe \u009B31msecond\u0085line');
    const error = await refusalOf(() => rig.provider.createInstance(order, preparation));
    expect(providerErrorOf(error)).toMatchObject({
      errorClass: 'config',
      message: expect.stringContaining('the first line'),
    });
    expect(error.message).not.toMatch(/\p{Cc}/u);
    if (error instanceof DeckhandError) expect(error.userMessage).not.toMatch(/\p{Cc}/u);
  });
}

/** Events that wait for one listener. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Mailbox } from '../../../api/http/mailbox.ts';
import { forAll } from '../../../testing/property.ts';

it('a listener gets of each subject the newest, in order, however it reads between what is put', async () => {
  const step = fc.oneof(fc.record({ subject: fc.constantFrom('a', 'b', 'c') }), fc.constant('read' as const));
  await forAll([fc.array(step, { maxLength: 40 })], { runs: 300 }, async (steps) => {
    const mailbox = new Mailbox<number>();
    const items = mailbox.items();
    /** What waits, by plain rules. */
    let waiting: { subject: string; item: number }[] = [];
    const [read, expected]: [number[], number[]] = [[], []];
    for (const [item, each] of steps.entries()) {
      if (each === 'read') {
        const first = waiting.shift();
        if (first === undefined) continue;
        expected.push(first.item);
        const { value } = await items.next();
        if (value !== undefined) read.push(value);
      } else {
        mailbox.put(each.subject, item);
        waiting = [...waiting.filter(({ subject }) => subject !== each.subject), { subject: each.subject, item }];
      }
    }
    mailbox.end();
    for await (const item of items) read.push(item);
    expect(read).toEqual([...expected, ...waiting.map(({ item }) => item)]);
  });
});

it('a listener that waits is woken by what is put, and by the end', async () => {
  const mailbox = new Mailbox<string>();
  const items = mailbox.items();
  const first = items.next();
  mailbox.put('a', 'x');
  expect(await first).toEqual({ value: 'x', done: false });
  const second = items.next();
  mailbox.end();
  expect(await second).toEqual({ value: undefined, done: true });
});

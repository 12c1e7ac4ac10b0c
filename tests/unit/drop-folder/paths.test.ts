/**
 * Which files a job may name, and which file system a path lies on.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isInside, locateFile, mountOf } from '../../../domain/drop-folder/paths.ts';
import { forAll } from '../../../testing/property.ts';

const part = fc.constantFrom('..', '.', '', 'a', 'b c', 'decks', '...', '..a');
const anyPath = fc
  .tuple(fc.boolean(), fc.array(part, { maxLength: 8 }))
  .map(([absolute, parts]) => (absolute ? '/' : '') + parts.join('/'));

it('what is located is below a root and holds no step upwards', () =>
  forAll([anyPath], (filePath) => {
    const located = locateFile('/mnt/drop', ['/mnt/drop', '/srv/decks'], filePath);
    if (located.kind === 'refused') return;
    expect(located.path.split('/')).not.toContain('..');
    expect(located.path.startsWith('/mnt/drop/') || located.path.startsWith('/srv/decks/')).toBe(true);
  }));

it('takes relative and absolute paths inside, refuses paths outside', () => {
  const kind = (filePath: string): string => locateFile('/mnt/drop', ['/mnt/drop', '/srv/decks'], filePath).kind;
  for (const inside of ['a.pdf', './a.pdf', 'x/../a.pdf', '/mnt/drop/a.pdf', '/srv/decks/y.pdf'])
    expect(kind(inside), inside).toBe('file');
  const relative = ['../a.pdf', 'x/../../a.pdf', '.', 'a\0.pdf'];
  for (const outside of [...relative, '/etc/passwd', '/mnt/dropped/a.pdf', '/mnt/drop', '/srv/decks/../x'])
    expect(kind(outside), outside).toBe('refused');
  expect(isInside('/', '/anything')).toBe(true);
});

it('finds the mount that a path lies on', () => {
  const table = [
    '22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw',
    '40 22 0:50 / /mnt/my\\040share rw,relatime shared:9 - nfs4 server:/export rw,vers=4.2',
    '41 22 0:51 / /mnt/my rw - tmpfs tmpfs rw',
  ].join('\n');
  const expected = { mountPoint: '/mnt/my share', fsType: 'nfs4', source: 'server:/export' };
  expect(mountOf(table, '/mnt/my share/drop')).toEqual(expected);
  expect(mountOf(table, '/mnt/other')?.mountPoint).toBe('/');
  expect(mountOf('', '/mnt')).toBeUndefined();
});

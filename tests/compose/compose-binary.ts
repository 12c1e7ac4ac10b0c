/** Docker Compose itself: it checks compose files without an engine. Build it alone with `node tests/compose/compose-binary.ts`. */
import { goBinary } from '../../testing/go-binary.ts';

/** Path of the binary, built first if it is not in the cache. @throws DeckhandError `dependency_missing` */
export const composeBinary = (onProgress: (line: string) => void): Promise<string> =>
  goBinary(
    {
      name: 'compose',
      title: 'Docker Compose',
      package: 'github.com/docker/compose/v5/cmd',
      version: 'v5.5.1',
      purpose: 'checking docker-compose.yml',
      takes: 'one to three minutes',
    },
    onProgress,
  );

if (import.meta.main) {
  process.stdout.write(`${await composeBinary((line) => process.stderr.write(`${line}\n`))}\n`);
}

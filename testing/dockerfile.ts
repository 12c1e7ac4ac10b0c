/**
 * A Dockerfile of a model server as instructions. Reads what those files use: one line each, and scripts in here-documents; anything else is an
 * error, so that no line counts as checked that was not.
 */

/** One instruction; the value of a script is the script. */
export interface DockerInstruction {
  readonly name: string;
  readonly value: string;
}

/** Instructions by stage. @throws Error for a line that it does not know */
export function dockerStages(text: string): DockerInstruction[][] {
  const stages: DockerInstruction[][] = [];
  const lines = text.split('\n');
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    if (line.trim() === '' || line.startsWith('#')) continue;
    const match = /^([A-Z]+) (.+)$/u.exec(line);
    if (match?.[1] === undefined || match[2] === undefined || line.endsWith('\\'))
      throw new Error(`cannot read: ${line}`);
    const end = /^<<'([A-Z_]+)'$/u.exec(match[2])?.[1];
    let value = match[2];
    if (end !== undefined) {
      const until = lines.indexOf(end, at + 1);
      if (until < 0) throw new Error(`${end} is missing`);
      value = lines.slice(at + 1, until).join('\n');
      at = until;
    }
    if (match[1] === 'FROM') stages.push([]);
    stages.at(-1)?.push({ name: match[1], value });
  }
  return stages;
}

/** Variables of a stage; one for each ENV. */
export const environmentOf = (stage: readonly DockerInstruction[]): Map<string, string> =>
  new Map(
    stage
      .filter(({ name }) => name === 'ENV')
      .map(({ value }) => {
        const [, name = '', text = ''] = /^([A-Z_]+)='?(.*?)'?$/u.exec(value) ?? [];
        return [name, text];
      }),
  );

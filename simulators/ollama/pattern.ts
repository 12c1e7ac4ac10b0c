/**
 * The shortest text that an anchored regular expression accepts, for simple patterns of `format` schemas: literals, classes, groups,
 * alternatives, quantifiers. Other patterns yield null; the caller then uses another text.
 */

/** Shortest match of `pattern`; null if the pattern is not supported or the result does not match. */
export function shortestMatch(pattern: string): string | null {
  const parser = new PatternParser(pattern.replace(/^\^/u, '').replace(/\$$/u, ''));
  const text = parser.alternatives();
  return parser.atEnd && new RegExp(pattern, 'u').test(text) ? text : null;
}

class PatternParser {
  readonly #source: string;
  #at = 0;

  constructor(source: string) {
    this.#source = source;
  }

  get atEnd(): boolean {
    return this.#at >= this.#source.length;
  }

  /** The first alternative's text; the others are skipped. */
  alternatives(): string {
    const first = this.#sequence();
    while (this.#source[this.#at] === '|') {
      this.#at += 1;
      this.#sequence();
    }
    return first;
  }

  #sequence(): string {
    let text = '';
    while (!this.atEnd && this.#source[this.#at] !== '|' && this.#source[this.#at] !== ')') {
      const unit = this.#unit();
      text += unit.repeat(this.#leastTimes());
    }
    return text;
  }

  #unit(): string {
    const char = this.#source[this.#at] ?? '';
    this.#at += 1;
    if (char === '(') {
      const prefix = /^\?(?::|<[^>]*>)/u.exec(this.#source.slice(this.#at));
      this.#at += prefix?.[0].length ?? 0;
      const inner = this.alternatives();
      this.#at += 1;
      return inner;
    }
    if (char === '[') return this.#class();
    if (char === '\\') return escaped(this.#source[this.#at++] ?? '');
    return char === '.' ? 'a' : char;
  }

  #class(): string {
    const end = this.#source.indexOf(']', this.#at + 1);
    const body = this.#source.slice(this.#at, end);
    this.#at = end + 1;
    if (body.startsWith('\\')) return escaped(body[1] ?? '');
    if (!body.startsWith('^')) return body[0] ?? '';
    const refused = new RegExp(`[${body}]`, 'u');
    return ['a', '0', '-', 'A', ' ', '_'].find((char) => refused.test(char)) ?? '';
  }

  #leastTimes(): number {
    const quantifier = /^(?:([*?+])|\{(\d+)(?:,\d*)?\})\??/u.exec(this.#source.slice(this.#at));
    if (quantifier === null) return 1;
    this.#at += quantifier[0].length;
    if (quantifier[2] !== undefined) return Number(quantifier[2]);
    return quantifier[1] === '+' ? 1 : 0;
  }
}

function escaped(char: string): string {
  switch (char) {
    case 'd':
      return '0';
    case 'w':
      return 'a';
    case 's':
      return ' ';
    default:
      return char;
  }
}

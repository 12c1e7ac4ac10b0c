/**
 * Pages drawn at random from units whose words are known: cards, rows of a table, entries of a legend, people, items of lists. No word comes
 * twice on a page, so that what was made of the page tells which units it joined and which it cut.
 */
import fc from 'fast-check';
import type { PageWord } from '../domain/pages/page.ts';

/** Kinds of units. */
export const DRAWN_KINDS = ['card', 'row', 'legend', 'person', 'item'] as const;
type DrawnKind = (typeof DRAWN_KINDS)[number];

/** A text to be drawn: its lines under each other. */
export interface DrawnText {
  readonly lines: readonly string[];
  /** Left edge, right edge or middle of its lines, in points. */
  readonly x: number;
  readonly align: 'left' | 'right' | 'centre';
  /** Top of the first line. */
  readonly y: number;
  readonly size: number;
  readonly bold: boolean;
}

/** A unit and its words in reading order. */
export interface DrawnUnit {
  readonly kind: DrawnKind;
  readonly texts: readonly DrawnText[];
}

/** A page of units; `others` are its title and the headings of its columns. */
export interface DrawnPage {
  readonly units: readonly DrawnUnit[];
  readonly others: readonly DrawnText[];
}

export const PAGE_WIDTH = 960;
export const PAGE_HEIGHT = 540;
const LEFT = 48;
const TOP = 120;
/** Distance of two lines, in font sizes. */
export const LEADING = 1.2;

const NOUNS = {
  en: 'boats,crates,mills,ferries,silos,ovens,lanes,docks,racks,pumps,valves,barns,trams,buses,kiosks,lockers,depots,garages,harbours,islands,villages,towns,schools,clinics,bakers,farmers,drivers,nurses,pilots,tenants,owners,renters,riders,guests,sensors,meters,cables,panels,boilers,filters,labels,orders,parcels,tickets,invoices,receipts,contracts,permits,surveys,reports,deliveries,repairs,returns,refills,stations,terminals,workshops,warehouses,orchards,vineyards,greenhouses,stables,quarries,bridges,tunnels,towers,gardens,kitchens,laundries,libraries,theatres,markets,galleries,hostels,campsites,marinas,airfields,railways,canals,reservoirs,forests,meadows,rivers,valleys,mountains,beaches,cliffs,caves,wells,springs',
  de: 'Boote,Kisten,Mühlen,Fähren,Silos,Öfen,Spuren,Docks,Regale,Pumpen,Ventile,Scheunen,Bahnen,Busse,Kioske,Fächer,Lager,Garagen,Häfen,Inseln,Dörfer,Städte,Schulen,Kliniken,Bäcker,Bauern,Fahrer,Pfleger,Piloten,Mieter,Eigentümer,Gäste,Sensoren,Zähler,Kabel,Platten,Kessel,Filter,Etiketten,Aufträge,Pakete,Fahrkarten,Rechnungen,Belege,Verträge,Genehmigungen,Umfragen,Berichte,Lieferungen,Reparaturen,Rückgaben,Bahnhöfe,Terminals,Werkstätten,Hallen,Obstgärten,Weinberge,Gewächshäuser,Ställe,Steinbrüche,Brücken,Tunnel,Türme,Gärten,Küchen,Wäschereien,Büchereien,Theater,Märkte,Galerien,Herbergen,Zeltplätze,Flugplätze,Kanäle,Stauseen,Wälder,Wiesen,Flüsse,Täler,Berge,Strände,Klippen,Höhlen,Brunnen,Quellen,Wasserkraftwerke,Verkehrsbetriebe,Genossenschaften',
} as const;
const MODIFIERS = {
  en: 'covered,rented,local,shared,rural,older,heavy,narrow,repaired,booked,empty,loaded,public,remote,coastal,digital,insured,licensed,seasonal,weekly,daily,cheaper,faster,quiet,solar,mobile,modular,certified,paperless,automatic',
  de: 'überdachte,gemietete,örtliche,geteilte,ländliche,ältere,schwere,schmale,reparierte,gebuchte,leere,beladene,öffentliche,entlegene,digitale,versicherte,zugelassene,saisonale,wöchentliche,tägliche,günstigere,schnellere,leise,mobile,modulare,geprüfte,papierlose,automatische',
} as const;
const VERBS = {
  en: 'reach,serve,replace,connect,measure,collect,deliver,repair,protect,support,supply,monitor,schedule,unload,inspect,combine',
  de: 'erreichen,bedienen,ersetzen,verbinden,messen,sammeln,liefern,reparieren,schützen,versorgen,planen,entladen,prüfen,bündeln',
} as const;
const LINKS = { en: ['in', 'for', 'with', 'of', 'and'], de: ['in', 'für', 'mit', 'von', 'und'] } as const;
const FIRST_NAMES =
  'Ada,Ben,Carla,Dora,Emil,Frida,Greta,Henrik,Ines,Jonas,Karla,Lars,Mara,Nils,Olga,Paul,Rosa,Sven,Tilda,Ulf,Vera,Wim';
const LAST_NAMES =
  'Berg,Cho,Dahl,Ebert,Funk,Grau,Holm,Iversen,Jansen,Krug,Lind,Moor,Nagel,Orth,Pohl,Quist,Reuter,Sand,Thoma,Uhl,Voss,Wirth';
const ROLES = {
  en: 'Chief Executive,Technology,Operations,Sales,Finance,Product,Design,Research,Logistics,Marketing,Engineering',
  de: 'Geschäftsführung,Technik,Betrieb,Vertrieb,Finanzen,Produkt,Gestaltung,Forschung,Logistik,Marketing,Entwicklung',
} as const;

/** Draws words of one language; none comes twice but those that join others. */
class Words {
  readonly #german: boolean;
  readonly #left = new Map<string, string[]>();
  #state: number;

  constructor(german: boolean, seed: number) {
    this.#german = german;
    this.#state = (seed >>> 0) + 1;
  }

  /** At least 0, less than `below`. */
  below(below: number): number {
    this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((this.#state / 2 ** 32) * below);
  }

  #take(list: string): string {
    const left = this.#left.get(list) ?? list.split(',');
    const [word = ''] = left.splice(this.below(left.length), 1);
    this.#left.set(list, left);
    // After the last word of a list, words are made of numbers, which do not end.
    return word === '' ? `Teil${this.#number(900) + 100}` : word;
  }

  readonly #numbers = new Set<number>();
  #number(below: number): number {
    let number = this.below(below);
    while (this.#numbers.has(number)) number++;
    this.#numbers.add(number);
    return number;
  }

  get #language(): 'en' | 'de' {
    return this.#german ? 'de' : 'en';
  }

  noun(): string {
    return this.#take(NOUNS[this.#language]);
  }

  name(): string {
    return `${this.#take(FIRST_NAMES)} ${this.#take(LAST_NAMES)}`;
  }

  role(): string {
    return this.#take(ROLES[this.#language]);
  }

  /** A label of one or two words, with a capital. */
  label(): string {
    const modified = this.below(2) === 0 ? `${this.#take(MODIFIERS[this.#language])} ` : '';
    return capital(`${modified}${this.noun()}`);
  }

  /** A phrase of so many words at least. */
  phrase(words: number): string {
    const said: string[] = [];
    while (said.length < words) {
      if (said.length > 0) said.push(LINKS[this.#language][this.below(5)] ?? 'in');
      if (this.below(3) > 0) said.push(this.#take(MODIFIERS[this.#language]));
      said.push(this.noun());
      if (this.below(4) === 0 && said.length < words) said.push(this.#take(VERBS[this.#language]), this.noun());
    }
    return said.join(' ');
  }

  figure(form: number): string {
    const number = this.#number(880) + 12;
    const german = this.#german;
    switch (form % 5) {
      case 0:
        return german ? `${number} %` : `${number}%`;
      case 1:
        return german ? `${number} Mio. €` : `€${number}M`;
      case 2:
        return german ? `${number}.000` : `${number},000`;
      case 3:
        return german ? `${number} €` : `$${number}`;
      default:
        return `${number}`;
    }
  }

  share(): string {
    const number = this.#number(85) + 2;
    return this.#german ? `${number} %` : `${number}%`;
  }
}

const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

/** Widths of letters in a usual sans serif, in font sizes. */
export function lineWidth(text: string, size: number, bold: boolean): number {
  const width = Array.from(text).reduce((sum, letter) => sum + letterWidth(letter), 0);
  return width * size * (bold ? 1.06 : 1);
}

function letterWidth(letter: string): number {
  if (/[iljtf.,:;'|!I]/u.test(letter)) return 0.26;
  if (letter === ' ') return 0.28;
  if (/[mwMW%]/u.test(letter)) return 0.86;
  return /[A-ZÄÖÜ]/u.test(letter) ? 0.68 : 0.54;
}

/** Lines of a text that is no wider than so many points. */
export function wrap(text: string, widthPt: number, size: number, bold = false): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const line = lines.at(-1);
    if (line !== undefined && lineWidth(`${line} ${word}`, size, bold) <= widthPt)
      lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return lines;
}

/** The words of a drawn text, as a PDF library gives them. */
export function wordsOfText({ lines, x, align, y, size, bold }: DrawnText): PageWord[] {
  return lines.flatMap((line, index) => {
    const width = lineWidth(line, size, bold);
    let left = align === 'left' ? x : align === 'right' ? x - width : x - width / 2;
    const top = y + index * LEADING * size;
    return line.split(' ').map((text): PageWord => {
      const right = left + lineWidth(text, size, bold);
      const box: PageWord['box'] = [left, top, right, top + 1.1 * size];
      left = right + 0.28 * size * (bold ? 1.06 : 1);
      return { text, box, sizePt: size, turn: 0, bold, confidence: null };
    });
  });
}

/** Traits that a page is drawn by; all numbers are 0 to 1 unless they count. */
interface Traits {
  readonly german: boolean;
  readonly seed: number;
  readonly count: number;
  readonly columns: number;
  readonly form: number;
  readonly size: number;
  readonly gap: number;
  readonly wide: number;
  readonly centred: boolean;
  readonly bold: boolean;
}

const heightOf = (text: DrawnText): number => text.lines.length * LEADING * text.size;
/** A number between two, by a share. */
const between = (low: number, high: number, share: number): number => low + (high - low) * share;

/** Texts under each other, with so much space between them in font sizes of the lower one. */
function stack(texts: readonly Omit<DrawnText, 'y'>[], y: number, gap: number): DrawnText[] {
  let top = y;
  return texts.map((text, index) => {
    if (index > 0) top += gap * text.size;
    const placed = { ...text, y: top };
    top += heightOf(placed);
    return placed;
  });
}

const bottomOf = (texts: readonly DrawnText[]): number => Math.max(...texts.map((text) => text.y + heightOf(text)));

/** Units in a grid: rows begin below the tallest unit of the row before. */
function grid(
  { count, columns, gap, wide, centred }: Traits,
  least: number,
  draw: (x: number, y: number, widthPt: number, align: 'left' | 'centre') => DrawnText[],
): DrawnText[][] {
  const across = Math.min(columns, count);
  const gutter = between(24, 60, wide);
  const width = Math.min(between(150, 300, wide), (PAGE_WIDTH - 2 * LEFT - gutter * (across - 1)) / across);
  const units: DrawnText[][] = [];
  let top = TOP;
  let bottom = TOP;
  for (let at = 0; at < count; at++) {
    if (at > 0 && at % across === 0) top = bottom + between(least, least + 40, gap);
    const left = LEFT + (at % across) * (width + gutter);
    const unit = draw(centred ? left + width / 2 : left, top, width, centred ? 'centre' : 'left');
    if (bottomOf(unit) > PAGE_HEIGHT - 50) break;
    units.push(unit);
    bottom = Math.max(bottom, bottomOf(unit));
  }
  return units;
}

/** Cards: a figure with its caption under, over or beside it, or a label, a figure and a caption. */
function cards(traits: Traits, words: Words): DrawnUnit[] {
  const small = between(10, 15, traits.size);
  const large = small * between(1.6, 3, traits.wide);
  const least = 1.6 * small;
  return grid(traits, least, (x, y, width, align) => {
    const figure = { lines: [words.figure(traits.form)], x, align, size: large, bold: traits.bold };
    const plain = { x, align, size: small, bold: false };
    const caption = { ...plain, lines: wrap(words.phrase(2 + words.below(7)), width, small) };
    const label = { ...plain, lines: [words.label()], bold: traits.bold };
    const gap = between(0.1, 0.5, traits.gap);
    switch (traits.form % 4) {
      case 0:
      case 1:
        return stack([figure, caption], y, gap);
      case 2:
        return stack([label, figure, caption], y, gap);
      default:
        return stack([label, figure], y, gap);
    }
  }).map((texts) => ({ kind: 'card', texts }));
}

/** People in a grid: name, role and, for most, a line on them. */
function people(traits: Traits, words: Words): DrawnUnit[] {
  const small = between(9, 14, traits.size);
  const nameSize = traits.form % 2 === 0 ? small : small * between(1.1, 1.5, traits.wide);
  return grid(traits, 1.8 * small, (x, y, width, align) => {
    const name = { lines: [words.name()], x, align, size: nameSize, bold: nameSize === small || traits.bold };
    const role = { lines: [words.role()], x, align, size: small, bold: false };
    const line = { lines: wrap(words.phrase(3 + words.below(6)), width, small), x, align, size: small, bold: false };
    return stack(traits.form % 3 === 0 ? [name, role] : [name, role, line], y, between(0.05, 0.4, traits.gap));
  }).map((texts) => ({ kind: 'person', texts }));
}

/** A legend: each label with its share, behind or before it. */
function legend(traits: Traits, words: Words): DrawnUnit[] {
  const size = between(11, 18, traits.size);
  const pitch = size * between(1.4, 2.8, traits.gap);
  const entries = Array.from({ length: Math.max(3, traits.count) }, () => ({
    label: words.label(),
    share: words.share(),
  }));
  const widest = Math.max(...entries.map(({ label }) => lineWidth(label, size, false)));
  const x = between(LEFT, 480, traits.wide);
  return entries.map(({ label, share }, index) => {
    const y = TOP + index * pitch;
    const text = (line: string, at: number, bold = false): DrawnText => ({
      lines: [line],
      x: at,
      align: 'left',
      y,
      size,
      bold,
    });
    const shareWidth = size * 3.2;
    const texts = [
      [text(`${label} ${share}`, x)],
      [text(`${share} ${label}`, x)],
      [text(label, x), text(share, x + widest + size * between(1, 8, traits.gap))],
      [text(share, x, traits.bold), text(label, x + shareWidth)],
    ][traits.form % 4];
    return { kind: 'legend', texts: texts ?? [] };
  });
}

/** Lists beside each other; their items have one line or several. */
function lists(traits: Traits, words: Words): { readonly units: DrawnUnit[]; readonly others: DrawnText[] } {
  const size = between(10, 16, traits.size);
  const columns = Math.min(3, traits.columns);
  const gutter = between(20, 50, traits.wide);
  const width = (PAGE_WIDTH - 2 * LEFT - gutter * (columns - 1)) / columns - (columns === 1 ? 300 : 0);
  const mark = traits.form % 2 === 0 ? '•' : '–';
  const indent = size * 1.1;
  const units: DrawnUnit[] = [];
  const others: DrawnText[] = [];
  for (let column = 0; column < columns; column++) {
    const x = LEFT + column * (width + gutter);
    let y = TOP;
    if (traits.bold) {
      others.push({ lines: [words.label()], x, align: 'left', y, size: size * 1.2, bold: true });
      y += size * 2.2;
    }
    for (let item = 0; item < Math.max(2, traits.count); item++) {
      const said = capital(words.phrase(1 + words.below(9)));
      const lines = wrap(said, width - indent, size);
      const bullet: DrawnText = { lines: [mark], x, align: 'left', y, size, bold: false };
      const text: DrawnText = { lines, x: x + indent, align: 'left', y, size, bold: false };
      if (bottomOf([text]) > PAGE_HEIGHT - 50) break;
      units.push({ kind: 'item', texts: [bullet, text] });
      y += heightOf(text) + size * between(0, 0.8, traits.gap);
    }
  }
  return { units, others };
}

/** A table with headings; words or figures in its cells, of one line or several. */
function table(traits: Traits, words: Words): { readonly units: DrawnUnit[]; readonly others: DrawnText[] } {
  const size = between(10, 15, traits.size);
  const columns = 1 + Math.max(2, traits.columns);
  const gutter = between(16, 40, traits.wide);
  const nameWidth = 150;
  const width = Math.min(220, (PAGE_WIDTH - 2 * LEFT - nameWidth - gutter * columns) / (columns - 1));
  const ofFigures = traits.form % 3 !== 0;
  const hasWords = (column: number): boolean => !ofFigures || (traits.form % 3 === 1 && column === columns - 1);
  const lefts = Array.from(
    { length: columns },
    (_, i) => LEFT + (i === 0 ? 0 : nameWidth + gutter + (i - 1) * (width + gutter)),
  );
  const alignOf = (column: number): 'left' | 'right' | 'centre' =>
    column === 0 || hasWords(column) ? 'left' : traits.centred ? 'centre' : traits.form % 2 === 0 ? 'right' : 'left';
  const at = (column: number, lines: string[], y: number, bold: boolean): DrawnText => {
    const left = lefts[column] ?? LEFT;
    const align = alignOf(column);
    return {
      lines,
      x: align === 'left' ? left : align === 'right' ? left + width : left + width / 2,
      align,
      y,
      size,
      bold,
    };
  };
  const header = lefts.flatMap((_, column) =>
    column === 0 && traits.form % 2 === 0
      ? []
      : [at(column, wrap(words.label(), width, size, true), TOP, traits.bold || !ofFigures)],
  );
  const space = size * (ofFigures ? between(0.5, 1.6, traits.gap) : between(0.9, 1.8, traits.gap));
  let y = bottomOf(header) + space;
  const units: DrawnUnit[] = [];
  for (let row = 0; row < Math.max(3, traits.count); row++) {
    const cells = lefts.map((_, column) => {
      if (column === 0) return at(0, wrap(words.label(), nameWidth, size), y, false);
      const said = hasWords(column) ? capital(words.phrase(1 + words.below(6))) : words.figure(traits.form + column);
      return at(column, wrap(said, width, size), y, false);
    });
    if (bottomOf(cells) > PAGE_HEIGHT - 50) break;
    units.push({ kind: 'row', texts: cells });
    y = bottomOf(cells) + space;
  }
  return { units, others: header };
}

function draw(kind: DrawnKind, traits: Traits): DrawnPage {
  const words = new Words(traits.german, traits.seed);
  const title: DrawnText = { lines: ['Velhain'], x: LEFT, align: 'left', y: 36, size: 32, bold: traits.bold };
  const { units, others } = {
    card: () => ({ units: cards(traits, words), others: [] }),
    person: () => ({ units: people(traits, words), others: [] }),
    legend: () => ({ units: legend(traits, words), others: [] }),
    item: () => lists(traits, words),
    row: () => table(traits, words),
  }[kind]();
  return { units, others: [title, ...others] };
}

const share = fc.integer({ min: 0, max: 20 }).map((twentieths) => twentieths / 20);

/** A page of units of these kinds. */
export const drawnPage = (...kinds: readonly DrawnKind[]): fc.Arbitrary<DrawnPage> =>
  fc
    .record({
      kind: fc.constantFrom(...kinds),
      german: fc.boolean(),
      seed: fc.nat({ max: 1_000_000 }),
      count: fc.integer({ min: 2, max: 6 }),
      columns: fc.integer({ min: 1, max: 4 }),
      form: fc.nat({ max: 11 }),
      size: share,
      gap: share,
      wide: share,
      centred: fc.boolean(),
      bold: fc.boolean(),
    })
    .map(({ kind, ...traits }) => draw(kind, traits));

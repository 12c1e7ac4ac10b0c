/** E-mail and web addresses of a text that may be a company's own, and the word of each that may be its name. */

export interface Address {
  /** The part of the host that its owner chose, in lower case: "acme" of "hello@mail.acme.co.uk". */
  readonly label: string;
  /** `user`: the name of a mailbox at a provider or of an account ("@acme"), which may be the company's. */
  readonly kind: 'email' | 'web' | 'user';
  /** What its owner registered: "acme.co.uk" of "hello@mail.acme.co.uk"; null for a `user`. */
  readonly domain: string | null;
}

/** Names of hosts have letters of any language: "grün.example". */
const HOST = String.raw`(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?\.)+[a-z]{2,}`;
/** Endings that count without "www" or "@" before them. */
const ENDING =
  'com|io|de|ai|health|eu|ch|at|co|net|org|app|tech|bio|care|xyz|us|dev|fit|gg|pl|fr|nl|br|uk|shop|store|online|site|digital|cloud|finance|energy|green|life|world|studio|software|systems|solutions|example';
const ADDRESS = new RegExp(
  String.raw`(?<user>[\w.+-]+@)(?<mail>${HOST})|(?:https?:\/\/|www\.)(?<web>${HOST})(?<path>\/\S*)?|(?<![@\w.\/-])(?<bare>(?:[\p{L}\p{N}-]{2,}\.)+(?:${ENDING}))(?![\w@-]|\.\w)(?<barePath>\/\S*)?|(?<![\w.])@(?<account>[a-z][\w.]{2,29})`,
  'giu',
);
/** Every address has a dot or an "@" within it. */
const MAY_HOLD = /\.[\p{L}\p{N}]|@\w/u;
/** Under these a registrant gets a name of the third level. */
const SECOND_LEVEL =
  /^(?:(?:co|com|org|net|ltd)\.[a-z]{2}|(?:me|plc)\.uk|(?:or|ne)\.(?:jp|kr|th)|(?:firm|gen|ind)\.in|id\.au)$/u;
const HOSTED =
  /\.(?:vercel\.app|netlify\.app|github\.io|gitlab\.io|herokuapp\.com|web\.app|pages\.dev|webflow\.io|wixsite\.com|notion\.site|myshopify\.com|streamlit\.app|wordpress\.com|carrd\.co)$/u;
const MAILBOX =
  /^(?:gmail|googlemail|outlook|hotmail|live|yahoo|icloud|gmx|web|proton|protonmail|pm|aol|mail|t-online)$/u;
/** Hosts of other people's pages: nothing of the company's own. */
const FOREIGN =
  /^(?:linkedin|facebook|instagram|twitter|x|tiktok|youtube|youtu|github|gitlab|medium|substack|notion|calendly|google|goo|bit|tinyurl|linktr|wikipedia|crunchbase|statista|mckinsey|forbes|techcrunch|bloomberg|reuters|businessinsider|nytimes|apple|amazon|aws|microsoft|slideshare|canva|figma|slidesgo|freepik|flaticon|unsplash|pexels|pixabay|docsend|dropbox|whatsapp|telegram|discord|zoom|example|europa|who|doi|arxiv|nature|ncbi|nih)$/u;
/** Words that templates put in the place of a name: "your@email.com", "www.yourwebsite.com". */
const PLACEHOLDER =
  /^(?:(?:your|my|our|the|deine?|ihre?|meine?|unsere?)-?)?(?:e-?mail|web-?site|website|webseite|site|homepage|web|domain|domäne|url|link|company|company-?name|business|firma|firmenname|unternehmen|startup|start-?up|name|brand|marke|logo|address|adresse|sample|placeholder|reallygreatsite)$/u;
const DOCUMENT = /pitch|deck|slide|template|presentation/u;

/** Longer paths lead to an article or a document, not to the company. */
const LONG_PATH = 24;

/** The addresses that may be the company's own: not those of mail providers, social networks, schools, or pages deep inside a site. */
export function ownAddresses(text: string): Address[] {
  if (!MAY_HOLD.test(text)) return [];
  return [...text.matchAll(ADDRESS)].flatMap((match): Address[] => {
    const { user, mail, web, path, bare, barePath, account } = match.groups ?? {};
    if (account !== undefined)
      return [{ label: account.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, ''), kind: 'user', domain: null }];
    const host = (mail ?? web ?? bare ?? '').toLowerCase();
    const { label, domain } = registered(host);
    if (user !== undefined && MAILBOX.test(label)) {
      const name = user.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
      return name.length < 4 ? [] : [{ label: name, kind: 'user', domain: null }];
    }
    const foreign =
      FOREIGN.test(label) ||
      PLACEHOLDER.test(label) ||
      MAILBOX.test(label) ||
      DOCUMENT.test(label) ||
      /\.(?:edu|gov|ac)(?:\.|$)/u.test(host);
    if (label.length < 3 || foreign || (path ?? barePath ?? '').length > LONG_PATH) return [];
    return [{ label, kind: mail === undefined ? 'web' : 'email', domain }];
  });
}

/** The text with spaces where addresses were; places stay. */
export const withoutAddresses = (text: string): string =>
  !MAY_HOLD.test(text) ? text : text.replaceAll(ADDRESS, (address) => ' '.repeat(address.length));

/** What the owner of a host chose, and what was registered with it. */
function registered(host: string): Pick<Address, 'label'> & { readonly domain: string } {
  const parts = host.replace(HOSTED, '.hosted').split('.');
  const ending = parts.length > 2 && SECOND_LEVEL.test(parts.slice(-2).join('.')) ? 2 : 1;
  const label = parts.at(-1 - ending) ?? '';
  // Dots count from the end, and a hosting service is more than one part of the host.
  const length = host.split('.').length - parts.length + ending + 1;
  return { label, domain: host.split('.').slice(-length).join('.') };
}

/** What all spellings of a company's name share: "Lumbalis Therapeutics GmbH", "LUMBALIS Therapeutics" and "Lumbalis-Therapeutics". */

/** Letters that Unicode does not take apart into a plain letter and a mark. */
const PLAIN: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
};

/**
 * Legal forms of companies as words without marks and dots: of the German and English speaking countries, and of the others whose decks are
 * read. Longest first: "GmbH & Co. KG" ends with a form as well.
 */
const LEGAL_FORMS: readonly (readonly string[])[] = [
  'gmbh co kgaa,gmbh co kg,gmbh co ohg,ag co kgaa,ag co kg,ug haftungsbeschrankt co kg,ug haftungsbeschrankt,gesellschaft mit beschrankter haftung',
  'gmbh,ggmbh,mbh,ug,ag,se,kg,kgaa,ohg,gbr,ev,e v,ek,e k,eg,e g,partg,partgmbb,stiftung co kg',
  'public limited company,private limited company,private limited,pvt ltd,pty ltd,pte ltd,pvt,pty,pte,inc,incorporated,corp,corporation',
  'llc,llp,lp,plc,pbc,ltd,limited,co ltd,company limited,company,co,cic,dac',
  'bv,b v,nv,n v,vof,cv,bvba,sa,s a,sas,sasu,sarl,eurl,sl,slu,srl,srls,s r l,sc,ltda,lda,eireli,sa de cv,s de rl de cv,de cv',
  'ab,aps,ivs,as,a s,asa,oy,oyj,hf,ehf,ou,uab,sia,sp z oo,sp z o o,sp zoo,spzoo,sro,s r o,doo,d o o,kft,zrt,nyrt,ood,eood,ead,ooo,oao,pao,tov',
  'kk,kabushiki kaisha,godo kaisha,sdn bhd,bhd,tbk,jsc,fze,fzco,fz llc,dmcc,wll',
]
  .flatMap((forms) => forms.split(','))
  .map((form) => form.split(' '))
  .toSorted((a, b) => b.length - a.length);

/** Written before or behind a name without a space. */
const EAST_ASIAN_FORM =
  /^(?:株式会社|有限会社|合同会社|주식회사)+|(?:株式会社|有限会社|合同会社|有限公司|주식회사)+$/gu;
/** With dots "S.p.A." is a form; without them and in small letters it is a place to bathe. */
const ITALIAN_FORM = /[\s,]+(?:S\.\s?p\.\s?A\.?|SpA|SPA)$/u;
/** Letters with a dot behind each: "S.A.", "B.V". */
const ABBREVIATION = /(?<![\p{L}\p{N}])(?:\p{L}\.)+\p{L}{0,2}(?![\p{L}\p{N}])/gu;

/** Longer names are cut: a key has to fit into an index. */
const LONGEST = 100;

/** Words of a name in lower case, without marks and punctuation, with its legal form. */
function plainWords(name: string): string[] {
  const plain = name
    .trim()
    .replace(ITALIAN_FORM, '')
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[ßæœøłđðþı]/gu, (letter) => PLAIN[letter] ?? letter)
    .normalize('NFKC')
    .replaceAll(ABBREVIATION, (letters) => letters.replaceAll('.', ''));
  return plain.match(/[\p{L}\p{N}]+/gu) ?? [];
}

const endsWith = (words: readonly string[], form: readonly string[]): boolean =>
  words.length > form.length && form.every((word, at) => words[words.length - form.length + at] === word);

/** Words of a name in lower case, without marks, punctuation and legal form. A name that is nothing but a legal form keeps it. */
export function nameWords(name: string): string[] {
  let words = plainWords(name);
  for (;;) {
    const form = LEGAL_FORMS.find((each) => endsWith(words, each));
    if (form === undefined) break;
    words = words.slice(0, -form.length);
  }
  return words.map((word) => {
    const bare = word.replaceAll(EAST_ASIAN_FORM, '');
    return bare === '' ? word : bare;
  });
}

/** The key of a name; null for a name without a letter or digit. */
export function nameKey(name: string): string | null {
  const key = nameWords(name).join('').slice(0, LONGEST).toWellFormed();
  return key === '' ? null : key;
}

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isForeign } from '../../../domain/decks/unread.ts';
import { deckLanguage, detectLanguage } from '../../../domain/pages/language.ts';
import { forAll } from '../../../testing/property.ts';

const TEXTS = {
  en: 'Our solution saves nurses two hours a day',
  de: 'Unsere Lösung spart Pflegekräften zwei Stunden am Tag',
  fr: 'Notre solution fait gagner deux heures par jour aux infirmières',
  es: 'Nuestra solución ahorra dos horas al día a las enfermeras',
  pt: 'Nossa solução poupa duas horas por dia às enfermeiras',
  it: 'La nostra soluzione fa risparmiare due ore al giorno',
  nl: 'Onze oplossing bespaart verpleegkundigen twee uur per dag',
  pl: 'Nasze rozwiązanie oszczędza pielęgniarkom dwie godziny dziennie',
  zh: '我们的解决方案每天为护士节省两个小时',
  ja: '私たちのソリューションは看護師の時間を節約します',
  tr: 'Şirketimiz küçük dükkanlar için ödeme sistemi geliştiriyor ve zaman kazandırıyor',
  az: 'Şirkətimiz kiçik mağazalar üçün ödəniş sistemi hazırlayır və onların vaxtına qənaət edir',
  ca: 'La nostra empresa desenvolupa un sistema de pagament per a botigues petites',
  da: 'Vores virksomhed udvikler et betalingssystem til små butikker og sparer dem tid',
  no: 'Selskapet vårt utvikler et betalingssystem for små butikker og sparer dem for tid',
  sv: 'Vårt företag utvecklar ett betalsystem för små butiker och sparar dem tid',
};
/** Languages that the library does not know, or cannot tell from a neighbour. */
const UNKNOWN = {
  Uzbek: 'Kompaniyamiz kichik do‘konlar uchun to‘lov tizimini ishlab chiqadi va ularning vaqtini tejaydi.',
  'Uzbek about a market': 'Bozor hajmi har yili yigirma foizga o‘sib bormoqda va mijozlar soni ortmoqda.',
  'Kazakh in Latin letters': 'Bizdiń kompaniya shaǵyn dúkender úshin tólem júıesin jasaıdy jáne ýaqytty únemdeıdi.',
  Kazakh: 'Біздің компания шағын дүкендер үшін төлем жүйесін жасайды.',
  Swahili: 'Kampuni yetu inatengeneza mfumo wa malipo kwa maduka madogo na kuokoa muda wao.',
  Galician: 'A nosa empresa desenvolve un sistema de pagamento para tendas pequenas.',
  Afrikaans: 'Ons maatskappy ontwikkel ’n betaalstelsel vir klein winkels en bespaar vir hulle tyd.',
  Indonesian: 'Perusahaan kami mengembangkan sistem pembayaran untuk toko kecil.',
  'Danish or Norwegian': 'Markedet vokser med tjue prosent hvert år.',
};

describe('language of a text', () => {
  it.each(Object.entries(UNKNOWN))('%s is not named as another language', (_, text) =>
    expect(detectLanguage(text)?.language ?? null).toBeNull(),
  );

  it('names and figures are in no language, known or not', () =>
    expect(detectLanguage('Kordalis Velhain Brunnhub Quayline')).toBeNull());

  it.each(Object.entries(TEXTS))('%s is detected in one sentence', (language, text) =>
    expect(detectLanguage(text)?.language).toBe(language),
  );

  it('too few letters tell nothing', () => {
    expect(detectLanguage('Q3 2024')).toBeNull();
    expect(detectLanguage('€4.2M ARR')).toBeNull();
    expect(detectLanguage('')).toBeNull();
  });

  it('a deck in English with a foreign slide is English, and says how much of it is', () => {
    const found = deckLanguage([TEXTS.en, TEXTS.de, TEXTS.en, '2024']);
    expect(found?.language).toBe('en');
    expect(found?.confidence).toBeGreaterThan(0.5);
    expect(found?.confidence).toBeLessThan(0.8);
  });

  it('slides of a few words each are read together', () =>
    expect(deckLanguage(['Das Problem', 'Unser Team', 'Der Markt'])?.language).toBe('de'));

  it('a deck in a language that is not known is in none, and no engine for English and German reads it', () => {
    const pages = [UNKNOWN.Uzbek, UNKNOWN['Uzbek about a market'], 'Q3 2024'];
    const found = deckLanguage(pages);
    expect(found?.language).toBeNull();
    expect(isForeign(found, ['en', 'de'])).toBe(true);
  });

  it('a deck in two languages that are not read is not read', () => {
    const found = deckLanguage([TEXTS.pl, TEXTS.it]);
    expect(isForeign(found, ['en', 'de'])).toBe(true);
    expect(isForeign(found, [])).toBe(false);
  });

  it('an English deck with pages that tell nothing is read', () =>
    expect(isForeign(deckLanguage([TEXTS.en, 'Kordalis Velhain Brunnhub Quayline', TEXTS.en]), ['en', 'de'])).toBe(
      false,
    ));

  it('the shares of languages are those of the whole text', () =>
    forAll(
      [fc.array(fc.constantFrom(...Object.values({ ...TEXTS, ...UNKNOWN, short: 'ARR' })))],
      { runs: 50 },
      (pages) => {
        const found = deckLanguage(pages);
        if (found === null) return;
        const shares = [...found.shares.values()];
        expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1);
        expect(found.confidence).toBeLessThanOrEqual(1);
        expect(found.shares.has(found.language ?? '')).toBe(true);
      },
    ));

  it('a deck without text has no language', () => expect(deckLanguage(['', '12'])).toBeNull());
});

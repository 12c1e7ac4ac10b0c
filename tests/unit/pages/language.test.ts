import { describe, expect, it } from 'vitest';
import { deckLanguage, detectLanguage } from '../../../domain/pages/language.ts';

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
};

describe('language of a text', () => {
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

  it('a deck without text has no language', () => expect(deckLanguage(['', '12'])).toBeNull());
});

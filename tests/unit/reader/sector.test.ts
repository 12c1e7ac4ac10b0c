/** The sector follows from evidence; health as an example is not health. */
import { describe, expect, it } from 'vitest';
import { classify } from './ask.ts';

describe('the sector', () => {
  it('of a patch for stroke patients is diagnostics and devices', () => {
    const result = classify(
      'An ECG patch that detects atrial fibrillation in stroke patients',
      'CardioSense\nAn ECG patch',
      'Clinical evidence\nSensitivity 98%, specificity 97% in 412 patients of five hospitals.',
      'Regulatory\nCE marked as class IIa medical device under the MDR, ISO 13485.',
    );
    expect(result).toMatchObject({ sector: 'diagnostics_devices' });
    expect(result.confidencePercent).toBeGreaterThanOrEqual(70);
  });

  it('of an app on prescription is digital therapeutics, in German too', () => {
    const result = classify(
      'App auf Rezept für Menschen mit chronischen Rückenschmerzen',
      'Lumbalis\nApp auf Rezept',
      'Zulassung\nDiGA im Verzeichnis des BfArM, Krankenkassen erstatten die Therapie.',
      'Wirkung\nVerhaltenstherapie und Übungen senken die Schmerzen der Patienten.',
    );
    expect(result.sector).toBe('digital_therapeutics');
  });

  it.each([
    [
      'Document automation for law firms',
      [
        'DocuFlow',
        'Problem\nLawyers format documents.',
        'Solution\nFor example a hospital uses it for supplier contracts.',
        'Customers\n45 law firms',
        'Team\nTwo lawyers',
      ],
    ],
    [
      'Scheduling software for trucking companies',
      [
        'Quayline',
        'Problem\nTrucks drive empty; dispatchers feel the pain.',
        'Market\nFreight',
        'Team\nTwo dispatchers',
      ],
    ],
  ])('of %s is outside health', (offering, slides) => {
    expect(classify(offering, ...slides)).toMatchObject({ sector: 'other', secondarySector: 'none' });
  });

  it('of a deck that says nothing is other, without confidence', () =>
    expect(classify('').confidencePercent).toBeLessThan(50));

  it('names only keywords that stand in the deck', () => {
    const slides = [
      'Phagene\nEngineered phages against resistant bacteria',
      'Science\nIn mice the bacterial load dropped; phase I starts with 40 patients in two hospitals.',
    ];
    const result = classify('Engineered phages against infections', ...slides);
    expect(result.sector).toBe('biotech_pharma');
    for (const word of result.keywords)
      expect(`${slides.join('\n')} engineered phages against infections`.toLowerCase()).toContain(word.toLowerCase());
  });
});

/**
 * The nine sectors a deck can be classified into: what the classification prompt lists and what the review shows.
 *
 * `other` means outside health: it has no minimum confidence, because it is also where a deck ends that fits nowhere else. The keywords
 * stand in a file of their own.
 */
import type { SectorSlug } from '../../domain/models/result-schemas.ts';
import { SECTOR_KEYWORDS } from './sector-keywords.ts';

/** A sector as it is seeded. */
export interface SeedSector {
  readonly slug: SectorSlug;
  readonly name: string;
  /** One or two sentences, ending in a full stop; part of the classification prompt. */
  readonly description: string;
  /** Confidence below which a classification counts as unsure; null = no minimum. */
  readonly minConfidencePercent: number | null;
  /** Lower case, English and German. */
  readonly keywords: readonly string[];
  /** Five typical kinds of company in this sector. */
  readonly subcategories: readonly [string, string, string, string, string];
  /** Specialised readings (clinical, regulatory, science) are made for health sectors only. */
  readonly isHealth: boolean;
}

/** In the order of `SECTOR_SLUGS`. */
export const SECTORS: readonly SeedSector[] = [
  {
    slug: 'digital_therapeutics',
    name: 'Digital therapeutics',
    description:
      'Software that itself treats, manages or prevents a disease, with clinical evidence and often on prescription. The program is the therapy, not a channel to a clinician.',
    minConfidencePercent: 75,
    keywords: SECTOR_KEYWORDS.digital_therapeutics,
    subcategories: [
      'Mental and behavioural health',
      'Chronic disease management',
      'Pain and rehabilitation',
      'Neurology and cognition',
      'Addiction and sleep',
    ],
    isHealth: true,
  },
  {
    slug: 'healthcare_infrastructure',
    name: 'Healthcare infrastructure',
    description:
      'Software and services that run hospitals, practices, payers and care homes: records, scheduling, billing, staffing, logistics, interoperability. Customers are organisations and the gain is in their workflow.',
    minConfidencePercent: 70,
    keywords: SECTOR_KEYWORDS.healthcare_infrastructure,
    subcategories: [
      'Records and interoperability',
      'Hospital operations and workflow',
      'Practice management',
      'Billing and reimbursement',
      'Care homes and nursing',
    ],
    isHealth: true,
  },
  {
    slug: 'telemedicine',
    name: 'Telemedicine',
    description:
      'Care given at a distance by clinicians: video consultation, remote monitoring, teletriage, second opinion, virtual clinics. A clinician stays in the loop.',
    minConfidencePercent: 72,
    keywords: SECTOR_KEYWORDS.telemedicine,
    subcategories: [
      'Video consultation',
      'Remote patient monitoring',
      'Virtual specialist clinics',
      'Triage and second opinion',
      'Hospital at home',
    ],
    isHealth: true,
  },
  {
    slug: 'diagnostics_devices',
    name: 'Diagnostics and medical devices',
    description:
      'Hardware and tests that measure, detect or treat: in-vitro diagnostics, imaging equipment, sensors, implants, surgical robots. The product is physical or is a laboratory assay.',
    minConfidencePercent: 78,
    keywords: SECTOR_KEYWORDS.diagnostics_devices,
    subcategories: [
      'In-vitro diagnostics',
      'Imaging',
      'Sensors and monitoring devices',
      'Implants and surgical technology',
      'Point-of-care testing',
    ],
    isHealth: true,
  },
  {
    slug: 'biotech_pharma',
    name: 'Biotech and pharma',
    description:
      'Discovery, development or manufacture of medicines and biological therapies: small molecules, biologics, cell and gene therapy, vaccines, drug delivery, and the platforms that find them.',
    minConfidencePercent: 80,
    keywords: SECTOR_KEYWORDS.biotech_pharma,
    subcategories: [
      'Small molecules',
      'Biologics and antibodies',
      'Cell and gene therapy',
      'Vaccines and infectious disease',
      'Discovery platforms and drug delivery',
    ],
    isHealth: true,
  },
  {
    slug: 'health_data_ai',
    name: 'Health data and AI',
    description:
      'Data platforms and machine learning for health: decision support, image analysis, risk prediction, real-world evidence, trial data, privacy-preserving analytics. The product is the model or the data.',
    minConfidencePercent: 75,
    keywords: SECTOR_KEYWORDS.health_data_ai,
    subcategories: [
      'Clinical decision support',
      'Image and signal analysis',
      'Real-world data and evidence',
      'Prediction and risk models',
      'Privacy and data infrastructure',
    ],
    isHealth: true,
  },
  {
    slug: 'consumer_health',
    name: 'Consumer health',
    description:
      'Products people buy for their own health without a prescription: fitness, nutrition, sleep, fertility, wellness, self-care, supplements and wearables. The user usually pays.',
    minConfidencePercent: 65,
    keywords: SECTOR_KEYWORDS.consumer_health,
    subcategories: [
      'Fitness and movement',
      'Nutrition and supplements',
      "Women's health and fertility",
      'Sleep, stress and mindfulness',
      'Wearables and longevity',
    ],
    isHealth: true,
  },
  {
    slug: 'healthcare_marketplaces',
    name: 'Healthcare marketplaces',
    description:
      'Platforms that bring together two sides of health care and earn from the match: patients and providers, clinics and staff, pharmacies and customers, suppliers and buyers.',
    minConfidencePercent: 70,
    keywords: SECTOR_KEYWORDS.healthcare_marketplaces,
    subcategories: [
      'Appointment and provider search',
      'Staffing and locums',
      'Pharmacy and medication delivery',
      'Procurement of medical supplies',
      'Care and caregiver matching',
    ],
    isHealth: true,
  },
  {
    slug: 'other',
    name: 'Other (outside health)',
    description: 'Anything whose product is not about health or health care, whatever the technology.',
    minConfidencePercent: null,
    keywords: SECTOR_KEYWORDS.other,
    subcategories: [
      'Business software and fintech',
      'Industry and logistics',
      'Energy and climate',
      'Commerce and consumer products',
      'Mobility, property and agriculture',
    ],
    isHealth: false,
  },
];

/**
 * DermaLine: teledermatology in the United Kingdom, the deck that is only sent as a scan. Short and honest about what is missing.
 * The company is invented.
 */
import type { DeckSpec } from '../spec.ts';

/** The deck whose printed and scanned pages are `samples/dermaline-scan.pdf`. */
export const dermaline: DeckSpec = {
  language: 'en',
  sector: 'telemedicine',
  metadataTitle: 'scan_20251118_0001',
  footer: 'DermaLine Health Ltd',
  createdAt: new Date('2025-11-18T11:20:00Z'),
  theme: {
    background: '#ffffff',
    ink: '#2a2233',
    muted: '#7b7185',
    accent: '#5b3a8c',
    second: '#2a9d8f',
    panel: '#f1edf6',
    font: 'dejavu-serif',
    header: 'plain',
    cover: 'band',
  },
  facts: {
    company: 'DermaLine',
    offering: 'Remote skin consultations for GP surgeries: a dermatologist answers within one working day',
    amount: 1_800_000,
    currency: 'GBP',
    date: '2025-11',
    datePrecision: 'month',
    places: {
      company: { slide: 1, text: 'DermaLine' },
      offering: {
        slide: 1,
        text: 'Remote skin consultations for GP surgeries: a dermatologist answers within one working day',
      },
      amount: { slide: 11, text: 'We are looking for £1.8m' },
      date: { slide: 1, text: 'November 2025' },
    },
  },
  slides: [
    {
      kind: 'cover',
      title: 'DermaLine',
      subtitle: 'Remote skin consultations for GP surgeries: a dermatologist answers within one working day',
      lines: ['Seed round', 'Bristol, November 2025'],
    },
    {
      kind: 'content',
      title: 'A rash waits 31 weeks',
      answers: ['target_problem', 'pain_points', 'problem_quantification'],
      columns: [
        [
          {
            type: 'bullets',
            items: [
              'One in four GP visits concerns the skin; most GPs had ten days of training in it.',
              'Patients wait 31 weeks for a dermatologist outside the cancer pathway.',
              'Half of all urgent referrals turn out to be harmless and block the clinic.',
            ],
          },
        ],
        [
          {
            type: 'bars',
            title: 'Weeks to a dermatology appointment, England',
            categories: ['2019', '2021', '2023', '2025'],
            series: [{ name: 'Weeks', values: [11, 19, 26, 31] }],
          },
        ],
      ],
    },
    {
      kind: 'content',
      title: 'Our service: photo today, answer tomorrow',
      answers: ['solution_description', 'differentiation'],
      columns: [
        [
          {
            type: 'cards',
            items: [
              { title: 'In the surgery', text: 'A nurse takes three photos with a lens that clips on a phone.' },
              { title: 'At home', text: 'One of 38 consultants answers by video or in writing.' },
              { title: 'In the record', text: 'The plan is filed in the surgery’s system, with prescription.' },
            ],
          },
          {
            type: 'paragraph',
            text: 'Unlike photo apps for patients, we work inside the GP record, and a named consultant takes responsibility for each answer.',
          },
        ],
      ],
    },
    {
      kind: 'content',
      title: 'Results of the Somerset pilot',
      answers: ['quantified_advantage', 'pilot_customers'],
      columns: [
        [
          {
            type: 'stats',
            items: [
              { value: '2,318', label: 'patients in nine months' },
              { value: '71%', label: 'treated without a hospital visit' },
              { value: '19 h', label: 'median time to an answer' },
            ],
          },
          {
            type: 'table',
            head: ['Compared with usual care', 'DermaLine', 'Usual care'],
            rows: [
              ['Referrals to hospital', '29%', '64%'],
              ['Cost per case', '£58', '£164'],
              ['Missed melanoma in follow-up', '0 of 41', 'not recorded'],
            ],
          },
        ],
      ],
    },
    {
      kind: 'content',
      title: 'Customers',
      answers: ['paying_customers', 'customer_satisfaction'],
      columns: [
        [
          {
            type: 'bullets',
            items: [
              'Two integrated care boards pay for 112 surgeries since April.',
              '94% of GPs would use the service again (survey of 187, August).',
              'A private insurer tests the service for 6,000 members.',
            ],
          },
          {
            type: 'quote',
            text: 'I stopped guessing. That is worth more than the money.',
            by: 'GP partner, Taunton',
          },
        ],
      ],
    },
    {
      kind: 'content',
      title: 'Market',
      columns: [
        [
          {
            type: 'stats',
            items: [
              { value: '13m', label: 'skin consultations in primary care a year' },
              { value: '£620m', label: 'spent on dermatology outpatients' },
            ],
          },
          {
            type: 'paragraph',
            text: 'Ireland and the Netherlands have the same shortage and pay per remote consultation.',
          },
        ],
      ],
    },
    {
      kind: 'content',
      title: 'How we are paid',
      answers: ['payer_identification', 'payer_vs_user', 'pricing_strategy', 'sales_cycle'],
      columns: [
        [
          {
            type: 'bullets',
            items: [
              'The care board pays £58 per case, or a flat £1.10 per resident and year.',
              'GPs and nurses are the users; patients pay nothing.',
              'Contracts run for two years. From first talk to signature took eight and eleven months.',
              'We pay the consultant £31 per case.',
            ],
          },
        ],
      ],
    },
    {
      kind: 'content',
      title: 'Alternatives',
      answers: ['competitive_landscape', 'current_solutions'],
      columns: [
        [
          {
            type: 'table',
            head: ['', 'DermaLine', 'Hospital advice line', 'SkinSnap', 'Private clinic'],
            rows: [
              ['Answer', '1 working day', '2–6 weeks', '48 hours', '1 week'],
              ['Inside GP record', 'yes', 'partly', 'no', 'no'],
              ['Prescription', 'yes', 'no', 'no', 'yes'],
              ['Paid by', 'care board', 'hospital', 'patient', 'patient'],
            ],
          },
        ],
      ],
    },
    {
      kind: 'content',
      title: 'Numbers',
      answers: ['monthly_burn', 'monthly_sales'],
      columns: [
        [
          {
            type: 'bars',
            title: 'Revenue in £ thousand',
            categories: ['2023', '2024', '2025', '2026 plan', '2027 plan'],
            series: [{ name: 'Revenue', values: [14, 96, 410, 1150, 2900] }],
          },
        ],
        [
          {
            type: 'bullets',
            items: [
              'Sales of £47,000 in October.',
              'Net burn £62,000 a month.',
              'Raised earlier: £420,000 from angels in 2023.',
            ],
          },
        ],
      ],
      split: [1.4, 1],
    },
    {
      kind: 'content',
      title: 'People',
      answers: ['team_experience', 'team_composition', 'skill_gaps'],
      columns: [
        [
          {
            type: 'people',
            items: [
              { name: 'Dr. Nia Probert', role: 'CEO', text: 'Consultant dermatologist, 14 years in the NHS.' },
              { name: 'Callum Reid', role: 'CTO', text: 'Former lead engineer of a GP record system.' },
              { name: 'Farah Aziz', role: 'Operations', text: 'Ran a network of 300 locum doctors.' },
            ],
          },
          {
            type: 'paragraph',
            text: 'Eleven employees and 38 contracted consultants. Nobody of us has sold to care boards before; we need a commercial lead.',
          },
        ],
      ],
    },
    {
      kind: 'content',
      title: 'The round',
      answers: ['funding_requirements', 'fund_allocation', 'future_state'],
      columns: [
        [
          { type: 'callout', text: 'We are looking for £1.8m' },
          {
            type: 'bullets',
            items: [
              '50% for sales to care boards, 30% for integration with the second GP record system, 20% for consultants’ on-boarding.',
              'Goal: 900 surgeries and monthly break-even by mid-2027.',
            ],
          },
        ],
      ],
    },
    {
      kind: 'statement',
      text: 'Every GP with a dermatologist at hand.',
      lines: ['nia@dermaline.example', 'DermaLine Health Ltd, Bristol'],
    },
  ],
};

/**
 * CardioSense: a diagnostics device in English with charts and tables. A strong deck that still leaves some questions open: it says
 * nothing about customer churn, about how sales fluctuate, or about skills the team lacks. The company is invented.
 */
import type { DeckSpec } from '../spec.ts';

/** The deck of `samples/cardiosense.pdf`. */
export const cardiosense: DeckSpec = {
  language: 'en',
  sector: 'diagnostics_devices',
  metadataTitle: 'CardioSense – Series A deck',
  footer: 'CardioSense GmbH · Confidential',
  createdAt: new Date('2026-03-09T10:00:00Z'),
  theme: {
    background: '#ffffff',
    ink: '#1b2a3d',
    muted: '#66758a',
    accent: '#0e4d92',
    second: '#e4572e',
    panel: '#eef3f9',
    font: 'dejavu-condensed',
    header: 'underline',
    cover: 'split',
  },
  facts: {
    company: 'CardioSense',
    offering: 'A 14-day ECG patch with AI analysis that detects atrial fibrillation in stroke survivors at home',
    amount: 4_200_000,
    currency: 'EUR',
    date: '2026-03',
    datePrecision: 'month',
    places: {
      company: { slide: 1, text: 'CardioSense' },
      offering: {
        slide: 1,
        text: 'A 14-day ECG patch with AI analysis that detects atrial fibrillation in stroke survivors at home',
      },
      amount: { slide: 12, text: 'We are raising €4.2M in a Series A round' },
      date: { slide: 1, text: 'March 2026' },
    },
  },
  slides: [
    {
      kind: 'cover',
      title: 'CardioSense',
      subtitle: 'A 14-day ECG patch with AI analysis that detects atrial fibrillation in stroke survivors at home',
      lines: ['Series A investor presentation', 'Munich, March 2026'],
    },
    {
      kind: 'content',
      title: 'One in four strokes comes back, and the cause stays hidden',
      answers: ['target_problem', 'problem_nature', 'pain_points', 'problem_quantification'],
      columns: [
        [
          {
            type: 'bullets',
            items: [
              'Stroke units discharge patients without knowing whether atrial fibrillation caused the stroke.',
              'The 24-hour Holter misses most episodes because they are rare and last only minutes.',
              'Patients wait nine weeks for a cardiology appointment; many never go.',
              'Neurologists must decide about blood thinners without data and fear both bleeding and the next stroke.',
            ],
          },
          { type: 'note', text: 'Sources: European Stroke Organisation 2024; own survey of 61 stroke units, 2025.' },
        ],
        [
          {
            type: 'stats',
            items: [
              { value: '1.1M', label: 'strokes per year in Europe' },
              { value: '27%', label: 'without known cause at discharge' },
            ],
          },
          {
            type: 'bars',
            title: 'Share of atrial fibrillation found, by length of recording',
            categories: ['24 hours', '3 days', '7 days', '14 days'],
            series: [{ name: 'Detected', values: [4, 7, 12, 18] }],
            unit: '%',
          },
          { type: 'paragraph', text: 'A second stroke costs health systems €38,000 in the first year alone.' },
        ],
      ],
    },
    {
      kind: 'content',
      title: 'Our solution: fitted on the ward, worn at home, read within a day',
      answers: ['solution_description'],
      columns: [
        [
          {
            type: 'cards',
            items: [
              {
                title: '1. Apply',
                text: 'A nurse places the patch in two minutes before discharge. No cables, no charging.',
              },
              { title: '2. Wear', text: 'The patch records a single-lead ECG for 14 days, also in the shower.' },
              {
                title: '3. Send back',
                text: 'The patient returns it in a prepaid envelope; 96% of patches come back.',
              },
              {
                title: '4. Report',
                text: 'Our software finds suspicious episodes, a cardiologist confirms them, and the stroke unit receives the report in 24 hours.',
              },
            ],
          },
          {
            type: 'callout',
            text: 'The device and the analysis are CE marked as class IIa under the MDR since November 2024.',
          },
        ],
      ],
    },
    {
      kind: 'content',
      title: 'Clinical evidence: four times more atrial fibrillation found',
      answers: ['quantified_advantage'],
      columns: [
        [
          {
            type: 'table',
            head: ['SENSE-AF study (n = 412)', 'CardioSense', '24-hour Holter'],
            rows: [
              ['Atrial fibrillation detected', '17.7%', '4.1%'],
              ['Sensitivity per episode', '98.2%', '–'],
              ['Specificity per episode', '97.4%', '–'],
              ['Readable recording time', '94%', '91%'],
              ['Time to report', '1 day', '16 days'],
            ],
          },
          {
            type: 'note',
            text: 'Prospective, multicentre, primary endpoint: new atrial fibrillation within 14 days, p < 0.001. Published in 2025.',
          },
        ],
        [
          {
            type: 'bullets',
            items: [
              '412 patients in five German stroke units; each wore both devices.',
              'Therapy changed in 15% of all patients as a result of our report.',
              'Each report saves 40 minutes of physician time compared with reading a Holter by hand.',
              'A randomised trial with 1,200 patients and stroke recurrence as endpoint starts in September 2026.',
            ],
          },
        ],
      ],
      split: [1.15, 1],
    },
    {
      kind: 'content',
      title: 'What stroke units use today, and why it falls short',
      answers: ['current_solutions', 'competitive_landscape', 'differentiation'],
      columns: [
        [
          {
            type: 'table',
            head: ['', 'CardioSense', 'Holter ECG', 'Implanted loop recorder', 'Patch from the US', 'Smartwatch'],
            rows: [
              ['Recording time', '14 days', '1–3 days', '3 years', '14 days', 'on demand'],
              ['Fitted by', 'nurse, 2 min', 'technician', 'surgeon', 'nurse', 'patient'],
              ['Report to stroke unit', '24 hours', '2–3 weeks', 'quarterly', '5–7 days', 'none'],
              ['Cost per patient', '€189', '€70', '€3,900', '€310', 'patient pays'],
              ['Tuned to stroke patients', 'yes', 'no', 'no', 'no', 'no'],
            ],
          },
          {
            type: 'paragraph',
            text: 'We differ in three ways: the algorithm is trained on stroke survivors, the report fits the neurologist’s discharge letter, and data never leave the EU. Competitors such as BeatTrace and Cortera Medical sell to cardiologists, not to stroke units.',
          },
        ],
      ],
    },
    {
      kind: 'content',
      title: 'Market: a reimbursed test for 640,000 patients a year',
      columns: [
        [
          {
            type: 'stats',
            items: [
              { value: '€1.4B', label: 'prolonged ECG monitoring in Europe (TAM)' },
              { value: '€320M', label: 'post-stroke monitoring in DACH, UK, France (SAM)' },
              { value: '€48M', label: 'reachable by 2030 (SOM)' },
            ],
          },
          {
            type: 'bullets',
            items: [
              'European guidelines have recommended more than 72 hours of monitoring after a stroke since 2024.',
              '1,340 certified stroke units in the five target countries.',
              'The market grows 11% a year as populations age.',
            ],
          },
        ],
      ],
    },
    {
      kind: 'content',
      title: 'Traction: 31 paying hospitals, growing every quarter',
      answers: ['paying_customers', 'pilot_customers', 'monthly_sales'],
      columns: [
        [
          {
            type: 'bars',
            title: 'Patches analysed per quarter',
            categories: ['Q1 25', 'Q2 25', 'Q3 25', 'Q4 25', 'Q1 26*'],
            series: [{ name: 'Patches', values: [310, 520, 810, 1240, 1690] }],
          },
          { type: 'note', text: '* forecast based on January and February' },
        ],
        [
          {
            type: 'bullets',
            items: [
              '31 hospitals pay for the service, among them Klinikum Rechts der Ammer and Universitätsklinik Nordheim.',
              'Monthly sales reached €92,000 in February, up from €21,000 a year ago.',
              'Pilots run at three NHS trusts; two have asked for a commercial offer.',
              'Signed framework contract with a purchasing group of 84 hospitals.',
            ],
          },
        ],
      ],
    },
    {
      kind: 'content',
      title: 'Customers stay because the report changes therapy',
      answers: ['customer_satisfaction', 'customer_acquisition'],
      columns: [
        [
          {
            type: 'quote',
            text: 'For the first time I can decide about anticoagulation before the patient is lost to follow-up.',
            by: 'Head of a stroke unit with 900 patients a year',
          },
          {
            type: 'stats',
            items: [
              { value: '71', label: 'net promoter score, 44 physicians asked in January' },
              { value: '4.7 / 5', label: 'wearing comfort rated by 388 patients' },
            ],
          },
        ],
        [
          { type: 'heading', text: 'How we win hospitals' },
          {
            type: 'bullets',
            items: [
              'Two field specialists visit stroke units; every second first meeting leads to a trial pack of ten patches.',
              'Lectures at the stroke congresses in Basel and Leipzig brought 40% of leads.',
              'Acquiring a hospital costs us €6,800 on average.',
            ],
          },
        ],
      ],
    },
    {
      kind: 'content',
      title: 'Business model: a price per report, paid by the hospital',
      answers: [
        'payer_identification',
        'payer_vs_user',
        'pricing_strategy',
        'unit_economics',
        'sales_cycle',
        'decision_making',
      ],
      columns: [
        [
          {
            type: 'stats',
            items: [
              { value: '€189', label: 'per patch including analysis and report' },
              { value: '68%', label: 'gross margin; 76% from 5,000 patches a month' },
            ],
          },
          {
            type: 'table',
            head: ['Unit economics per hospital', '2025', '2027 plan'],
            rows: [
              ['Patches per year', '150', '260'],
              ['Revenue', '€28,350', '€49,140'],
              ['Acquisition cost', '€6,800', '€5,500'],
              ['Payback', '4.3 months', '2.0 months'],
            ],
          },
        ],
        [
          {
            type: 'bullets',
            items: [
              'The hospital pays from the stroke case budget; statutory insurers refund €212 through an additional fee since 2025.',
              'Users are nurses and neurologists; patients pay nothing.',
              'The head of the stroke unit chooses, the medical director approves, purchasing signs.',
              'The sales cycle is five months from first visit to first order.',
            ],
          },
        ],
      ],
    },
    {
      kind: 'content',
      title: 'Financials: break-even in the second half of 2028',
      answers: ['monthly_burn', 'annual_burn'],
      columns: [
        [
          {
            type: 'bars',
            title: 'Revenue and operating costs in € million',
            categories: ['2024', '2025', '2026', '2027', '2028'],
            series: [
              { name: 'Revenue', values: [0.1, 0.7, 1.6, 3.9, 8.2] },
              { name: 'Operating costs', values: [1.4, 2.3, 3.8, 5.2, 7.4] },
            ],
          },
        ],
        [
          {
            type: 'bullets',
            items: [
              'Net burn is €135,000 per month today.',
              'Planned burn for 2026: €2.2M for the whole year, rising with the US study.',
              'Cash of €690,000 lasts until July 2026.',
              'Raised so far: €1.1M pre-seed in 2022 and €2.6M seed in May 2024.',
            ],
          },
        ],
      ],
      split: [1.3, 1],
    },
    {
      kind: 'content',
      title: 'Roadmap: from stroke units to every patient at risk',
      answers: ['future_state'],
      columns: [
        [
          {
            type: 'timeline',
            items: [
              { when: '2021', what: 'Founded as a spin-off of the technical university' },
              { when: 'Nov 2024', what: 'CE mark class IIa under the MDR' },
              { when: 'Q3 2026', what: 'Randomised trial starts; UK launch' },
              { when: 'Q2 2027', what: 'FDA 510(k) submission with a US predicate device' },
              { when: '2028', what: '200 hospitals in five countries, break-even' },
            ],
          },
          {
            type: 'callout',
            text: 'In five years CardioSense is the standard test after every stroke in Europe, with 150,000 reports a year.',
          },
          {
            type: 'paragraph',
            text: 'ISO 13485 quality system certified since 2023; two patents granted (EP, US), one pending.',
          },
        ],
      ],
    },
    {
      kind: 'content',
      title: 'The ask: €4.2M to scale what already works',
      answers: ['funding_requirements', 'fund_allocation', 'investment_strategy', 'priority_deficits'],
      columns: [
        [
          {
            type: 'donut',
            title: 'Use of funds',
            points: [
              { label: 'sales in UK and France', value: 40, shown: '40%' },
              { label: 'randomised trial', value: 25, shown: '25%' },
              { label: 'patch production line', value: 20, shown: '20%' },
              { label: 'FDA clearance', value: 15, shown: '15%' },
            ],
          },
        ],
        [
          { type: 'callout', text: 'We are raising €4.2M in a Series A round.' },
          {
            type: 'bullets',
            items: [
              'Runway of 24 months, until the first quarter of 2028.',
              '€1.5M is committed by existing investors.',
              'The biggest gap today is production: we assemble by hand and cannot go beyond 900 patches a month.',
              'Production comes first, then sales, so that every new hospital can be served from day one.',
            ],
          },
        ],
      ],
    },
    {
      kind: 'content',
      title: 'Team: cardiology, signal processing and medical devices',
      answers: ['team_experience', 'team_composition', 'organizational_maturity', 'urgent_hiring'],
      columns: [
        [
          {
            type: 'people',
            items: [
              {
                name: 'Dr. Lena Hartwig',
                role: 'CEO, co-founder',
                text: 'Neurologist, eight years on stroke units, led two device trials.',
              },
              {
                name: 'Tomasz Zielinski',
                role: 'CTO, co-founder',
                text: 'Signal processing, eleven years in ECG monitoring, 14 papers.',
              },
              {
                name: 'Amélie Perrin',
                role: 'COO',
                text: 'Scaled production of a glucose sensor from 2,000 to 90,000 units a month.',
              },
              {
                name: 'Jonas Feld',
                role: 'Head of sales',
                text: 'Twelve years selling to hospitals, opened the UK for a patient monitor.',
              },
            ],
          },
          {
            type: 'paragraph',
            text: '23 employees: 9 in development, 5 in clinical and regulatory affairs, 4 in production, 5 in sales and service. Advisory board with two professors of neurology; works with quarterly goals and an ISO 13485 quality system.',
          },
          { type: 'callout', text: 'Hiring now: a UK country manager and a production engineer, both before summer.' },
        ],
      ],
    },
    {
      kind: 'statement',
      text: 'Let us find the next stroke before it happens.',
      lines: ['Dr. Lena Hartwig, CEO', 'lena.hartwig@cardiosense.example', 'CardioSense GmbH, Munich'],
    },
  ],
};

/**
 * Quayline: logistics software, nothing to do with health, in English. Sales and unit economics are strong; customer satisfaction and
 * gaps in the team are not mentioned, and hiring stays vague. The company is invented.
 */
import type { DeckSpec } from '../spec.ts';

/** The deck of `samples/quayline.pdf`. */
export const quayline: DeckSpec = {
  language: 'en',
  sector: 'other',
  metadataTitle: 'Quayline Seed Extension',
  footer: 'Quayline, Inc. – strictly private',
  createdAt: new Date('2026-01-20T16:00:00Z'),
  theme: {
    background: '#fbfaf7',
    ink: '#14213d',
    muted: '#77787b',
    accent: '#14213d',
    second: '#e09f1f',
    panel: '#ece9e1',
    font: 'helvetica',
    header: 'band',
    cover: 'stripes',
  },
  facts: {
    company: 'Quayline',
    offering:
      'Scheduling software that lets trucking companies share container pick-ups at seaports and cut empty miles',
    amount: 6_000_000,
    currency: 'USD',
    date: '2026-01-20',
    datePrecision: 'day',
    places: {
      company: { slide: 1, text: 'Quayline' },
      offering: {
        slide: 4,
        text: 'Scheduling software that lets trucking companies share container pick-ups at seaports and cut empty miles',
      },
      amount: { slide: 12, text: 'Raising $6 million in seed extension financing' },
      date: { slide: 1, text: 'January 20, 2026' },
    },
  },
  slides: [
    {
      kind: 'cover',
      title: 'Quayline',
      subtitle: 'No truck leaves the port empty.',
      lines: ['Investor briefing', 'January 20, 2026'],
    },
    {
      kind: 'content',
      title: 'Half of all port trucks drive one way empty',
      answers: ['target_problem', 'pain_points', 'problem_quantification'],
      columns: [
        [
          {
            type: 'bullets',
            items: [
              'A drayage carrier brings a container in and returns without one, because it sees only its own orders.',
              'Drivers queue 94 minutes on average at the terminal gate and are not paid for it.',
              'Terminals fine carriers for missed slots; a mid-sized fleet loses $310,000 a year this way.',
              'Dispatchers plan by phone, e-mail and a whiteboard, starting at four in the morning.',
            ],
          },
        ],
        [
          {
            type: 'bars',
            title: 'Miles per container at five US ports, 2025',
            categories: ['Los Angeles', 'Savannah', 'Houston', 'New York', 'Oakland'],
            series: [
              { name: 'Loaded', values: [41, 63, 52, 38, 47] },
              { name: 'Empty', values: [36, 58, 44, 37, 40] },
            ],
          },
        ],
      ],
    },
    {
      kind: 'content',
      title: 'Why it has stayed unsolved',
      answers: ['problem_nature', 'current_solutions'],
      columns: [
        [
          {
            type: 'cards',
            items: [
              {
                title: 'It is structural',
                text: '17,000 small carriers compete for the same boxes. None of them has enough orders to pair trips on its own.',
              },
              {
                title: 'Data arrived late',
                text: 'Only since 2024 do the ten largest terminals publish gate slots and release status through an interface.',
              },
              {
                title: 'Today’s tools look inward',
                text: 'Transport management systems and spreadsheets plan one fleet. Load boards match freight, but know nothing about slots.',
              },
            ],
          },
        ],
      ],
    },
    {
      kind: 'content',
      title: 'Quayline pairs trips across fleets',
      answers: ['solution_description', 'differentiation'],
      columns: [
        [
          {
            type: 'paragraph',
            text: 'Scheduling software that lets trucking companies share container pick-ups at seaports and cut empty miles.',
          },
          {
            type: 'timeline',
            items: [
              { when: 'Connect', what: 'Reads orders from the carrier’s planning system and slots from the terminal.' },
              { when: 'Match', what: 'Finds pairs across fleets every 30 seconds and books the gate slot.' },
              { when: 'Drive', what: 'The driver gets one tour in the app, with papers and gate code.' },
              { when: 'Settle', what: 'We split the saving, invoice both carriers and pay within five days.' },
            ],
          },
          {
            type: 'bullets',
            items: [
              'Only we hold slot-level agreements with terminals (six signed), so a match is a booked trip and not a suggestion.',
              'Carriers never see each other’s customers or prices.',
            ],
          },
        ],
      ],
    },
    {
      kind: 'content',
      title: 'Measured: 29% fewer empty miles in the first quarter of use',
      answers: ['quantified_advantage'],
      columns: [
        [
          {
            type: 'stats',
            items: [
              { value: '–29%', label: 'empty miles per container' },
              { value: '–38 min', label: 'waiting time at the gate' },
              { value: '+1.1', label: 'more trips per truck and day' },
            ],
          },
          {
            type: 'lines',
            title: 'Empty miles per container, 22 carriers, weeks after start',
            categories: ['Week 0', 'Week 3', 'Week 6', 'Week 9', 'Week 12'],
            series: [{ name: 'Empty miles', values: [41, 38, 34, 31, 29] }],
          },
        ],
      ],
    },
    {
      kind: 'content',
      title: 'A $9.4 billion cost pool in the US alone',
      columns: [
        [
          {
            type: 'table',
            head: ['Segment', 'Containers a year', 'Cost of empty trips', 'Our fee at 12%'],
            rows: [
              ['US drayage', '52 million', '$9.4 billion', '$1.1 billion'],
              ['Ten largest US ports', '39 million', '$6.9 billion', '$830 million'],
              ['Reachable by 2029', '4.1 million', '$720 million', '$86 million'],
            ],
          },
          { type: 'note', text: 'Sources: port statistics 2025, carrier interviews, own calculation.' },
        ],
      ],
    },
    {
      kind: 'content',
      title: 'Traction: $212,000 in monthly revenue',
      answers: ['paying_customers', 'pilot_customers', 'monthly_sales', 'churn_analysis', 'customer_acquisition'],
      columns: [
        [
          {
            type: 'bars',
            title: 'Monthly revenue in $ thousand',
            categories: ['Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'],
            series: [{ name: 'Revenue', values: [71, 88, 117, 149, 181, 212] }],
          },
        ],
        [
          {
            type: 'bullets',
            items: [
              '64 carriers with 2,900 trucks pay today, the largest being Harborway Freight and Delta Box Lines.',
              'Two pilots with beneficial cargo owners run since November.',
              'Churn: 1.3% of trucks per month; three carriers left, two of them closed down.',
              'Carriers invite partners they already trade with: 57% of new customers come by referral, the rest from two inside sales people.',
            ],
          },
        ],
      ],
    },
    {
      kind: 'content',
      title: 'We earn a share of every saved trip',
      answers: [
        'payer_identification',
        'payer_vs_user',
        'decision_making',
        'sales_cycle',
        'pricing_strategy',
        'unit_economics',
      ],
      columns: [
        [
          {
            type: 'table',
            head: ['Per carrier with 45 trucks', 'Value'],
            rows: [
              ['Price: 12% of the saving, minimum $65 per truck and month', '$3,310 a month'],
              ['Gross margin', '81%'],
              ['Customer acquisition cost', '$7,900'],
              ['Lifetime value', '$118,000'],
              ['Payback', '2.9 months'],
            ],
          },
        ],
        [
          {
            type: 'bullets',
            items: [
              'The carrier pays. Users are its dispatchers and drivers, for whom it is free.',
              'The owner decides, usually after the dispatcher has tried it for two weeks.',
              'Sales cycle: 24 days for fleets under 100 trucks, four months above.',
              'Terminals pay nothing and receive fewer missed slots.',
            ],
          },
        ],
      ],
      split: [1.2, 1],
    },
    {
      kind: 'content',
      title: 'Competition: others plan a fleet, we plan the port',
      answers: ['competitive_landscape'],
      columns: [
        [
          {
            type: 'table',
            head: ['', 'Quayline', 'Dray-TMS vendors', 'Load boards', 'Terminal portals'],
            rows: [
              ['Pairs trips across carriers', 'yes', 'no', 'by hand', 'no'],
              ['Books gate slots', 'yes, 6 terminals', 'no', 'no', 'own terminal only'],
              ['Settles between carriers', 'yes', 'no', 'partly', 'no'],
              ['Examples', '–', 'PortPilot, BoxDesk', 'FreightRow', 'operators'],
              ['Price', '12% of saving', '$140 per truck', '$45 per load', 'free'],
            ],
          },
          {
            type: 'paragraph',
            text: 'The strongest rival, PortPilot, has 400 carriers and announced a matching feature for 2027; it has no agreement with a terminal so far.',
          },
        ],
      ],
    },
    {
      kind: 'content',
      title: 'Financial plan: profitable in 2028',
      answers: ['monthly_burn', 'annual_burn', 'financial_fluctuations'],
      columns: [
        [
          {
            type: 'table',
            head: ['$ million', '2025', '2026', '2027', '2028'],
            rows: [
              ['Revenue', '1.1', '4.8', '13.9', '31.0'],
              ['Gross profit', '0.8', '3.9', '11.4', '25.7'],
              ['Operating costs', '3.7', '7.9', '14.6', '22.3'],
              ['Operating result', '–2.9', '–4.0', '–3.2', '3.4'],
            ],
          },
          { type: 'note', text: 'Year ends December 31. 2025 unaudited.' },
        ],
        [
          {
            type: 'bullets',
            items: [
              'We burn $265,000 a month at present.',
              'Cash burn was $2.9 million in 2025 and will peak at $4.0 million in 2026.',
              'Revenue follows imports: it dips by 15% in February after Lunar New Year and peaks from August to October.',
              'Raised to date: $1.3 million pre-seed (2023), $4.5 million seed (2024).',
            ],
          },
        ],
      ],
    },
    {
      kind: 'content',
      title: 'The team has run ports, fleets and marketplaces',
      answers: ['team_experience', 'team_composition', 'organizational_maturity'],
      columns: [
        [
          {
            type: 'people',
            items: [
              {
                name: 'Marisol Duarte',
                role: 'CEO',
                text: 'Ten years at a terminal operator; introduced its slot system.',
              },
              { name: 'Ben Okafor', role: 'CTO', text: 'Built matching for a ride-hailing firm, 40 engineers.' },
              { name: 'Grace Lindqvist', role: 'COO', text: 'Third generation of a carrier with 180 trucks.' },
              { name: 'Ravi Menon', role: 'VP Finance', text: 'Two payment start-ups, one sold in 2022.' },
            ],
          },
          {
            type: 'paragraph',
            text: '29 people in Savannah and Lisbon: 15 in engineering, 6 in carrier success, 4 in sales, 4 in operations and finance. Board of three, monthly reporting since 2024, SOC 2 Type II completed.',
          },
        ],
      ],
    },
    {
      kind: 'content',
      title: 'The round',
      answers: ['funding_requirements', 'fund_allocation', 'investment_strategy'],
      columns: [
        [
          { type: 'callout', text: 'Raising $6 million in seed extension financing' },
          {
            type: 'bullets',
            items: [
              'Lead investor of the seed round takes $2 million.',
              'Density before distance: we fill Savannah and Houston before we open the next port, because matches grow with the square of trucks.',
              '22 months of runway.',
            ],
          },
        ],
        [
          {
            type: 'donut',
            title: 'How the money is spent',
            points: [
              { label: 'terminals and product', value: 45, shown: '$2.7M' },
              { label: 'sales in five ports', value: 35, shown: '$2.1M' },
              { label: 'settlement float', value: 20, shown: '$1.2M' },
            ],
          },
        ],
      ],
    },
    {
      kind: 'content',
      title: 'Where this leads',
      answers: ['future_state'],
      columns: [
        [
          {
            type: 'timeline',
            items: [
              { when: '2023', what: 'Founded in Savannah' },
              { when: 'June 2026', what: 'Houston and Charleston live' },
              { when: 'Q4 2026', what: '8,000 trucks, 10 terminals' },
              { when: '2027', what: 'First European port' },
              { when: '2029', what: 'One in ten US containers moves on a paired trip' },
            ],
          },
          {
            type: 'quote',
            text: 'We park eleven trucks less and move more boxes than last year.',
            by: 'Owner of a fleet with 70 trucks, Savannah',
          },
        ],
      ],
    },
    {
      kind: 'statement',
      text: 'Fill every truck.',
      lines: ['marisol@quayline.example', 'Quayline, Inc., Savannah, Georgia'],
    },
  ],
};

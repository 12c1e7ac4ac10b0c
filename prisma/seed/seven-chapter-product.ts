/**
 * Chapters 1–3 of the Seven-Chapter review: the problem, the solution, the fit between product and market.
 *
 * Criteria say what a full answer contains, so that a score measures how much the deck tells and not how much the reader likes it.
 */
import type { SeedChapter } from './template-types.ts';

/** Problem, solution, product-market fit: 14 questions. */
export const PRODUCT_CHAPTERS: readonly SeedChapter[] = [
  {
    slug: 'problem_analysis',
    name: 'Problem analysis',
    description: 'Who has which problem, how it shows, and how large it is.',
    weight: 1,
    questions: [
      {
        slug: 'target_problem',
        text: 'Which problem does the company want to solve, and who has it?',
        criteria:
          'A full answer names one concrete problem, the group of people or organisations that has it, and the situation in which it arises. It is specific enough that an outsider could find someone affected.',
        healthFocus:
          'Look for the indication or care situation and for whether patients, clinicians, providers or payers carry the problem.',
        weight: 1,
      },
      {
        slug: 'problem_nature',
        text: 'What kind of problem is it, and why does it exist?',
        criteria:
          'A full answer says whether the problem is medical, technical, economic, organisational or legal, what causes it, how often it occurs, and why it has not gone away by itself.',
        healthFocus: 'Look for the medical cause or the failure in the care pathway that keeps the problem alive.',
        weight: 1,
      },
      {
        slug: 'pain_points',
        text: 'Which pain points do those affected feel today?',
        criteria:
          'A full answer lists the distinct pain points per affected group, with what each costs them in money, time, risk or quality of life, and backs at least one with an example, a survey or an interview.',
        healthFocus:
          'Look for harm to patients, burden on clinical staff and cost to payers as three separate pain points.',
        weight: 1,
      },
      {
        slug: 'problem_quantification',
        text: 'How large is the problem in numbers?',
        criteria:
          'A full answer gives the number of people or organisations affected, the cost of the problem per case or per year, the region and year the figures hold for, and their source.',
        healthFocus: 'Look for prevalence, incidence, mortality or cost of illness, with the source of each figure.',
        weight: 1,
      },
    ],
  },
  {
    slug: 'solution_approach',
    name: 'Solution approach',
    description: 'What the company offers, how it works, and why it is better than what exists.',
    weight: 1,
    questions: [
      {
        slug: 'solution_description',
        text: 'What is the solution, and how does it work?',
        criteria:
          'A full answer describes the product, how a user works with it step by step, the technology behind it, and its stage of development (idea, prototype, pilot, on the market).',
        healthFocus: 'Look for the intended use, the intended user and the place of the product in the care pathway.',
        weight: 1,
      },
      {
        slug: 'differentiation',
        text: 'What sets the solution apart from everything else?',
        criteria:
          'A full answer names the one or two properties that others lack, explains why they matter to the customer, and says what keeps others from copying them (patent, data, know-how, network, contract).',
        healthFocus: 'Look for protection by patents, clinical data, approvals or exclusive access to patients.',
        weight: 1,
      },
      {
        slug: 'current_solutions',
        text: 'How is the problem solved today, and where does that fall short?',
        criteria:
          'A full answer names what those affected do today, including doing nothing, and states for each way its cost, its result and its shortcoming.',
        healthFocus: 'Look for the current standard of care or guideline therapy and its measured shortcomings.',
        weight: 1,
      },
      {
        slug: 'competitive_landscape',
        text: 'Who are the competitors, and how does the company compare with them?',
        criteria:
          'A full answer names the direct and indirect competitors, compares them with the company on features, price and traction, and says honestly where a competitor is ahead.',
        healthFocus: 'Look for competitors that already have approval, reimbursement or published studies.',
        weight: 1,
      },
      {
        slug: 'quantified_advantage',
        text: 'How large is the advantage for the customer in numbers?',
        criteria:
          'A full answer gives measured figures for time, money or quality gained against today’s way, says how they were measured and on how many cases, and separates results from estimates.',
        healthFocus: 'Look for clinical endpoints, effect sizes or savings per case, and for the study they come from.',
        weight: 1,
      },
    ],
  },
  {
    slug: 'product_market_fit',
    name: 'Product-market fit',
    description: 'Whether customers buy, stay and recommend.',
    weight: 1,
    questions: [
      {
        slug: 'paying_customers',
        text: 'Are there paying customers, and how many?',
        criteria:
          'A full answer gives the number of paying customers, names some of them or their kind, and states what they pay, since when, and how the number has grown.',
        healthFocus: 'Look for whether hospitals, practices, payers or patients themselves are the ones who pay.',
        weight: 1,
      },
      {
        slug: 'pilot_customers',
        text: 'Are there pilot customers or test users, and what came out of the pilots?',
        criteria:
          'A full answer names the pilots with partner, size and duration, says whether they were paid, gives the result of each, and states how many turned or will turn into contracts.',
        healthFocus: 'Look for clinical partners, pilot sites and numbers of patients included.',
        weight: 1,
      },
      {
        slug: 'customer_acquisition',
        text: 'How does the company win customers, and at what cost?',
        criteria:
          'A full answer describes the channels in use, the steps from first contact to contract with conversion rates, and the cost of winning one customer.',
        healthFocus:
          'Look for routes through physicians, clinics, payers or pharmacies and for limits on advertising to patients.',
        weight: 1,
      },
      {
        slug: 'customer_satisfaction',
        text: 'How satisfied are customers and users, and how is that known?',
        criteria:
          'A full answer gives a measured figure (such as a recommendation score, rating, usage or renewal rate) with method and number of respondents, and adds what customers say in their own words.',
        healthFocus: 'Look for patient-reported outcomes and for the acceptance among clinical staff.',
        weight: 1,
      },
      {
        slug: 'churn_analysis',
        text: 'How many customers leave, and why?',
        criteria:
          'A full answer gives the churn or retention rate with its period and cohort, the reasons why customers leave, and what the company does about them.',
        healthFocus: 'Look for patients who drop out of a program and for contracts that end after a pilot.',
        weight: 1,
      },
    ],
  },
];

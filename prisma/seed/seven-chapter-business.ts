/**
 * Chapters 4–7 of the Seven-Chapter review: monetization, financials, use of funds, organization.
 *
 * Criteria say what a full answer contains, so that a score measures how much the deck tells and not how much the reader likes it.
 */
import type { SeedChapter } from './template-types.ts';

/** Monetization, financials, use of funds, organization: 20 questions. */
export const BUSINESS_CHAPTERS: readonly SeedChapter[] = [
  {
    slug: 'monetization',
    name: 'Monetization',
    description: 'Who pays how much, who decides, and what is left of it.',
    weight: 1,
    questions: [
      {
        slug: 'payer_identification',
        text: 'Who pays for the product?',
        criteria:
          'A full answer names the paying party for each source of revenue, the budget the money comes from, and evidence that this party is willing to pay.',
        healthFocus:
          'Look for statutory or private insurers, hospitals, employers or self-payers, and for the route to reimbursement.',
        weight: 1,
      },
      {
        slug: 'payer_vs_user',
        text: 'Is the one who pays also the one who uses the product, and if not, what does each gain?',
        criteria:
          'A full answer separates payer, user and beneficiary, states the gain of each, and says how the company deals with conflicting interests between them.',
        healthFocus: 'Look for patient, prescriber and payer as separate parties and for the benefit shown to each.',
        weight: 1,
      },
      {
        slug: 'decision_making',
        text: 'Who decides on the purchase, and how is the decision made?',
        criteria:
          'A full answer names the roles that decide, influence and can veto, the steps and criteria of the decision, and any tender, committee or approval in between.',
        healthFocus: 'Look for purchasing departments, chief physicians, ethics or IT boards and payer committees.',
        weight: 1,
      },
      {
        slug: 'sales_cycle',
        text: 'How long does it take from first contact to payment?',
        criteria:
          'A full answer gives the length of the sales cycle in weeks or months per type of customer, its phases, and the experience the figure rests on.',
        healthFocus: 'Look for waiting times caused by approval, reimbursement decisions or hospital budgets.',
        weight: 1,
      },
      {
        slug: 'pricing_strategy',
        text: 'What does the product cost, and how is the price set?',
        criteria:
          'A full answer gives the price per unit, licence or period, the pricing model with its tiers, the reasoning behind the level, and how it compares with alternatives.',
        healthFocus: 'Look for tariffs, fee codes, negotiated reimbursement prices and the effect of price regulation.',
        weight: 1,
      },
      {
        slug: 'unit_economics',
        text: 'What does the company earn and spend per customer or unit?',
        criteria:
          'A full answer gives revenue, direct cost and margin per unit, acquisition cost and lifetime value per customer with their ratio or payback time, and says which figures are measured and which planned.',
        healthFocus: 'Look for cost per patient or per test set against the reimbursement for it.',
        weight: 1,
      },
    ],
  },
  {
    slug: 'financials',
    name: 'Financials',
    description: 'What the company earns, spends and needs.',
    weight: 1,
    questions: [
      {
        slug: 'monthly_burn',
        text: 'How much money does the company spend per month more than it earns?',
        criteria:
          'A full answer gives the current monthly burn with currency and reference month, its main items, and how many months the cash at hand lasts.',
        healthFocus: 'Look for the share of studies, approval and quality management in the monthly cost.',
        weight: 1,
      },
      {
        slug: 'monthly_sales',
        text: 'How high are the monthly sales?',
        criteria:
          'A full answer gives current monthly or recurring revenue with currency and reference month, its development over at least six months, and its split by product or customer type.',
        healthFocus: 'Look for reimbursed sales as against self-pay, pilot and grant income.',
        weight: 1,
      },
      {
        slug: 'financial_fluctuations',
        text: 'Which fluctuations are there in revenue and cost, and what causes them?',
        criteria:
          'A full answer names seasonal, one-off or customer-related swings with their size, their causes, and how the company keeps enough cash to bear them.',
        healthFocus: 'Look for swings caused by study phases, milestone payments, budget years or single tenders.',
        weight: 1,
      },
      {
        slug: 'annual_burn',
        text: 'How much money will the company burn per year?',
        criteria:
          'A full answer gives the burn of the last and the planned burn of the coming years, with the assumptions behind the plan and the point at which the company breaks even.',
        healthFocus: 'Look for the yearly cost of trials, certification and market entry in each country.',
        weight: 1,
      },
      {
        slug: 'funding_requirements',
        text: 'How much funding does the company seek, and on which terms?',
        criteria:
          'A full answer gives the amount and currency of this round, its stage and instrument, valuation or share offered, money already committed, earlier rounds, and how long the money lasts.',
        healthFocus:
          'Look for grants and non-dilutive money beside equity, and for funding tied to clinical milestones.',
        weight: 1,
      },
    ],
  },
  {
    slug: 'use_of_funds',
    name: 'Use of funds',
    description: 'What the money of this round is for and what it leads to.',
    weight: 1,
    questions: [
      {
        slug: 'fund_allocation',
        text: 'What will the money be spent on?',
        criteria:
          'A full answer splits the whole amount by purpose in money or percent, adds the period, and the parts add up to the amount sought.',
        healthFocus: 'Look for the shares meant for clinical studies, regulatory approval and reimbursement.',
        weight: 1,
      },
      {
        slug: 'priority_deficits',
        text: 'Which shortcomings will be dealt with first?',
        criteria:
          'A full answer names the most pressing gaps in product, team, sales or evidence, puts them in order, and says why this order.',
        healthFocus: 'Look for missing clinical evidence, certification or quality management among the gaps.',
        weight: 1,
      },
      {
        slug: 'investment_strategy',
        text: 'Which strategy stands behind the planned spending?',
        criteria:
          'A full answer ties each larger spending to a goal with a date and a measure, explains the order of steps, and says what happens if less money comes in or a step fails.',
        healthFocus: 'Look for a plan that puts approval, evidence and reimbursement in the right order.',
        weight: 1,
      },
      {
        slug: 'future_state',
        text: 'Where will the company stand once the money is spent?',
        criteria:
          'A full answer describes the state at the end of the period in measurable terms (customers, revenue, product, approvals, markets) and what becomes possible next, such as profit or another round.',
        healthFocus: 'Look for the approval, study result or reimbursement listing to be reached by then.',
        weight: 1,
      },
    ],
  },
  {
    slug: 'organization',
    name: 'Organization',
    description: 'Who runs the company, how mature it is, and who is missing.',
    weight: 1,
    questions: [
      {
        slug: 'team_experience',
        text: 'Which experience does the team bring?',
        criteria:
          'A full answer gives for each founder and key person the role, relevant years or positions, earlier companies or results, and why that fits this business.',
        healthFocus: 'Look for clinical, scientific, regulatory and health-market experience.',
        weight: 1,
      },
      {
        slug: 'organizational_maturity',
        text: 'How mature is the organization?',
        criteria:
          'A full answer states legal form and founding year, number of employees, structure and responsibilities, working processes or certifications, and advisers or boards.',
        healthFocus: 'Look for a quality management system, data protection processes and a scientific advisory board.',
        weight: 1,
      },
      {
        slug: 'team_composition',
        text: 'How is the team composed?',
        criteria:
          'A full answer shows who covers technology, product, sales, finance and the subject itself, how much time each gives, and how shares or roles are divided among founders.',
        healthFocus: 'Look for a medical lead and for someone responsible for regulatory affairs.',
        weight: 1,
      },
      {
        slug: 'skill_gaps',
        text: 'Which skills are missing in the team?',
        criteria:
          'A full answer names the missing skills openly, what each gap puts at risk, and how it is bridged until it is filled (advisers, partners, contractors).',
        healthFocus: 'Look for gaps in clinical, regulatory, reimbursement and data protection knowledge.',
        weight: 1,
      },
      {
        slug: 'urgent_hiring',
        text: 'Which positions must be filled most urgently?',
        criteria:
          'A full answer lists the positions with priority, planned date and cost, says why each is urgent, and mentions candidates or the way they are found.',
        healthFocus: 'Look for planned hires in clinical affairs, regulatory affairs and market access.',
        weight: 1,
      },
    ],
  },
];

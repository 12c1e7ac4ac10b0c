/** Templates: what tells an author what to write is no statement of a company. */
import { expect, it } from 'vitest';
import { SEVEN_CHAPTER_REVIEW } from '../../../prisma/seed/seven-chapter-review.ts';
import { answered, ask, deckOfMarks } from './ask.ts';

const ENGLISH = [
  '# Pitch deck guide\n\nUse this outline for your pitch deck.',
  '# Problem\n\n- Describe the pain of the customer.\n- Patients wait six weeks because nobody plans the rooms.',
  '# Solution\n\n- Explain your value proposition\n- Our product saves clinics two hours a day.',
  '# Business model\n\nHow will you make money? Clinics pay €450 per month.',
  '# Team\n\nYou need to convey that the founders can do it.\n\n- CEO with ten years of experience in software',
  '# The ask\n\nWhat is your funding round used for? We are raising €2 million.',
];
const GERMAN = [
  '# Vorlage\n\n[Firmenname]',
  '# Problem\n\nBeschreiben Sie das Problem: Patienten warten sechs Wochen auf einen Termin.',
  '# Lösung\n\nErläutern Sie Ihr Wertversprechen mit höchstens drei Sätzen.',
  '# Team\n\nNennen Sie Rollen und Erfahrung, zum Beispiel zehn Jahre in der Medizintechnik.',
];
/** Values that are still to be filled in. */
const INSTRUCTIONS = [
  '# [Your company name]\n\n[Your tagline goes here]',
  '# Problem\n\n- What is the pain point? Who has it?\n- Tip: tell a story',
  '# Solution\n\n- Insert screenshot or photo',
  '# Market\n\n- TAM: $___ B\n- Name the source of every number',
  '# Team\n\n- Name, role, one line of background',
  '# Roadmap\n\n- Q1: milestone',
  '# Ask\n\n- We are raising $X for Y months\n- Example: “We raise $500,000 to reach 1,000 customers”\n- __% product',
];
const UNFILLED = [
  '# [Your company name]\n\nOne sentence that describes what you do',
  '# Problem\n\nWho has the problem?\n\nInsert image',
  '# Market\n\n$X billion\n\n$X million',
  '# Price\n\n$00 / month\n\n00%',
  '# Team\n\nFirst Last Name\nRole, previous experience',
  '# The ask\n\nExample: We are raising $1,000,000 to launch in three cities.',
];
/** Each value is named in brackets. */
const BRACKETS = [
  '# [Company Name]\n\n[One line on what you offer]',
  '# Features\n\n- [Feature]: saves clinics two hours a day\n- [Feature 2]',
  '# Market size\n\nTAM $XXB, SAM $XB',
  '# Roadmap\n\n- Q1 [Milestone]\n- Q2 [Milestone]',
  '# Team\n\n- [Full Name], CEO, ten years in software',
];
/** Names are blackened. */
const BLACKENED = [
  '# Planwerk\n\nPlanwerk is a planning app for small clinics.',
  '# Customers\n\n- [REDACTED] pays €450 per month\n- [REDACTED] Hospital pays €900 per month',
  '# Team\n\n- [REDACTED], CEO, ten years of experience in medical software',
  '# Partners\n\n- [REDACTED] University',
];
/** A product for companies speaks of "your team" as well. */
const FOR_COMPANIES = [
  '# Planwerk\n\nPlanwerk is a planning app for small clinics.',
  '# Solution\n\nExplain your rooms once, and your team sees a plan for your business every morning.',
  '# Benefit\n\nYour company saves two hours a day. We plan, you treat.',
  '# Pricing\n\nHow you make money with it: clinics pay €450 per month and keep your competitors away.',
];
const QUESTIONS = SEVEN_CHAPTER_REVIEW.chapters.flatMap((chapter) => chapter.questions.map(({ slug }) => slug));

it.each([
  ['English', ENGLISH],
  ['German', GERMAN],
  ['values to be filled in', UNFILLED],
  ['questions and instructions', INSTRUCTIONS],
  ['names of values in brackets', BRACKETS],
])('a template answers no question and states no value: %s', (_, slides) => {
  const deck = deckOfMarks(slides);
  expect(QUESTIONS.filter((slug) => answered(slug, deck).evidence.length > 0)).toEqual([]);
  for (const task of ['extract_company_name', 'extract_offering', 'extract_funding'] as const)
    expect(ask(task, deck).stated).toBe(false);
});

it('a deck that speaks to its customers is no template', () => {
  const deck = deckOfMarks(FOR_COMPANIES);
  expect(answered('pricing_strategy', deck).covered).not.toBe('no');
  expect(answered('solution_description', deck).covered).not.toBe('no');
  expect(ask('extract_company_name', deck).value).toBe('Planwerk');
});

it('a deck with blackened names is no template', () => {
  const deck = deckOfMarks(BLACKENED);
  expect(answered('paying_customers', deck).covered).not.toBe('no');
  expect(ask('extract_company_name', deck).value).toBe('Planwerk');
});

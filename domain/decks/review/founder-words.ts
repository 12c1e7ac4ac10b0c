/** What a founder is asked, in each language: the questions of the Seven-Chapter review put to the company, and the frame of the mail. */
import type { ExtractionField, Language } from '../../models/model-tasks.ts';

/** A quote with its slide, as it is put into a sentence. */
interface Said {
  readonly slide: number;
  readonly quote: string;
}

interface FounderWords {
  /** By slug of the question. */
  readonly questions: Readonly<Record<string, string>>;
  readonly values: Readonly<Record<ExtractionField, string>>;
  readonly contradiction: (first: Said, second: Said) => string;
  readonly readableDeck: string;
  readonly otherLanguage: string;
  readonly slideText: (slides: readonly number[]) => string;
  readonly because: {
    readonly notFound: string;
    readonly statedAbsent: (quotes: readonly Said[]) => string;
    readonly partly: (quotes: readonly Said[]) => string;
    /** For quotes that an earlier reason gave. */
    readonly onSlides: (slides: readonly number[]) => string;
    readonly contradiction: string;
    readonly unreadable: string;
  };
  readonly subject: (company: string | null) => string;
  readonly greeting: (company: string | null) => string;
  readonly lead: string;
  readonly end: string;
}

const english: FounderWords = {
  questions: {
    target_problem: 'Which problem do you solve, and who has it?',
    problem_nature: 'What causes the problem, and why has nobody solved it yet?',
    pain_points: 'What does the problem cost those who have it today?',
    problem_quantification: 'How large is the problem in numbers: how many people or companies have it, at what cost?',
    solution_description: 'What is your product, how does it work, and at what stage of development is it?',
    differentiation: 'What can you do that others cannot, and what keeps them from copying it?',
    current_solutions: 'How is the problem solved today, and where does that fall short?',
    competitive_landscape: 'Who are your competitors, and how do you compare with them?',
    quantified_advantage: 'Which advantage do your customers have in numbers, and how was it measured?',
    paying_customers: 'How many paying customers do you have, who are they, and since when do they pay?',
    pilot_customers: 'Which pilots have you run, and what came out of them?',
    customer_acquisition: 'How do you win customers, and what does a new customer cost you?',
    customer_satisfaction: 'How satisfied are your customers, and how do you know?',
    churn_analysis: 'How many customers leave you, and why?',
    payer_identification: 'Who pays for your product, and from which budget?',
    payer_vs_user: 'Is the one who pays also the one who uses the product? If not, what does each of them gain?',
    decision_making: 'Who decides on the purchase at your customers, and how?',
    sales_cycle: 'How long does it take from the first contact to the first payment?',
    pricing_strategy: 'What does your product cost, and how did you arrive at the price?',
    unit_economics: 'What do you earn and spend per customer or unit?',
    monthly_burn: 'How much more do you spend per month than you earn, and how long will your cash last?',
    monthly_sales: 'How high are your monthly sales, and how have they developed?',
    financial_fluctuations: 'Which fluctuations do you expect in revenue and cost, and why?',
    annual_burn: 'How much cash will you need per year until you break even?',
    funding_requirements: 'How much funding are you looking for, and on which terms?',
    fund_allocation: 'What will you spend the money on, by purpose and amount?',
    priority_deficits: 'Which gaps in product, team or sales will you close first?',
    investment_strategy: 'Which goals do the planned expenses serve, and by when?',
    future_state: 'Where will you stand in numbers once the money is spent?',
    team_experience: 'Which experience does each founder bring?',
    organizational_maturity: 'When was the company founded, in which legal form, and how many people work for it?',
    team_composition: 'Who is responsible for technology, product, sales and finance, and with how much of their time?',
    skill_gaps: 'Which skills does your team still lack?',
    urgent_hiring: 'Which positions do you have to fill first?',
  },
  values: {
    company_name: 'What is the name of the company?',
    offering: 'What do you offer, in one sentence?',
    funding: 'How much funding are you looking for?',
    deck_date: 'Of which date is the deck?',
  },
  contradiction: (first, second) =>
    `Slide ${first.slide} says “${first.quote}”, slide ${second.slide} says “${second.quote}”. Which of them is right?`,
  readableDeck: 'Could you send the deck as a PDF with text, exported from the program that it was made with?',
  otherLanguage: 'Is there an English or German version of the deck?',
  slideText: (slides) =>
    slides.length === 1 ? `What does slide ${slides.join('')} say?` : `What do slides ${slides.join(', ')} say?`,
  because: {
    notFound: 'Nothing on this was found in the deck.',
    statedAbsent: (quotes) => `The deck says that there is none: ${englishQuotes(quotes)}.`,
    partly: (quotes) => `In the deck we found: ${englishQuotes(quotes)}.`,
    onSlides: (slides) =>
      `In the deck we found something on this on ${slides.length === 1 ? 'slide' : 'slides'} ${slides.join(', ')}.`,
    contradiction: 'These statements cannot both be right.',
    unreadable: 'This could not be read.',
  },
  subject: (company) => `${company === null ? 'Questions' : `${company}: questions`} about your pitch deck`,
  greeting: (company) => (company === null ? 'Hello,' : `Dear ${company} team,`),
  lead: 'Thank you for your pitch deck. After reading it we have these questions:',
  end: 'Kind regards',
};

const german: FounderWords = {
  questions: {
    target_problem: 'Welches Problem lösen Sie, und wer hat es?',
    problem_nature: 'Was ist die Ursache des Problems, und warum hat es noch niemand gelöst?',
    pain_points: 'Was kostet das Problem die Betroffenen heute?',
    problem_quantification:
      'Wie groß ist das Problem in Zahlen: Wie viele Menschen oder Unternehmen haben es, und was kostet es?',
    solution_description: 'Was ist Ihr Produkt, wie funktioniert es, und wie weit ist es entwickelt?',
    differentiation: 'Was können Sie, das andere nicht können, und was hindert diese daran, es nachzuahmen?',
    current_solutions: 'Wie wird das Problem heute gelöst, und wo reicht das nicht aus?',
    competitive_landscape: 'Wer sind Ihre Wettbewerber, und wie stehen Sie im Vergleich zu ihnen da?',
    quantified_advantage: 'Welchen Vorteil haben Ihre Kunden in Zahlen, und wie wurde er gemessen?',
    paying_customers: 'Wie viele zahlende Kunden haben Sie, wer sind sie, und seit wann zahlen sie?',
    pilot_customers: 'Welche Pilotprojekte gab es, und was kam dabei heraus?',
    customer_acquisition: 'Wie gewinnen Sie Kunden, und was kostet Sie ein neuer Kunde?',
    customer_satisfaction: 'Wie zufrieden sind Ihre Kunden, und woher wissen Sie das?',
    churn_analysis: 'Wie viele Kunden verlieren Sie, und warum?',
    payer_identification: 'Wer bezahlt Ihr Produkt, und aus welchem Budget?',
    payer_vs_user: 'Nutzt das Produkt, wer es bezahlt? Wenn nicht: Welchen Nutzen hat jeder davon?',
    decision_making: 'Wer entscheidet bei Ihren Kunden über den Kauf, und wie?',
    sales_cycle: 'Wie lange dauert es vom ersten Kontakt bis zur ersten Zahlung?',
    pricing_strategy: 'Was kostet Ihr Produkt, und wie kommt der Preis zustande?',
    unit_economics: 'Was verdienen Sie an einem Kunden oder Stück, und was kostet es Sie?',
    monthly_burn: 'Wie viel mehr geben Sie im Monat aus, als Sie einnehmen, und wie lange reicht Ihr Geld?',
    monthly_sales: 'Wie hoch ist Ihr monatlicher Umsatz, und wie hat er sich entwickelt?',
    financial_fluctuations: 'Welche Schwankungen erwarten Sie bei Umsatz und Kosten, und warum?',
    annual_burn: 'Wie viel Geld brauchen Sie pro Jahr bis zur Gewinnschwelle?',
    funding_requirements: 'Wie viel Kapital suchen Sie, und zu welchen Bedingungen?',
    fund_allocation: 'Wofür geben Sie das Geld aus, nach Zweck und Betrag?',
    priority_deficits: 'Welche Lücken bei Produkt, Team oder Vertrieb schließen Sie zuerst?',
    investment_strategy: 'Welchen Zielen dienen die geplanten Ausgaben, und bis wann?',
    future_state: 'Wo stehen Sie in Zahlen, wenn das Geld ausgegeben ist?',
    team_experience: 'Welche Erfahrung bringt jede Gründerin und jeder Gründer mit?',
    organizational_maturity:
      'Wann wurde das Unternehmen gegründet, in welcher Rechtsform, und wie viele Menschen arbeiten dort?',
    team_composition:
      'Wer verantwortet Technik, Produkt, Vertrieb und Finanzen, und mit welchem Anteil der Arbeitszeit?',
    skill_gaps: 'Welche Fähigkeiten fehlen Ihrem Team noch?',
    urgent_hiring: 'Welche Stellen müssen Sie zuerst besetzen?',
  },
  values: {
    company_name: 'Wie heißt das Unternehmen?',
    offering: 'Was bieten Sie an, in einem Satz?',
    funding: 'Wie viel Kapital suchen Sie?',
    deck_date: 'Von welchem Datum ist das Deck?',
  },
  contradiction: (first, second) =>
    `Auf Folie ${first.slide} steht „${first.quote}“, auf Folie ${second.slide} „${second.quote}“. Was davon stimmt?`,
  readableDeck: 'Können Sie uns das Deck als PDF mit Text schicken, aus dem Programm exportiert, in dem es entstand?',
  otherLanguage: 'Gibt es das Deck auch auf Deutsch oder Englisch?',
  slideText: (slides) => `Was steht auf ${slides.length === 1 ? 'Folie' : 'den Folien'} ${slides.join(', ')}?`,
  because: {
    notFound: 'Dazu wurde im Deck nichts gefunden.',
    statedAbsent: (quotes) => `Laut Deck gibt es das nicht: ${germanQuotes(quotes)}.`,
    partly: (quotes) => `Im Deck steht dazu: ${germanQuotes(quotes)}.`,
    onSlides: (slides) => `Im Deck steht dazu etwas auf Folie ${slides.join(', ')}.`,
    contradiction: 'Diese Angaben können nicht beide stimmen.',
    unreadable: 'Das war nicht lesbar.',
  },
  subject: (company) => `${company === null ? '' : `${company}: `}Fragen zu Ihrem Pitch-Deck`,
  greeting: (company) => (company === null ? 'Guten Tag,' : `Liebes Team von ${company},`),
  lead: 'vielen Dank für Ihr Pitch-Deck. Nach dem Lesen haben wir diese Fragen:',
  end: 'Mit freundlichen Grüßen',
};

const englishQuotes = (quotes: readonly Said[]): string =>
  quotes.map(({ slide, quote }) => `“${quote}” (slide ${slide})`).join(', ');

const germanQuotes = (quotes: readonly Said[]): string =>
  quotes.map(({ slide, quote }) => `„${quote}“ (Folie ${slide})`).join(', ');

/** The words in both languages. */
export const founderWords: Readonly<Record<Language, FounderWords>> = { en: english, de: german };

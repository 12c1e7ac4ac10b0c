/** Stories of decks in other languages. All invented. */
import type { QuestionSlug, SectorSlug } from '../../../domain/evaluation/deck-truth.ts';
import type { Currency } from './money.ts';

/** What a deck says in one language. Blanks: {company}, {ask}, {n}. */
export interface ForeignStory {
  readonly language: string;
  readonly sector: SectorSlug;
  readonly offering: string;
  readonly occasion: string;
  /** Months in their order, as they stand before a year. */
  readonly months: readonly string[];
  /** Between month and year. */
  readonly monthOf: string;
  readonly currency: Currency;
  /** Forms of a sum; the blank {m} is the number of millions, {plain} the whole amount in groups of three digits. */
  readonly sums: readonly string[];
  readonly ask: string;
  readonly useOfFunds: string;
  readonly slides: readonly {
    readonly title: string;
    readonly items: readonly string[];
    readonly answers: readonly QuestionSlug[];
  }[];
  readonly thanks: string;
}

/** One for each language. */
export const FOREIGN_STORIES: readonly ForeignStory[] = [
  {
    language: 'es',
    sector: 'other',
    offering: 'Una plataforma que ayuda a los pequeños hoteles a vender sus habitaciones vacías',
    occasion: 'Presentación para inversores',
    months: 'enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre'.split(' '),
    monthOf: ' de ',
    currency: 'EUR',
    sums: ['{m} millones de euros', '{m} M€', '{m} millones €'],
    ask: 'Buscamos {ask} para crecer en toda la península',
    useOfFunds: 'Uso de los fondos: 50 % producto, 30 % ventas, 20 % equipo',
    slides: [
      {
        title: 'El problema',
        items: [
          'Los hoteles con menos de treinta habitaciones pierden una de cada tres noches.',
          'Las grandes agencias cobran una comisión del {n} % por cada reserva.',
        ],
        answers: ['target_problem', 'problem_quantification'],
      },
      {
        title: 'La solución',
        items: [
          '{company} publica las habitaciones libres en una hora.',
          'El dueño decide el precio más bajo y nosotros buscamos al huésped.',
        ],
        answers: ['solution_description'],
      },
      {
        title: 'El mercado',
        items: [
          'En España hay más de once mil hoteles pequeños.',
          'El mercado crece cada año porque los viajeros buscan lugares tranquilos.',
        ],
        answers: [],
      },
      {
        title: 'Nuestros clientes',
        items: [
          'Trabajamos con {n} hoteles que pagan una cuota mensual.',
          'La mayoría llegó gracias a la recomendación de otro hotel.',
        ],
        answers: ['paying_customers', 'customer_acquisition'],
      },
      {
        title: 'El equipo',
        items: [
          'La fundadora dirigió durante diez años un hotel familiar.',
          'El director técnico desarrolló sistemas de reserva para aerolíneas.',
        ],
        answers: ['team_experience'],
      },
    ],
    thanks: 'Muchas gracias por su atención',
  },
  {
    language: 'fr',
    sector: 'telemedicine',
    offering: 'Une application qui relie les infirmières à domicile et les médecins de campagne',
    occasion: 'Présentation aux investisseurs',
    months: 'janvier février mars avril mai juin juillet août septembre octobre novembre décembre'.split(' '),
    monthOf: ' ',
    currency: 'EUR',
    sums: ['{m} millions d’euros', '{m} M€', '{plain} €'],
    ask: 'Nous levons {ask} pour ouvrir dix régions',
    useOfFunds: 'Utilisation des fonds : 60 % produit, 40 % ventes',
    slides: [
      {
        title: 'Le problème',
        items: [
          'Dans les villages, il faut attendre {n} jours pour voir un médecin.',
          'Les infirmières voient les patients chaque semaine, mais personne ne les écoute.',
        ],
        answers: ['target_problem', 'problem_quantification'],
      },
      {
        title: 'La solution',
        items: [
          '{company} transmet les mesures au médecin pendant la visite.',
          'Le médecin répond dans la journée et adapte le traitement.',
        ],
        answers: ['solution_description'],
      },
      {
        title: 'Le modèle économique',
        items: [
          'Chaque cabinet paie un abonnement par mois et par patient suivi.',
          'L’assurance maladie rembourse les actes depuis cette année.',
        ],
        answers: ['payer_identification', 'pricing_strategy'],
      },
      {
        title: 'Nos résultats',
        items: [
          '{n} cabinets utilisent déjà notre outil tous les jours.',
          'Les hospitalisations ont diminué d’un quart dans la première région.',
        ],
        answers: ['paying_customers', 'quantified_advantage'],
      },
      {
        title: 'L’équipe',
        items: [
          'La fondatrice a été infirmière pendant douze ans.',
          'Notre directeur technique a construit deux dossiers médicaux.',
        ],
        answers: ['team_experience'],
      },
    ],
    thanks: 'Merci de votre attention',
  },
  {
    language: 'pt',
    sector: 'other',
    offering: 'Um aplicativo que organiza as entregas de pequenos agricultores para as escolas',
    occasion: 'Apresentação para investidores',
    months: 'janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro'.split(' '),
    monthOf: ' de ',
    currency: 'BRL',
    sums: ['R$ {m} milhões', '{m} milhões de reais'],
    ask: 'Buscamos um investimento de {ask}',
    useOfFunds: 'Uso dos recursos: 50 % tecnologia, 30 % vendas, 20 % operação',
    slides: [
      {
        title: 'O problema',
        items: [
          'As escolas precisam comprar de agricultores da região, mas não os encontram.',
          'Cerca de {n} % dos alimentos se perdem no caminho.',
        ],
        answers: ['target_problem', 'problem_quantification'],
      },
      {
        title: 'A solução',
        items: [
          'A {company} reúne os pedidos e planeja as rotas de entrega.',
          'O agricultor recebe o pagamento em três dias.',
        ],
        answers: ['solution_description'],
      },
      {
        title: 'Tração',
        items: ['Hoje atendemos {n} escolas em duas cidades.', 'Nenhuma escola deixou de usar o aplicativo neste ano.'],
        answers: ['paying_customers', 'churn_analysis'],
      },
      {
        title: 'Modelo de negócio',
        items: ['Cobramos uma taxa por entrega da prefeitura.', 'O agricultor não paga nada para participar.'],
        answers: ['payer_identification', 'payer_vs_user'],
      },
      {
        title: 'A equipe',
        items: [
          'O fundador cresceu em uma família de agricultores.',
          'A diretora de tecnologia trabalhou com logística durante oito anos.',
        ],
        answers: ['team_experience'],
      },
    ],
    thanks: 'Muito obrigado pela atenção',
  },
  {
    language: 'pl',
    sector: 'consumer_health',
    offering: 'Aplikacja, która pomaga seniorom ćwiczyć w domu pod okiem fizjoterapeuty',
    occasion: 'Prezentacja dla inwestorów',
    months: 'styczeń luty marzec kwiecień maj czerwiec lipiec sierpień wrzesień październik listopad grudzień'.split(
      ' ',
    ),
    monthOf: ' ',
    currency: 'PLN',
    sums: ['{m} mln zł', '{m} mln PLN', '{m} miliona złotych', '{plain} PLN', '{plain} zł'],
    ask: 'Szukamy {ask} na rozwój sprzedaży',
    useOfFunds: 'Przeznaczenie środków: 50 % produkt, 50 % sprzedaż',
    slides: [
      {
        title: 'Problem',
        items: [
          'Co trzecia osoba po siedemdziesiątce upada przynajmniej raz w roku.',
          'Na wizytę u fizjoterapeuty czeka się {n} dni.',
        ],
        answers: ['target_problem', 'problem_quantification'],
      },
      {
        title: 'Rozwiązanie',
        items: [
          '{company} prowadzi seniora przez krótkie ćwiczenia każdego dnia.',
          'Fizjoterapeuta widzi postępy i zmienia plan.',
        ],
        answers: ['solution_description'],
      },
      {
        title: 'Klienci',
        items: [
          'Współpracujemy z {n} domami opieki w całym kraju.',
          'Domy opieki płacą abonament za każdego uczestnika.',
        ],
        answers: ['paying_customers', 'payer_identification'],
      },
      {
        title: 'Zespół',
        items: [
          'Założycielka przez dziesięć lat prowadziła klinikę rehabilitacji.',
          'Nasz dyrektor techniczny tworzył gry dla dzieci.',
        ],
        answers: ['team_experience'],
      },
    ],
    thanks: 'Dziękujemy za uwagę',
  },
  {
    language: 'it',
    sector: 'other',
    offering: 'Un servizio che ripara gli elettrodomestici invece di sostituirli',
    occasion: 'Presentazione per gli investitori',
    months: 'gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre'.split(' '),
    monthOf: ' ',
    currency: 'EUR',
    sums: ['{m} milioni di euro', '€ {m} milioni'],
    ask: 'Cerchiamo {ask} per aprire dieci officine',
    useOfFunds: 'Uso dei fondi: 70 % officine, 30 % personale',
    slides: [
      {
        title: 'Il problema',
        items: [
          'Ogni anno finiscono in discarica milioni di lavatrici ancora riparabili.',
          'Trovare un tecnico richiede in media {n} giorni.',
        ],
        answers: ['target_problem', 'problem_quantification'],
      },
      {
        title: 'La soluzione',
        items: [
          '{company} manda un tecnico con i pezzi giusti al primo appuntamento.',
          'Il cliente conosce il prezzo prima della visita.',
        ],
        answers: ['solution_description', 'pricing_strategy'],
      },
      {
        title: 'I risultati',
        items: [
          'Abbiamo completato riparazioni per {n} condomini.',
          'Nove clienti su dieci tornano da noi quando serve.',
        ],
        answers: ['customer_satisfaction'],
      },
      {
        title: 'La squadra',
        items: [
          'Il fondatore ha diretto una rete di officine per quindici anni.',
          'La responsabile della tecnologia viene dalla logistica.',
        ],
        answers: ['team_experience'],
      },
    ],
    thanks: 'Grazie per l’attenzione',
  },
  {
    language: 'nl',
    sector: 'other',
    offering: 'Software waarmee bakkers hun dagelijkse productie beter plannen',
    occasion: 'Presentatie voor investeerders',
    months: 'januari februari maart april mei juni juli augustus september oktober november december'.split(' '),
    monthOf: ' ',
    currency: 'EUR',
    sums: ['€ {m} miljoen', '{m} miljoen euro'],
    ask: 'Wij zoeken {ask} om te groeien',
    useOfFunds: 'Besteding: 60 % product, 40 % verkoop',
    slides: [
      {
        title: 'Het probleem',
        items: ['Elke avond gooien bakkers {n} broden weg.', 'De planning gebeurt nog steeds met pen en papier.'],
        answers: ['target_problem', 'problem_quantification'],
      },
      {
        title: 'De oplossing',
        items: [
          '{company} voorspelt per winkel hoeveel er morgen verkocht wordt.',
          'De bakker ziet ’s ochtends een lijst en hoeft niet meer te gokken.',
        ],
        answers: ['solution_description'],
      },
      {
        title: 'Onze klanten',
        items: ['Er werken {n} bakkerijen met onze software.', 'Ze betalen een vast bedrag per winkel en per maand.'],
        answers: ['paying_customers', 'pricing_strategy'],
      },
      {
        title: 'Het team',
        items: [
          'De oprichter werkte twaalf jaar in de bakkerij van zijn ouders.',
          'Onze technisch directeur bouwde voorspellingen voor supermarkten.',
        ],
        answers: ['team_experience'],
      },
    ],
    thanks: 'Hartelijk dank voor uw aandacht',
  },
];

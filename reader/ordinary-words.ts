/**
 * Words of titles and of ordinary sentences: a name has at least one other word. English, German, months and seasons, places, techniques and
 * well-known companies.
 */
export const ORDINARY_WORDS: ReadonlySet<string> = new Set(
  `
  a about above access achieve across act action ad add adoption advantage advantages adviser advisers advisor advisors advisory
  affordable after agenda agent agents ai all allocation alternatives am an analysis analytics and angel any api app appendix
  application applications approach apps architecture are arr as ask assets assistant at audience available average b2b b2c back
  background bank be because become before behind benchmark benefits best better big board book both brand break bridge bringing build
  building built business but buy by call can capital care case cases category ceo cfo challenge challenges changing channels chart
  cheap chief click climate cloud cmo co-founder co-founders coach comfort coming community company comparison compete competition
  competitive competitor competitors compliance concept conclusion connect connecting contact contacts content contents context coo
  core cost costs could cover create creating critical cto culture current customer customers cycle daily dashboard data day days deal
  demand demographics design details development device diagnosis digital direct disclaimer discover distribution do does down drive
  driven early easy ecosystem education effective efficiency efficient email empower empowering enable enabling end engine enterprise
  even every everyone evolution example exit expansion expected experience expertise fast faster feasibility feature features fees
  finance financial financials first flow focus follow for forecast founder founders founding four free from full fully funds future
  gap general get getting give glance global go goal goals got great green grow growing growth guide hard has have he health
  healthcare heat help helping here high hiring his history home hospital how human hybrid i idea ideas identify if imagine impact
  impacts improve improvements in income increase industry info information infrastructure innovation innovations innovative input
  inside insights instagram integration intelligence intelligent interest into intro inventory invest is issue it its join joining
  journey just key know kpi kpis label labels landscape large launch launching law layer lead leaders leadership learn learning legal
  less let lets level life like limited linkedin list live local location logo long look love low machine made main make making
  management manual many map market marketing marketplace markets maturity me measure media medical medicine meet members message
  method metrics milestone milestones mission moat mobile mode model models moment money month monthly months more mrr much must mvp
  my name nation need needs network never new next no none not note notes now numbers objective objectives of offer offering on one
  online only open operate operation operations opportunities or order organic organization other our out outcome outcomes over own
  paid pain partner partners partnership partnerships patient patients pay people performance person personal phase phone pillars
  pilot pilots pipeline plan planning plans platform platforms please point points policy poor portal portfolio position positioning
  potential power powered practice precision premium price prices pricing primary principles privacy private problem problems process
  processes product production products profile program progress project projected projection projections projects proof prototype
  proven public purpose quality quarter question questions quick raise raising ranking ready real reason reasons reduce reducing
  references reimagine reimagining relations report reports requirements research resources result results retail revenue revenues
  review rights risk risks roadmap role route run saas safety sales sam same save saving savings scale science scope search second
  secret section sector security see segment segments sensor service services set seven share she shop should simple simply since site
  size small smart so social software solution solutions solve solved solving som some source sources space stage standard start
  starting startup startups state statement step steps stop store story strategic strategy strengths strong structure studies study
  subscription success summary supply support sustainability swot system systems take tam tamsamsom target team tech technical
  technologies technology test testimonial testimonials testing than thank thanks that the their them then there these they thing
  things this those three through thumbnail time timeline times timing title to today together too tool tools top total towards
  traction trade traditional training transform transforming travel trends trust truth try two type under understand unique unit
  universal unlock up us usage use user users using usp validation valuation value values venture via viability video vision visit
  volume waiting want was watch way we web website week welcome well were what when where whether which while who whole why will wins
  with within without work workflow workflows working works world would year yearly years yes you your
  abschluss aktuell alle alles als also anforderungen angebot anhang ansatz architektur auf aufgabe aufgaben aus ausblick ausgangslage
  bedarf begrüßung bei beispiel bisher chance chancen daher dank danke dann das daten dein deine dem den der des die dies diese dieser
  doch dort drei du durch ein eine einem einen einer eines einfach einführung einleitung entwicklung er ergebnis ergebnisse erste es
  euch euer fahrplan fakten fazit finanzen finanzierung finanzplan folgen frage fragen funktion funktionen funktioniert funktionsweise
  für geschichte geschäftsmodell gesundheit gibt gliederung grundlage gruppe gründer gründerteam gründung gut haben hat
  herausforderung herausforderungen heute hier hintergrund ich idee ideen ihr ihre im implementierung inhalt inhalte
  inhaltsverzeichnis ist ja jetzt kann kapitalbedarf kein keine kommende komponenten konkurrenz konkurrenzanalyse kontakt konzept
  kosten kunde kunden lage leistungen lösung lösungen lösungsansatz machen markt marktanalyse marktgröße marktvolumen mehr
  meilensteine mein mit mitarbeiter mitbewerber modell motivation nach neue nicht noch nun nur nutzen nutzer nächste ob oder ohne
  patienten phasen planung potenzial praxis preis preise preismodell probleme problemstellung produkt produkte programm projektteam
  prototyp prozess qualität quellen rechtliches risiken risiko schritt schritte sein seit sich sicherheit sie sind situation strategie
  studie suche technik technologie thema themen um umsatz umsetzung und unser unsere unternehmen unterstützen unterstützung
  verbesserung vergleich vertrieb viel vielen vier vom von vor vorgehen vorstellung vorteil vorteile wachstum wann war warum webseite
  weg weitere wer wettbewerb wettbewerber wie willkommen wir wird wissen wo woche zahlen zeit zeitplan ziel ziele zielgruppe
  zielgruppen zu zukunft zum zur zusammenfassung zwei über übersicht
  april august autumn december dezember fall februar february friday frühjahr frühling herbst januar january juli july june juni mai
  march may monday märz november october oktober september sommer spring summer winter
  africa america angeles asia berlin china deutschland dubai england europa europe france francisco germany hamburg india kingdom
  london munich münchen paris singapore states uk united usa vienna wien york zurich zürich
  agritech amazon android apple aws biotech blockchain bsc ce chatgpt crypto dao defi devops docker dsgvo ecommerce edtech esg
  facebook fastapi fda fintech gdpr genai github google gpt healthtech hipaa html hubspot insurtech ios iot ipad iphone iso javascript
  json kmu kubernetes llm mckinsey medtech microsoft mongodb msc mysql nft openai paypal pdf phd postgresql powerpoint proptech python
  react rest salesforce smb sme soc sql statista tiktok twitter typescript web3 whatsapp youtube
  `
    .trim()
    .split(/\s+/u),
);

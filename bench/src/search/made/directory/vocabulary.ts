import type { Concept } from '../wording.ts'

export const firstNames: readonly string[] = (
  'Anna Jürgen Zoë José Łukasz Chloé Søren Marta Renée Björn Nuria İpek Ondřej Mário Åsa Bettina Tomás Élodie Kateřina ' +
  'Henrik Giulia Ramón Siân Dávid Ingrid Matej Noémie Pavel Saoirse Joris Lucía Emre Vojtěch Beatriz Niamh Stefan Jana ' +
  'Margarethe Kristina Kristin Christina Kerstin Johannes Johanna Johan Jonathan Jon John Michaela Michael Mikael Michal'
).split(' ')

export const lastNames: readonly string[] = (
  'Müller Mueller Möller Miller Schröder Schroeder Schneider Snyder García Garcia Núñez Nuñez Muñoz Sørensen Sorensen ' +
  'Jørgensen Johansson Johanson Jansen Janssen Novák Nowak Dvořák Čermák Łukaszewski Kowalczyk Kowalski Žižka Ångström ' +
  'Lindström Lindqvist Lindberg Göransson Šimić Đorđević Yılmaz Öztürk Szabó Kovács Kovacs Horváth Nagy Façade-Leroy ' +
  'Lefèvre Lefebvre Dubois-Martin Beauchêne Moreau O’Connor O’Neill McAllister MacAllister Fernández Hernández Gonçalves ' +
  'Conceição Araújo Peña Pena Groß Gross Weiß Weiss Strauß Bäcker Becker Jäger Jaeger Vogt Voigt Steiner Stein Steinbach ' +
  'Park Church Field Rivers Hall Baker Taylor Cook Mason Fisher'
).split(' ')

/** Duties, as the directory words them, and then as people ask for them. */
export const duties: readonly { written: Concept; asked: Concept }[] = [
  {
    written: ['travel expenses', 'travel cost accounting'],
    asked: ['expense claims', 'travel costs', 'travelling expenses'],
  },
  { written: ['payroll', 'payroll accounting'], asked: ['salaries', 'pay slips and payroll', 'paying wages'] },
  { written: ['data protection', 'privacy'], asked: ['data privacy', 'protecting personal data'] },
  { written: ['facility management', 'building services'], asked: ['the building', 'facilities'] },
  { written: ['recruiting', 'recruitment'], asked: ['hiring', 'job applications', 'recruiting new people'] },
  { written: ['onboarding of new employees', 'on-boarding'], asked: ['onboarding', 'new colleagues', 'new employee'] },
  { written: ['fire safety', 'fire prevention and evacuation'], asked: ['fire drills', 'evacuations', 'fire-safety'] },
  { written: ['company cars', 'car fleet'], asked: ['fleet cars', 'a company car', 'leasing of cars'] },
  { written: ['procurement', 'purchasing'], asked: ['buying things', 'purchases', 'procuring hardware'] },
  { written: ['press relations', 'media enquiries'], asked: ['journalists and the press', 'media inquiry'] },
  { written: ['IT security', 'information security'], asked: ['security of IT', 'phishing mails', 'infosec'] },
  { written: ['first aid', 'first-aiders'], asked: ['first-aid', 'first aider'] },
  { written: ['translations', 'translation services'], asked: ['translating documents', 'a translator'] },
  { written: ['contract law', 'contracts'], asked: ['reviewing contracts', 'a contract review', 'legal questions'] },
  { written: ['health insurance', 'social insurance'], asked: ['health insurances', 'insurance for employees'] },
  { written: ['parental leave', 'maternity leave'], asked: ['parents taking leave', 'parental-leave'] },
  { written: ['machine learning', 'data science'], asked: ['machine-learning', 'ML models'] },
  { written: ['front-end development', 'web development'], asked: ['frontend developers', 'front end', 'websites'] },
  { written: ['database administration', 'operating databases'], asked: ['databases', 'a database administrator'] },
  { written: ['catering', 'the canteen'], asked: ['food and catering', 'lunch', 'canteens'] },
  { written: ['key management', 'access cards'], asked: ['lost keys', 'an access-card', 'accesscards'] },
  { written: ['quality assurance', 'quality management'], asked: ['QA', 'managing quality'] },
  { written: ['customer complaints', 'complaint handling'], asked: ['a complaining customer', 'complaints'] },
  { written: ['apprenticeships', 'vocational training'], asked: ['apprentices', 'trainees'] },
]

export const titles: readonly string[] = ['Head', 'Coordinator', 'Specialist', 'Manager', 'Assistant', 'Officer']

export const teams: readonly string[] = [
  'Finance',
  'Human Resources',
  'Legal',
  'Engineering',
  'Operations',
  'Marketing',
  'Research',
  'Sales',
]

export const cities: readonly string[] = [
  'Zürich',
  'München',
  'Málaga',
  'Göteborg',
  'Kraków',
  'Orléans',
  'Århus',
  'Dublin',
]

/** Sentences that name a duty of another person. */
export const mentions: readonly string[] = [
  'Works closely with the colleagues of {other}.',
  'Was responsible for {other} until 2021.',
  'Deputy: {deputy}, see also {other}.',
  'Please do not ask about {other}.',
  'Reports to the head of {other}.',
]

export const hobbies: readonly string[] = [
  'Speaks English and {language}.',
  'Usually in the office on Mondays and Thursdays.',
  'On parental leave until spring.',
  'Member of the works council.',
  'Prefers calls to messages.',
  'Joined in {year}.',
]

export const languages: readonly string[] = ['German', 'French', 'Polish', 'Spanish', 'Czech', 'Danish', 'Turkish']

export const equipment: readonly { written: Concept; asked: Concept }[] = [
  { written: ['projector', 'beamer'], asked: ['projectors', 'a projector'] },
  { written: ['video conferencing system', 'video conferencing'], asked: ['video conferences', 'a video-conference'] },
  { written: ['whiteboard', 'white board'], asked: ['whiteboards', 'a white-board'] },
  { written: ['step-free access', 'wheelchair access'], asked: ['wheelchairs', 'accessible'] },
  { written: ['sound system with microphones', 'microphones'], asked: ['microphone', 'sound'] },
  { written: ['height-adjustable desks', 'standing desks'], asked: ['a standing desk', 'adjustable desk'] },
  { written: ['coffee machine', 'coffee maker'], asked: ['coffee', 'coffee machines'] },
  { written: ['soundproof walls', 'sound-proofing'], asked: ['quiet', 'sound proof'] },
]

export const roomKinds: readonly Concept[] = [
  ['meeting room', 'conference room'],
  ['focus room', 'phone booth'],
  ['training room', 'seminar room'],
  ['workshop', 'maker space'],
  ['open-plan office', 'shared office'],
]

export const roomNames: readonly string[] = (
  'Ada Linden Ahorn Birke Atlantic Pacific Everest Matterhorn Orion Vega Sirius Mercury Venus Amsterdam Lisbon Oslo ' +
  'Helsinki Nile Danube Elbe Thames Rubin Saphir Opal Falcon Heron Sparrow Cedar Maple Willow'
).split(' ')

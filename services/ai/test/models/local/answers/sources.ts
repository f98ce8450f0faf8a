import { type MemorySource, rowsOf } from './memory-tools.ts'

const tickets = `
  ticket,team,status,priority,opened_on,hours,refund,customer
  1,Network,open,high,2026-09-03,4,0,Acme
  2,Network,closed,low,2026-09-10,2.5,20,Bolt
  3,Hardware,open,high,2026-09-21,6,120,Acme
  4,Hardware,closed,medium,2026-08-14,8,0,Corex
  5,Software,open,low,2026-10-01,1,15,Dune
  6,Software,closed,high,2026-08-30,12,300,Bolt
  7,Network,pending,medium,2026-10-06,3,0,Acme
  8,Software,closed,low,2026-07-19,0.5,10,Elm
  9,Hardware,open,medium,2026-10-12,7,0,Bolt
  10,Network,closed,high,2026-09-28,5,80,Corex
  11,Software,open,high,2026-10-08,2,45,Acme
  12,Hardware,pending,low,2026-08-02,9,60,`

const sales = `
  order,product,region,sold_on,units,revenue,discount_percent,channel
  A1,Chair,North,2025-09-05,3,300,10,online
  A2,Desk,South,2025-09-20,1,400,0,store
  A3,Lamp,North,2025-11-11,10,250,5,online
  A4,Chair,East,2026-01-15,2,200,0,store
  A5,Desk,North,2026-02-02,2,800,10,online
  A6,Lamp,South,2026-03-09,4,100,0,online
  A7,Chair,South,2026-09-01,5,500,20,store
  A8,Shelf,East,2026-09-14,1,150,0,online
  A9,Desk,East,2026-09-30,1,400,5,store
  A10,Lamp,West,2026-10-02,6,150,0,online`

const staff = `
  employee,department,office,hired_on,salary,remote,manager
  Anna Berg,Finance,Berlin,2019-04-01,62000,true,Tom Fels
  Ben Katz,Finance,Munich,2021-06-15,54000,false,Tom Fels
  Cara Lund,Engineering,Berlin,2020-01-10,71000,true,Uma Roth
  Dan Moss,Engineering,Berlin,2023-03-01,66000,false,Uma Roth
  Eva Noll,Marketing,Munich,2022-09-01,58000,false,Vic Sand
  Finn Orth,Marketing,Hamburg,2024-02-01,50000,true,Vic Sand
  Gina Paul,Engineering,Hamburg,2025-05-01,69000,true,Uma Roth
  Tom Fels,Finance,Berlin,2015-01-01,90000,false,`

const readings = `
  sensor,room,measured_at,temperature_c,humidity,co2_ppm
  s1,Lab 1,2026-10-12T08:00:00Z,20.5,40,600
  s1,Lab 1,2026-10-12T12:00:00Z,22.5,42,900
  s2,Lab 2,2026-10-12T08:00:00Z,19,50,550
  s2,Lab 2,2026-10-13T08:00:00Z,18,52,500
  s3,Hall,2026-10-13T08:00:00Z,24,35,1200
  s3,Hall,2026-10-14T08:00:00Z,25,,1300
  s4,Hall,2026-10-14T12:00:00Z,23,36,1100`

const loans = `
  loan,book,borrower,branch,borrowed_on,due_on,returned_on,fee
  L1,Dune,Ida,Central,2026-08-01,2026-08-29,2026-08-20,0
  L2,Emma,Jon,Central,2026-08-10,2026-09-07,2026-09-20,1.5
  L3,Dune,Kim,East,2026-09-01,2026-09-29,,0
  L4,Ulysses,Ida,East,2026-09-15,2026-10-13,,0
  L5,Emma,Lea,Central,2026-10-01,2026-10-29,,0
  L6,Hamlet,Jon,West,2026-10-05,2026-11-02,2026-10-12,0`

const bookings = `
  booking,room,building,starts_at,ends_at,attendees,organizer,state
  B1,Oak,North,2026-10-14T09:00:00Z,2026-10-14T10:00:00Z,4,Ida Wolf,confirmed
  B2,Oak,North,2026-10-15T09:00:00Z,2026-10-15T10:30:00Z,8,Max Krug,confirmed
  B3,Elm,North,2026-10-15T11:00:00Z,2026-10-15T12:00:00Z,2,Ida Wolf,cancelled
  B4,Fir,South,2026-10-16T09:00:00Z,2026-10-16T17:00:00Z,12,Nora Lenz,confirmed
  B5,Fir,South,2026-10-19T09:00:00Z,2026-10-19T10:00:00Z,6,Max Krug,no-show
  B6,Ash,South,2026-10-20T13:00:00Z,2026-10-20T15:00:00Z,10,Nora Lenz,confirmed`

const travel = `# Travel policy

## Lodging
Lodging in Paris up to EUR 180 per night, in other cities up to EUR 120. Breakfast is reimbursed when it is not included.

## Trains and flights
Trains are booked in second class. Flights are allowed for distances over 600 km. Business class needs the approval of the board.

## Training budget
Each employee has a training budget of EUR 1,000 per year. Contractors are not eligible for the training budget.

## Receipts
Receipts must be submitted within 30 days after the trip.`

const security = `# Security policy

1. Lost devices
A lost or stolen device must be reported to the service desk within 24 hours. The service desk locks the account.

2. Passwords
Passwords have at least 14 characters. They are changed only after an incident.

3. Visitors
Visitors wear a badge. They are accompanied at all times:
- in the server room by an administrator
- on the floors by their host`

const agreement = `§ 1 Arbeitszeit
Die Kernarbeitszeit ist von 10 Uhr bis 15 Uhr. Überstunden werden mit Freizeit ausgeglichen.

§ 2 Mobiles Arbeiten
Beschäftigte dürfen bis zu drei Tage pro Woche mobil arbeiten. Arbeit aus dem Ausland braucht eine Genehmigung der Personalabteilung.

§ 3 Urlaub
Der Jahresurlaub beträgt 30 Tage. Resturlaub verfällt am 31. März des Folgejahres.

§ 4 Auswertungen
Eine Kontrolle von Leistung oder Verhalten anhand der Zutrittsdaten findet nicht statt.`

const faq: [question: string, answer: string][] = [
  [
    'How do I reset my password?',
    'Open the sign-in page and follow the link below the form. The link in the mail works for one hour.',
  ],
  ['Which formats can I import?', 'CSV, Excel and JSON files up to 200 MB can be imported.'],
  ['Can I export my data?', 'Every list has an export button. Exports contain at most 100,000 rows.'],
  ['How long is data kept after I cancel?', 'Your data is deleted 60 days after the cancellation of the subscription.'],
]

/** Six tables and four texts of different domains. The day of the questions is Thursday, 15 October 2026. */
export const memorySources: MemorySource[] = [
  { name: 'Tickets', rows: rowsOf(tickets) },
  { name: 'Sales', rows: rowsOf(sales) },
  { name: 'Staff directory', titleField: 'employee', rows: rowsOf(staff) },
  { name: 'Sensor readings', rows: rowsOf(readings) },
  { name: 'Library loans', rows: rowsOf(loans) },
  { name: 'Room bookings', rows: rowsOf(bookings) },
  { name: 'Travel policy', titleField: 'title', rows: [{ title: 'Travel policy', text: travel }] },
  { name: 'Security policy', titleField: 'title', rows: [{ title: 'Security policy', text: security }] },
  { name: 'Betriebsvereinbarung', titleField: 'title', rows: [{ title: 'Betriebsvereinbarung', text: agreement }] },
  { name: 'Product FAQ', rows: faq.map(([question, answer]) => ({ question, answer })) },
]
export const today = Date.UTC(2026, 9, 15, 9)

import { type MemorySource, rowsOf } from './memory-tools.ts'
import { none, right, type TestQuestion } from './test-question.ts'

const meals = `
Datum,Standort,Gericht,Portionen,Umsatz (€)
2026-04-07,Köln,Linsencurry,40,260.00
2026-04-08,Köln,Currywurst,10,60.00
2026-05-05,Köln,Currywurst,20,120.00
2026-05-06,Bonn,Currywurst,12,72.00
2026-05-07,Bonn,Linsencurry,8,52.00`
const courses = `
Enrolment no,Course,Participant,Department,Date,Cost (€),Score (%),Completed
0001,First aid,Ada Berg,Sales,2026-03-02,120,81,yes
0002,First aid,Ben Cole,Sales,2026-03-02,120,,no
0003,Forklift,Ada Berg,Logistics,2026-04-01,400,92,yes
0004,First aid,Ada Berg,Sales,2026-04-20,120,75,yes
0005,Forklift,Cem Aydin,Logistics,2026-04-02,400,96,yes`
const desks = `
Booking ID,Employee,Team,Desk,Building,Date,Cancelled on,Duration (min)
000001,Ada Berg,Legal,D-01,Mill,2026-08-03,,60
000002,Ben Cole,Legal,D-01,Mill,2026-08-04,2026-08-01,480
000003,Ada Berg,Design,D-02,Tower,2026-08-10,,240
000004,Eva Dahl,Design,D-01,Mill,2026-09-01,,240`
const leases = `
Vertragsnr,Gebäude,Monatsmiete (€),Fläche (m²),Beginn,Ende
MV-1,Hafenhaus,4000,500,2020-01-01,2027-05-31
MV-2,Hafenhaus,9000,300,2021-01-01,2028-12-31
MV-3,Nordturm,2000,900,2019-01-01,2027-12-31`
const incidents = `
Incident,Opened,Priority,Category,Status,SLA breached
00001,2026-08-03,P1,Printer,open,yes
00002,2026-08-10,P2,Printer,closed,no
00003,2026-09-02,P1,Laptop,open,no
00004,2026-09-09,P1,Printer,closed,yes
00005,2026-09-14,P2,Printer,open,no`
const cars = `
Plate,Fuel,Floor,Next inspection
X 1,diesel,First,2027-02-01
X 2,electric,Second,2026-11-01
X 3,diesel,First,2027-08-01`
const air = `
Measured at,Sensor,CO2 (ppm)
2026-10-01T09:00:00Z,A1,900
2026-10-01T10:00:00Z,A1,700
2026-10-01T10:30:00Z,A1,700
2026-10-02T09:00:00Z,A1,800`
const answers = Array.from({ length: 120 }, (_, at) => [`q${at + 1}`, String((at % 5) + 1)])
const survey = ['Night shift', 'Night shift', 'Harbour crew'].map((team, at) => ({
  respondent: `r${at}`,
  ...Object.fromEntries(answers),
  team,
}))
const older =
  'A desk can be booked up to 14 days in advance. Each team may reserve at most 6 desks. Monitors must not be moved.'
const newer = 'A desk can be booked up to 28 days in advance. Visitors may use a desk with their host.'

/** Tables as people export them: units in brackets, two times, numbers with zeros, hundreds of columns. */
export const exportSources: MemorySource[] = [
  { name: 'Kantinenverkauf', rows: rowsOf(meals) },
  { name: 'Training courses', rows: rowsOf(courses) },
  { name: 'Desk bookings', rows: rowsOf(desks) },
  { name: 'Mietverträge', rows: rowsOf(leases) },
  { name: 'IT incidents', rows: rowsOf(incidents) },
  { name: 'Fleet vehicles', rows: rowsOf(cars) },
  { name: 'Air quality', rows: rowsOf(air) },
  { name: 'Survey', rows: survey },
  { name: 'Desk rules 2025', titleField: 'title', rows: [{ title: 'Desk rules 2025', text: older }] },
  { name: 'Desk rules 2026', titleField: 'title', rows: [{ title: 'Desk rules 2026', text: newer }] },
]

export const exportQuestions: TestQuestion[] = [
  // Units in brackets
  right('What is the total cost in Sales?', 'is 360 '),
  right('average score in First aid', 'is 78 '),
  none('What is the total price in Sales in dollars?', 'dollars'),
  right('Welches Gebäude hat die größte Fläche?', 'Nordturm', '900'),
  right('Durchschnittliche Miete pro Gebäude', 'Hafenhaus: 6500', 'Nordturm: 2000'),
  none('Durchschnittliche Warmmiete pro Gebäude', 'warmmiete'),
  // Columns that begin with D
  right('Which desk was booked most?', 'D-01 has the highest count: 3'),
  right('Which department spent the most on training?', 'Logistics has', '800'),
  none('Which department spent the most on catering?', 'catering'),
  // Measured values, which are not added up
  right('At what hour is CO2 highest?', '09:00 has the highest average'),
  none('On how many days was CO2 above 750?', 'average of co2'),
  // Things that were sold, of which a record may have many
  right('Welches Gericht wurde am meisten verkauft?', 'Linsencurry', ': 48'),
  right('Was ist das beliebteste Gericht?', 'Linsencurry', ': 48'),
  none('Was ist das gesündeste Gericht?', 'gesundeste'),
  // Two times, of which one ends the record
  right('How many desk bookings are in August?', 'The count is 3'),
  right('How many desk bookings were cancelled in August?', 'The count is 1'),
  right('How many different employees booked a desk in August?', 'There are 2 '),
  none('How many different employees booked a room in August?', 'room'),
  right('How many of the cancelled desk bookings were in the Mill?', 'The count is 1'),
  none('How many of the confirmed desk bookings were in the Mill?', 'confirmed'),
  right('How many desk bookings last longer than 2 hours?', 'The count is 3'),
  none('How many desk bookings last longer than 2 euros?', 'euros'),
  right('Wie viele Mietverträge laufen 2027 aus?', 'Die Anzahl ist 2'),
  none('Wie viele Mietverträge wurden 2027 verlängert?', 'verlangert'),
  right('Welcher Mietvertrag ist der teuerste?', 'MV-2'),
  none('Welcher Mietvertrag ist der beste?', 'beste'),
  // Names in other words and orders
  right('How many incidents breached the SLA?', 'The count is 2'),
  none('How many incidents breached the budget?', 'budget'),
  right('What percentage of P1 incidents breached the SLA?', '66.7 % (2 of 3)'),
  right('What percentage of printer incidents is open?', '50 % (2 of 4)'),
  none('What percentage of P1 incidents breached the SLA twice?', 'twice'),
  right('How many incidents happened in August?', 'The count is 2'),
  right('How many cars per fuel type?', 'diesel: 2', 'electric: 1'),
  right('How many inspections are due in 2027?', 'The count is 2'),
  right('How many vehicles are on the First floor?', 'The count is 2'),
  none('How many vehicles are on the Third floor?', 'third'),
  right('How many people completed First aid?', 'There are 1 different values of Participant'),
  right('Which course has the best average score?', 'Forklift has', '94'),
  none('Which course has the best average cost?', 'the lowest'),
  right('How many desk bookings did Ada Berg make?', 'The count is 2'),
  none('How many desk bookings did Ada Berg like?', 'like'),
  right('Which fuel do we have most of?', 'diesel has the highest count: 2'),
  none('Which fuel do we use most of per km?', 'km'),
  // Comparisons of two periods
  right('incidents in September vs. August', 'The count is 3', 'The count is 2', 'Difference: 1'),
  right('By how many percent did incidents grow from August to September?', 'From 2 to 3: +1 (+50 %)'),
  none('By how many percent did incidents grow from Printer to Laptop?'),
  right('Um wie viel Prozent ist der Umsatz von April auf Mai gestiegen?', 'Von 320 auf 244: -76 (-23.8 %)'),
  none('Um wie viel Prozent ist der Gewinn von April auf Mai gestiegen?', 'gewinn'),
  // Hundreds of columns
  right('How many survey respondents are in the Night shift team?', ' 2 '),
  right('What is the average q118 in the survey?', 'is 3 '),
  none('What is the average q121 in the survey?', 'q121'),
  // Texts that contradict each other
  right('How many days in advance can I book a desk?', 'The texts say different things', '14 days', '28 days'),
  right('May monitors be moved?', 'Monitors must not be moved.'),
  right('How many desks can a team reserve?', 'at most 6 desks'),
  none('Which team reserves the most desks?'),
  none('How many days in advance can I book a bicycle?', 'bicycle'),
]

/** Questions that follow one on the number of incidents of printers. */
export const narrowedQuestions: [followUp: string, ...answer: string[]][] = [
  ['only the open ones', 'The count is 2 ', 'Status is open'],
  ['as a percentage?', '80 % (4 of 5)'],
  ['which ones?', '00001', '00002', '00004', '00005'],
  ['only the expensive ones', 'The data do not answer'],
  ['as a graph?', 'The data do not answer'],
]

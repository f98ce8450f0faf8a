import { type MemorySource, rowsOf } from './memory-tools.ts'
import { none, right, type TestQuestion } from './test-question.ts'

/** Tables with yes and no as text, a value that is a word of people, units in names, and a row that came twice. */
export const conditionSources: MemorySource[] = [
  {
    name: 'Repairs',
    rows: rowsOf(`repair_id,workshop,state,received_on,finished_on,hours_spent,price,billed
      R1,North,Done,2026-05-04,2026-05-08,2.5,120,yes
      R2,North,done,2026-05-04,2026-05-06,9,80,no
      R3,South,Waiting,2026-05-04,,1,45,no
      R4,South,waiting,2026-05-11,,12,300,no
      R5,East,Parked,2026-05-11,,4,60,yes
      R5,East,Parked,2026-05-11,,4,60,yes
      R6,East,Done,2026-04-03,2026-05-02,6,90,yes`),
  },
  {
    name: 'Kollegium',
    rows: rowsOf(`Name,Abteilung,Schicht_min,Teilzeit,Firmenwagen
      Ada Wolf,People,480,ja,nein
      Ben Hahn,Lager,240,nein,nein
      Cara Fink,Lager,300,ja,ja
      Dan Star,People,480,nein,nein`),
  },
  {
    name: 'Trainings',
    rows: rowsOf(`Training,Site,price_per_seat,total
      First aid,Kiel,20,200
      First aid,Lübeck,20,100
      Excel,Kiel,35,70
      Excel,Kiel,35,105`),
  },
  {
    name: 'Projects',
    rows: rowsOf(`project,team,total_hours
      Atlas,A,250
      Boreas,B,100`),
  },
  {
    name: 'Hallen',
    rows: rowsOf(`Halle,Gesamtfläche,Gesamtdauer_h
      Nord,900,2
      Süd,500,7`),
  },
  {
    name: 'Tickets',
    rows: rowsOf(`Ticket,Team,cost,total_hours
      T1,A,2,90
      T2,B,6,10`),
  },
  {
    name: 'Passages',
    rows: rowsOf(`badge,gate,way,time
      B1,West gate,in,2026-05-05T08:10:00Z
      B2,West gate,in,2026-05-05T09:20:00Z
      B1,West gate,out,2026-05-05T17:00:00Z
      B3,East gate,out,2026-05-05T10:30:00Z
      B1,East gate,in,2026-05-06T09:40:00Z`),
  },
]

export const conditionQuestions: TestQuestion[] = [
  right('How many repairs are not billed?', 'count is 3'),
  right('Wie viele Kollegium ohne Firmenwagen?', 'Anzahl ist 3'),
  right('Wie viele Kollegium sind nicht Teilzeit?', 'Anzahl ist 2'),
  right('How many repairs are neither done nor waiting?', 'count is 2', 'repair_id: 1'),
  right('How many repairs are there?', 'count is 7', 'different values of repair_id: 6'),
  right('How many trainings are there?', '2 different values of Training', 'the number of Trainings: 4'),
  none('How many trainings per site?', 'the number of Trainings'),
  right('How many different trainings are there?', '2 different values of Training ('),
  none('Which project was the most expensive?'),
  none('Welche Halle war die teuerste?'),
  right('Which team spends the most on tickets?', 'B', '6'),
  none('Which site spends the most on trainings?', 'spends'),
  none('Which training was the most expensive?'),
  right('repairs per workshop except East', '- North: 2', '- South: 2'),
  none('How many repairs were finished on the second Friday of May?', 'second'),
  none('How many repairs were finished yesterday?', 'the data end on 2026-05-08'),
  none('How many repairs were received this week?', 'the data end on 2026-05-11'),
  right('How many repairs were received in July 2026?', 'count is 0', 'the data end on 2026-05-11'),
  none('How many repairs were received since Easter?', 'easter'),
  right('How many repairs were received between 1 and 10 May?', 'count is 3'),
  right('On how many days were more than 2 repairs received?', '2 of 3 with records'),
  right('Which workshops have at least 3 repairs?', '- East: 3'),
  right('How many repairs took at least 9 hours?', 'count is 2'),
  none('How many repairs took more than 2 days?', 'days'),
  right('How many repairs cost more than 100 euros?', 'count is 2'),
  right('Total price of all repairs in South', 'is 345'),
  right('Which repair took longest?', 'R4'),
  right('repairs per state', '- Done: 3', '- waiting: 2'),
  right('Which state has the most repairs?', 'Done has the highest count: 3'),
  right('Wie viele Kollegium mit Schicht mindestens 5 Stunden?', 'Anzahl ist 3'),
  right('How many people came in on 5 May 2026?', 'are 2 different'),
  right('How many passages between 9 and 11?', 'count is 3'),
  right('passages at the west gate vs the east gate', '- East gate: 2', '- West gate: 3'),
]

const reservations = `
N° résa,Salarié,Étage,Poste,Jour réservé,Présent,Durée (h)
R1,Alice Martin,1er,P-01,2026-07-06,oui,4
R2,Alice Martin,2e,P-02,2026-07-07,non,8
R3,Hugo Blanc,2e,P-01,2026-08-03,oui,6`
const sales = `
Fecha,Sede,Producto,Importe €,Turno
2026-04-07,Sevilla,Café,10,mañana
2026-05-08,Bilbao,Agua,60,tarde
2026-05-09,Sevilla,Agua,20,tarde`
const meters = `
Zähler-Nr.,Gebäude,Medium,Verbrauch,Kosten (EUR),geprüft bis,Fläche m²
Z1,Haus A,Strom,10,5,2026-01-31,1200
Z2,Haus A,Gas,40,9,2027-01-31,2500
Z3,Haus B,Strom,,7,2026-03-31,900`

const meetings = `
Booking ref,Room,Building,Organizer,Start,Duration (min),Status,Booked on,Rating
M1,Oak,North,Ines,2026-10-05T09:00:00Z,60,confirmed,2026-09-20,4
M2,Oak,North,Tom,2026-10-06T09:00:00Z,90,cancelled,2026-09-21,
M3,Oak,North,Ines,2026-11-04T10:00:00Z,30,confirmed,2026-10-30,2
M4,Elm,South,Ines,2026-11-05T10:00:00Z,120,cancelled,2026-10-02,`
const orders = `
Auftragsnr,Etage,Firma,Gemeldet am,Erledigt am,Kosten €,Reklamation,Melder,Priorität,Ausweisart
A1,EG,Klarglanz,2026-05-02,2026-05-04,100,ja,Petra,mittel,keiner
A2,EG,Klarglanz,2026-05-09,,300,ja,Petra,hoch,Karte
A3,OG,Putzteam,2026-06-01,2026-06-02,200,nein,Sven,hoch,Karte`

/** Tables in French, Spanish and German. */
export const languageSources: MemorySource[] = [
  { name: 'Réservations de postes', rows: rowsOf(reservations) },
  { name: 'Ventas de cafetería', rows: rowsOf(sales) },
  { name: 'Ablesungen', rows: rowsOf(meters) },
  { name: 'Meeting room bookings', rows: rowsOf(meetings) },
  { name: 'Reinigungsaufträge', rows: rowsOf(orders) },
]

export const languageQuestions: TestQuestion[] = [
  right('Combien de réservations au 2e étage ?', 'count is 2 '),
  right('Quelle est la durée moyenne des réservations ?', 'is 6 '),
  right('Combien de réservations par étage ?', '2e: 2', '1er: 1'),
  right('Combien de réservations ont plus de 5 heures ?', 'count is 2 '),
  none('Combien de réservations ont été annulées ?', 'annulees'),
  right('¿Cuántas ventas hubo en mayo de 2026?', 'count is 2 '),
  right('¿Cuál es el importe total en Sevilla?', 'is 30 '),
  right('¿Qué sede tiene el importe más alto?', 'Bilbao'),
  none('¿Cuánto beneficio obtuvimos?', 'beneficio'),
  right('Wie hoch ist der Stromverbrauch im Haus A?', '10'),
  right('Bei wie vielen Ablesungen fehlt der Verbrauch?', 'ist 1 '),
  right('Wie viele Ablesungen haben zwischen 1000 und 2000 m²?', 'ist 1 '),
  right('How many meeting room bookings took place in November?', 'count is 2 ', 'Start ≥'),
  right('How many cancelled bookings did we have in October?', 'count is 1 '),
  none('How often was Oak booked in October?', 'Start or Booked on'),
  right('Which room is booked most often?', 'Oak'),
  right('Who organised the most meetings?', 'Ines has the highest count: 3'),
  right('Which rooms were booked more than 2 times?', 'Oak: 3'),
  right('How many hours did Ines book altogether?', '210 = 3.5 h'),
  right('What proportion of confirmed bookings took place in Oak?', '100 % (2 of 2)'),
  right('Share of bookings in Oak that are cancelled', '33.3 % (1 of 3)'),
  right('How many bookings have no rating?', 'count is 2 '),
  right('Was kostet ein Auftrag im Mittel?', 'Kosten € ist 200'),
  right('Welche Firma hat die meisten Reklamationen?', 'Klarglanz', '2'),
  right('Wer hat am häufigsten gemeldet?', 'Petra', '2'),
  right('Wie viele Aufträge sind offen?', 'Anzahl ist 1 '),
  right('Wie viele Aufträge hatten keine Reklamation?', 'Anzahl ist 1 '),
]

const costs = `
id,amount_eur,date,employee,rating
1,100,2026-03-02,Ada,4
2,200,2026-03-05,Ben,5
3,50,2026-04-01,Ada,3`

/** Records that are costs, and people beside things. */
export const costSources: MemorySource[] = [{ name: 'Travel costs', rows: rowsOf(costs) }]

export const costQuestions: TestQuestion[] = [
  right('Travel costs per employee', '- Ada: 150', '- Ben: 200'),
  right('Who has costs?', 'employee Ada', 'employee Ben'),
  right('Wer hat Kosten im März?', 'employee Ada', 'employee Ben'),
  right('Does Ada have costs?', 'count is 2'),
  right('Which employee has the most travel costs?', 'Ben has the highest total', '200'),
  right('Which employee has the lowest rating?', 'Ada has the lowest average of rating: 3.5'),
  right('Who has which amount in April?', 'employee Ada', '50'),
]

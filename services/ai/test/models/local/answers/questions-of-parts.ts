import { type MemorySource, rowsOf } from './memory-tools.ts'
import { none, right } from './test-question.ts'

const orders = `
  order_no,supplier,order_date,delivery_date,quantity,unit_price,total_amount,paid
  PO1,Voltix GmbH,2026-09-03,2026-09-10,2,50,100,Y
  PO2,Voltix GmbH,2026-10-05,2026-10-12,1,400,400,N
  PO3,Papierhaus,2026-10-20,,10,5,50,Y
  PO4,Papierhaus,2026-11-02,2026-11-09,3,20,60,Y
  PO5,OfficePro,2026-11-04,,6,100,600,N`

const visitors = `
  visitor,company,arrived,left
  Ada Hill,Globex,2026-10-05T09:00:00Z,2026-10-05T10:00:00Z
  Ada Hill,Globex,2026-10-06T09:00:00Z,2026-10-06T11:00:00Z
  Bo Wood,Hooli,2026-10-07T08:00:00Z,`

const bookings = `
  Buchung,Raum,Beginn,Ende,Storniert,Teilnehmer
  B1,Elbe,2026-10-05T09:00:00Z,2026-10-05T10:00:00Z,ja,4
  B1,Elbe,2026-10-05T09:00:00Z,2026-10-05T10:00:00Z,ja,4
  B2,Isar,2026-10-06T10:00:00Z,2026-10-06T11:00:00Z,nein,12`

const energy = `
  Datum,Gebäude,Strom kWh,Kosten EUR
  2026-09-01,Haus A,100,30
  2026-09-02,Haus A,200,60
  2026-10-01,Haus A,300,90
  2026-10-01,Haus B,50,15`

const tickets = `
  ticket,team,status,priority,response_minutes,opened_on,closed_on
  1,Network,open,urgent,30,2026-09-03,
  2,Network,closed,low,400,2026-09-10,2026-10-02
  3,Hardware,open,low,350,2026-10-01,
  4,network,open,low,,2026-10-02,`

export const partSources: MemorySource[] = [
  { name: 'Purchase orders', rows: rowsOf(orders) },
  { name: 'Visitors', rows: rowsOf(visitors) },
  { name: 'Raumbuchungen', rows: rowsOf(bookings) },
  { name: 'Energieverbrauch', rows: rowsOf(energy) },
  { name: 'Tickets', rows: rowsOf(tickets) },
]

/** Two questions in one, alternatives, shares, units and compounds, each with one that must be refused. */
export const partQuestions = [
  right(
    'How many orders are unpaid and how many orders came from Papierhaus in November?',
    'The count is 2',
    'The count is 1',
  ),
  right('Wie viele Buchungen hat Elbe und wie viele hat Isar?', 'Die Anzahl ist 2', 'Die Anzahl ist 1'),
  none('How many orders are unpaid and which supplier has the most?'),
  none('How many orders are from Voltix and how many orders are from Contoso?', 'contoso'),
  right('total amount in September compared to October', 'is 100 ', 'is 450 ', 'Difference: 350'),
  none('How many orders compared to October?'),

  none('How many orders are unpaid or from Papierhaus?'),
  none('Orders from OfficePro or worth more than 300 euros'),
  none('How many orders are not from Voltix or over 300 euros?'),

  right('What share of orders were unpaid by supplier?', 'OfficePro: 100 % (1 of 1)', 'Voltix GmbH: 50 % (1 of 2)'),
  right('What share of orders were unpaid per month?', '2026-09: 0 % (0 of 1)', '2026-11: 50 % (1 of 2)'),
  right('Welcher Anteil der Buchungen wurde je Raum storniert?', 'Elbe: 100 % (2 von 2)', 'Isar: 0 % (0 von 1)'),
  right('What share of tickets were low by team?', 'Network: 66.7 % (2 of 3)', 'Hardware: 100 % (1 of 1)'),
  right('What share of tickets that were open are low by team?', 'etwork: 50 % (1 of 2)', 'Hardware: 100 % (1 of 1)'),
  right('How many low tickets are of Hardware and how many of Network?', 'count is 1 ', 'count is 2 '),
  none('Share of unpaid orders by supplier', 'share'),
  none('What share of tickets were of Network by team?', 'share'),
  right('Wie viele Buchungen befinden sich in der Elbe?', 'Die Anzahl ist 2'),
  none('Wie viele Buchungen stehen?', 'stehen'),
  right('share of unpaid orders from Voltix', '50 % (1 of 2)'),
  right('What share of Papierhaus is paid?', '100 % (2 of 2)'),
  right('share of unpaid orders in November', '50 % (1 of 2)'),
  right('What is the difference between Voltix and Papierhaus in total amount?', 'Difference: 390'),
  none('What is the difference between Voltix and Papierhaus?', 'difference'),

  right('How many orders in October?', 'The count is 2 (counted Purchase orders where order_date'),
  none('How many orders were paid in October?', 'paid'),
  right('total amount of all orders from Voltix', 'The total of total_amount is 500'),
  right('How many orders over 300 euros?', 'The count is 2'),
  none('What is the total amount in dollars?', 'dollars'),
  right('oldest order', 'PO1'),
  none('oldest visitor', 'oldest'),

  right('How many visitors came in October?', 'The count is 3; different values of visitor: 2'),
  right('How many different visitors came in October?', 'There are 2 different values'),
  right('Did anyone from Hooli come in October?', 'The count is 1'),
  right('How many visitors are still here?', 'The count is 1'),
  none('How many visitors are still friendly?'),

  right('Wie viele Buchungen gibt es?', 'Die Anzahl ist 3; verschiedene Werte von Buchung: 2'),
  right('Welcher Raum wird am häufigsten gebucht?', 'Elbe hat'),
  right('Wie viele Buchungen hat Elbe im Oktober?', 'Die Anzahl ist 2'),
  none('Wie viele Buchungen zwischen 9 und 11?', 'Teilnehmer'),

  right('Welches Gebäude verbraucht mehr Strom?', 'Haus A hat'),
  right('durchschnittlicher Stromverbrauch in Haus A', 'ist 200'),
  right('An wie vielen Tagen war der Strom über 250 kWh?', '1 von 3'),
  none('durchschnittlicher Gasverbrauch in Haus A', 'gasverbrauch'),

  right('What is the average response in minutes of Network?', 'is 215'),
  right('How many tickets took more than 300 minutes to respond?', 'The count is 2'),
  none('What is the average response in euros of Network?', 'euros'),
  right('How many tickets did we close in October?', 'The count is 1'),
  none('How many tickets open in September?', 'open'),
]

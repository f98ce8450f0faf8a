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
  right('repairs per workshop except East', '- North: 2', '- South: 2'),
  right('How many repairs were finished on the second Friday of May?', 'count is 1'),
  none('How many repairs were finished yesterday?', 'the data end on 2026-05-08'),
  none('How many repairs were received this week?', 'the data end on 2026-05-11'),
  right('How many repairs were received in July 2026?', 'count is 0', 'the data end on 2026-05-11'),
  right('How many repairs were received since Easter?', 'count is 6', '≥ 2026-04-05'),
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

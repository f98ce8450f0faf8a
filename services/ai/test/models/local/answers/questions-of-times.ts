import type { MemorySource } from './memory-tools.ts'
import { none, right, type TestQuestion } from './test-question.ts'

/** Two weeks from Monday, 5 January 2026. */
const days = Array.from({ length: 14 }, (_, at) => ({ day: `2026-01-${String(at + 5).padStart(2, '0')}`, at }))

/** Ten people an hour for each day since Monday in the north, 3 in the south; 1 more at 14:00, and 5 in week 3. */
const counts = days.flatMap(({ day, at }) =>
  ['09', '14'].flatMap((hour) =>
    ['North', 'South'].map((zone) => ({
      measured_at: `${day}T${hour}:00:00Z`,
      zone,
      headcount: String((zone === 'North' ? 10 * (at % 7) : 3) + (hour === '14' ? 1 : 0) + (at > 6 ? 5 : 0)),
    })),
  ),
)

/** Each of five people on working days at 8:00, and Ann again at 18:00; on the last Friday Ann only. */
const swipes = days
  .filter(({ at }) => at % 7 < 5)
  .flatMap(({ day, at }) =>
    ['Ann', 'Ben', 'Cem', 'Dag', 'Eva', 'Ann'].map((user, turn) => ({
      time: `${day}T${turn === 5 ? '18' : '08'}:00:00Z`,
      user,
      door: turn % 2 === 0 ? 'East' : 'West',
      isLast: at === 11 && turn > 0,
    })),
  )
  .filter(({ isLast }) => !isLast)
  .map(({ time, user, door }) => ({ time, user, door }))

const rooms = days
  .filter(({ at }) => at % 7 < 5)
  .map(({ day, at }) => ({
    raum: at % 2 === 0 ? 'Oak' : 'Elm',
    beginn: `${day}T${at < 7 ? '09' : '13'}:00:00Z`,
    ende: `${day}T15:00:00Z`,
    storniert: at % 7 === 0 ? 'ja' : 'nein',
    checked_in: String(at < 7),
  }))

const visits = days.map(({ day, at }) => ({ day, guests_count: String(at) }))

export const countSources: MemorySource[] = [{ name: 'Zone counts', rows: counts }]
export const swipeSources: MemorySource[] = [{ name: 'Door log', rows: swipes }]
export const roomSources: MemorySource[] = [{ name: 'Kalender', rows: rooms }]
export const visitSources: MemorySource[] = [{ name: 'Guests', rows: visits }]

export const countQuestions: TestQuestion[] = [
  right('How many people were in North on Tuesdays?', 'headcount is 52;', '13 on average and 16 at most'),
  right('Summe headcount dienstags in North', 'Summe von headcount ist 52;', 'ein Dienstag'),
  right('What was the average headcount at 2 pm?', 'average of headcount is 20 ', 'from 14:00 until before 15:00'),
  right('Which weekday is busiest?', 'Sunday has the highest'),
  right('Welcher Wochentag ist am leersten?', 'Montag hat den niedrigsten'),
  right('Which hour is busiest?', '14:00 has the highest'),
  right('Welcher Tag war am vollsten?', '2026-01-18 hat den höchsten'),
  right('Wann war am wenigsten los?', '09:00 hat', 'Montag hat', '2026-01-05 hat'),
  right('Is it busier on Mondays or on Fridays?', '- Friday: 196\n- Monday: 36'),
  right('Ist North oder South voller?', '- North: 924\n- South: 168'),
  right('headcount in week 2', 'headcount is 476;', '≥ 2026-01-05 and < 2026-01-12'),
  right('Headcount in KW 3', 'headcount ist 616;'),
  right('headcount on 06.01.2026', 'headcount is 28;'),
  right('headcount last week', 'headcount is 476;', 'the data end on 2026-01-18'),
  right('headcount except on weekends', 'headcount is 580;'),
  right('average headcount per day', 'average of headcount is 19.5;', 'the average of the 14 with records is 78 '),
  right('Average headcount per weekday', '- Monday: 4.5 (18 a day)'),
  none('headcount last Monday', 'last'),
  none('headcount in week 60', 'week'),
  right('headcount since week 2', '1092'),
  none('headcount at 9:30', '30'),
  none('Is Monday the busiest day?'),
  none('Is North busier on Mondays or South on Fridays?'),
  none('headcount on the second Monday', 'second'),
  none('What share of headcount is on Mondays?'),
]

export const swipeQuestions: TestQuestion[] = [
  right('How many swipes were there on Fridays?', 'The count is 7 '),
  right('How many people came on Fridays?', '5 different values of user', '7 of 55'),
  right('How many events before 9 am?', 'The count is 46 '),
  right('Which door is used most on Mondays?', 'East, West have'),
  right('Which day had the fewest people?', '2026-01-16 has the lowest number of different values of user: 1'),
  right('How many people per door?', 'East: 3', 'West: 3'),
  right('average swipes per day', 'The count is 55;', 'the 10 with records is 5.5 '),
  none('How many people came every day?'),
  none('How many people were still there after 6 pm?', 'still there'),
  none('How many people came except on Mondays?'),
  none('Which swipes were on Mondays?', 'not listed'),
]

export const roomQuestions: TestQuestion[] = [
  right('Wie viele Buchungen wurden storniert?', 'Die Anzahl ist 2 ', 'storniert ist ja'),
  right('Wie viele Buchungen wurden montags nicht storniert?', 'Die Anzahl ist 0 '),
  right('Wie viele Buchungen nach 12 Uhr?', 'Die Anzahl ist 5 ', 'beginn von 12:00'),
  // `in` is no column `checked_in`.
  right('Wie viele Buchungen in KW 3?', 'Die Anzahl ist 5 '),
  right('Which weekday has fewer bookings, Monday or Friday?', '- Friday: 2\n- Monday: 2'),
  right('How many bookings end after 12 pm?', 'The count is 10 ', 'ende is from 12:00'),
  none('Wie voll ist Oak?'),
]

export const visitQuestions: TestQuestion[] = [
  none('total guests count at 9 am', 'days without a time'),
  none('Which hour has the most guests count?', 'days without a time'),
]

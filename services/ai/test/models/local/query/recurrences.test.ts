import { describe, expect, it } from '@jest/globals'
import { takeRecurrences, weekdays } from '../../../../src/models/local/query/times/recurrences.ts'

const recurrencesOf = (text: string, language: 'en' | 'de') => takeRecurrences(` ${text} `, language).recurrences

describe('takeRecurrences', () => {
  it.each([
    ['on mondays', 'en', { weekdays: ['Monday'] }],
    ['dienstags und donnerstags', 'de', { weekdays: ['Tuesday', 'Thursday'] }],
    ['from monday to wednesday', 'en', { weekdays: ['Monday', 'Tuesday', 'Wednesday'] }],
    ['on mondays or on fridays', 'en', { weekdays: ['Monday', 'Friday'], isEither: true }],
    ['am wochenende', 'de', { weekdays: ['Saturday', 'Sunday'] }],
    ['except on mondays', 'en', { weekdays: weekdays.slice(1), isExcept: true }],
    ['before 9 am', 'en', { fromHour: 0, untilHour: 9 }],
    ['nach 13 uhr', 'de', { fromHour: 13, untilHour: 24 }],
    ['between 11 and 1 pm', 'en', { fromHour: 11, untilHour: 13 }],
    ['zwischen 9 und 11 uhr', 'de', { fromHour: 9, untilHour: 11 }],
    ['at 12 am', 'en', { fromHour: 0, untilHour: 1 }],
    ['at 14 00', 'en', { fromHour: 14, untilHour: 15 }],
    ['vormittags', 'de', { fromHour: 0, untilHour: 12 }],
  ] as const)('%s is %j', (text, language, recurrence) => {
    expect(recurrencesOf(text, language)).toEqual([recurrence])
    expect(takeRecurrences(` ${text} `, language).text.trim().split(' ').at(-1)).toBe('R0')
  })

  it.each([
    ['last monday', 'en'],
    ['am nachsten montag', 'de'],
    ['at 9 30', 'en'],
    ['at 14 pm', 'en'],
    ['before 9', 'en'],
    ['between 9 and 11', 'en'],
    ['at 5 sites', 'en'],
    ['nach 25 uhr', 'de'],
  ] as const)('%s comes not again', (text, language) => expect(recurrencesOf(text, language)).toEqual([]))
})

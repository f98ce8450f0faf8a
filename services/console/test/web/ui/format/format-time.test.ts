import { expect, test } from '@jest/globals'
import { formatInWords, formatSentence } from '../../../../web/src/ui/format/format-time.ts'

const [british, american, german] = ['en-GB', 'en-US', 'de'].map((locale) => ({ locale, timeZone: 'UTC' }))
const at = '2026-12-01T14:05:00Z'

test('formatInWords has English words in the order of the reader, and figures for other languages', () => {
  expect(formatInWords('longDay', at, { ...british })).toBe('Tuesday 1 December')
  expect(formatInWords('longDay', at, { ...american })).toBe('Tuesday, December 1')
  expect(formatInWords('longDay', at, { ...german })).toBe('Tuesday, 01.12.')
  expect(formatInWords('shortTime', at, { ...american })).toBe('Tue, Dec 1, 2:05 PM')
  expect(formatInWords('shortTime', at, { ...german })).toBe('Tue, 01.12., 14:05')
  const early = '2026-12-01T07:05:00Z'
  expect(formatInWords('hour', early, { ...british })).toBe('07:05')
  expect(formatInWords('hour', early, { ...american })).toBe('7:05 AM')
})

test('formatSentence writes the dates of a sentence of the platform as the reader does', () => {
  const sentence = 'Harbour may be full on Tuesday 17 March 2026 and in the week that starts on 16 March 2026'
  expect(formatSentence(sentence, { ...british })).toBe(sentence)
  expect(formatSentence(sentence, { ...american })).toBe(
    'Harbour may be full on Tuesday, March 17, 2026 and in the week that starts on March 16, 2026',
  )
  expect(formatSentence('Friday 4 December: about 44 people', { ...american })).toBe(
    'Friday, December 4: about 44 people',
  )
  expect(formatSentence('too full at 14:00: up to 9', { ...american })).toBe('too full at 2:00 PM: up to 9')
  expect(formatSentence('too full at 14:00: up to 9', { ...british })).toBe('too full at 14:00: up to 9')
  expect(formatSentence('Heat Floor 1 from 07:00 to 19:00.', { ...american })).toBe(
    'Heat Floor 1 from 7:00 AM to 7:00 PM.',
  )
  expect(formatSentence('failed since 2026-11-29T20:52:00.000Z.', { ...british, timeZone: 'Europe/Berlin' })).toBe(
    'failed since 29 Nov 2026, 21:52.',
  )
  const notes = 'Closed on 2025-11-30. Friday 4 December 2026: 1 of 2. See "2025-11-30" and plan-2025-11-30.csv'
  expect(formatSentence(notes, { ...british })).toBe(notes.replace('2025-11-30', '30 Nov 2025'))
  expect(formatSentence(notes, { ...german })).toBe(
    'Closed on 30.11.2025. Friday, 04.12.2026: 1 of 2. See "2025-11-30" and plan-2025-11-30.csv',
  )
  expect(formatSentence('Full on Friday 4 December.', { ...german })).toBe('Full on Friday, 04.12.')
  expect(formatSentence('Room 1 May keeps its name', { ...american })).toBe('Room 1 May keeps its name')
})

import { describe, expect, it } from '@jest/globals'
import { compileTimestampFormat, TimestampFormatError } from '../src/index.ts'

describe('a timestamp format', () => {
  it.each([
    ['DD.MM.YYYY HH:mm', '01.02.2026 08:00', '2026-02-01T08:00:00.0'],
    ['DD.MM.YYYY', '01.02.2026', '2026-02-01'],
    ['D.M.YY H:mm:ss', '1.2.26 8:05:09', '2026-02-01T08:05:09.0'],
    ['MM/DD/YYYY hh:mm A', '02/01/2026 12:30 am', '2026-02-01T00:30:00.0'],
    ['M/D/YYYY h:mm A', '2/1/2026 1:30 PM', '2026-02-01T13:30:00.0'],
    ['DD-MMM-YYYY', '01-FEB-2026', '2026-02-01'],
    ['YYYYMMDD', '20260201', '2026-02-01'],
    ['DD.MM.YYYY HH:mm', '31.12.2026 24:00', '2027-01-01T00:00:00.0'],
    ['D. MMMM YYYY', '1. März 2026', '2026-03-01'],
    ['MM/DD/YYYY hh:mm A', '02/01/2026 12:30\u202fPM', '2026-02-01T12:30:00.0'],
    ['YYYY-MM-DDTHH:mm:ss.SSSZ', '2026-02-01T08:00:00.25+01:00', '2026-02-01T08:00:00.25+01:00'],
    ['YYYY/MM/DD HH[h]mm Z', '2026/02/01 08h00 +0100', '2026-02-01T08:00:00.0+0100'],
    ['X', '1769932800', '2026-02-01T08:00:00.000Z'],
    ['X', '1769932800.5', '2026-02-01T08:00:00.500Z'],
    ['x', '1769932800250', '2026-02-01T08:00:00.250Z'],
  ])('%s reads %s', (format, text, expected) => {
    expect(compileTimestampFormat(format)(text)).toBe(expected)
  })

  it.each([
    ['DD.MM.YYYY HH:mm', '2026-02-01T08:00'],
    ['DD.MM.YYYY', '30.02.2026'],
    ['DD.MM.YYYY', '01.13.2026'],
    ['DD.MM.YYYY', '1.2.2026'],
    ['DD.MM.YYYY', '01.02.2026 '],
    ['DD.MM.YYYY', '01x02x2026'],
    ['hh:mm A DD.MM.YYYY', '13:00 PM 01.02.2026'],
    ['YYYY-MM-DD', ''],
    ['X', '2026-02-01'],
    ['X', ''],
    ['x', '999999999999999'],
  ])('%s does not read %s', (format, text) => {
    expect(compileTimestampFormat(format)(text)).toBeUndefined()
  })

  it.each([
    ['dd.MM.YYYY', 'has no token "d"; did you mean DD? Write text in brackets: [d]'],
    ['%d.%m.%Y', 'has no token "d"; did you mean DD? Write text in brackets: [d]'],
    ['yyyy-MM-DD', 'has no token "y"; did you mean YYYY? Write text in brackets: [y]'],
    ['YYYY-MM-DD Q', 'has no token "Q"; write text in brackets: [Q]'],
    ['DD.MM', 'must have one token for the year'],
    ['YYYY YY', 'must have one token for the year'],
    ['YYYY', 'must have a token for the month'],
    ['YYYY-MM', 'must have a token for the day'],
    ['YYYY-MM-DD D', 'has two tokens for the day'],
    ['YYYY-MM-DD mm', 'must have a token for the hour'],
    ['YYYY-MM-DD HH:ss', 'must have a token for the minute'],
    ['YYYY-MM-DD hh:mm', 'must have `hh` or `h` together with `A`, or `HH` or `H` without it'],
    ['YYYY-MM-DD HH:mm A', 'must have `hh` or `h` together with `A`, or `HH` or `H` without it'],
  ])('is rejected with the reason: %s', (format, message) => {
    expect(() => compileTimestampFormat(format)).toThrow(new TimestampFormatError(message))
  })

  it('is ISO 8601 by default, with letters in either case', () => {
    const read = compileTimestampFormat()
    for (const text of ['2026-02-01', '2026-02-01 08:00', '2026-02-01t08:00:00z', '2026-02-01T08:00:00.123456+01:00'])
      expect(read(text)).toBe(text)
    for (const text of ['01.02.2026', '1769932800', '']) expect(read(text)).toBeUndefined()
  })
})

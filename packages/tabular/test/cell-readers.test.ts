import { describe, expect, it } from '@jest/globals'
import { compileNumberCells, compileTimeCells, type NumberFormat } from '../src/index.ts'

const options = { nulls: new Set(['-1', 'closed']), onNull: () => {} }

describe('the reader of numbers', () => {
  it.each<[NumberFormat, string, number | null | undefined]>([
    [{ decimal: ',', thousands: '.' }, '1.386,5', 1386.5],
    [{ decimal: ',', thousands: '.' }, '1.386', 1386],
    [{ decimal: ',', thousands: '.' }, '1.38', undefined],
    [{ decimal: ',', thousands: '.' }, '13.86,5', undefined],
    [{ decimal: '.', thousands: '' }, '1.386', 1.386],
    [{ decimal: '.', thousands: '' }, '1,386', undefined],
    [{ thousands: ' ' }, '1\u202f386', 1386],
    [{ thousands: "'" }, '1’386.25', 1386.25],
    [{}, '1.386', undefined],
    [{}, '1386', 1386],
    [{}, '12,5', 12.5],
    [{}, '007', undefined],
    [{}, '1234567890123456', undefined],
    [{}, '0.30000000000000004', 0.30000000000000004],
    [{}, '−5', -5],
    [{}, ' 5 ', 5],
    [{}, '', null],
    [{}, 'n/a', null],
    [{}, '–', null],
    [{}, 'closed', null],
    [{}, '-1', null],
    [{}, '#REF!', undefined],
    [{}, '5 %', undefined],
    [{}, '5.', undefined],
  ])('with %j reads %j as %p', (format, text, expected) => {
    expect(compileNumberCells(format, options)(text)).toBe(expected)
  })
})

describe('the reader of times', () => {
  it.each([
    ['DD.MM.YYYY HH:mm', '31.01.2024 08:00', '2024-01-31T08:00:00'],
    ['DD.MM.YYYY HH:mm', '1.2.2024 8:00', '2024-02-01T08:00:00'],
    ['DD.MM.YYYY HH:mm', '31.01.2024', '2024-01-31'],
    ['DD.MM.YYYY HH:mm', '31.01.2024 08:00:30', '2024-01-31T08:00:30'],
    ['DD.MM.YYYY HH:mm', '31.12.2024 24:00', '2025-01-01T00:00:00'],
    ['DD.MM.YYYY HH:mm', '31.12.2024 24:01', undefined],
    ['DD.MM.YYYY', '01.13.2024', undefined],
    ['MM/DD/YYYY hh:mm A', '01/31/2024 12:00\u202fa.m.', '2024-01-31T00:00:00'],
    ['MM/DD/YYYY hh:mm A', '01/31/2024 13:00', undefined],
    ['YYYY-MM-DD HH:mm', '2024-01-31T08:00Z', '2024-01-31T08:00:00Z'],
    ['YYYY-MM-DD HH:mm', '2024-01-31 08:00:00.25+0130', '2024-01-31T08:00:00.25+01:30'],
    ['D.M.YY', '1.2.24', '2024-02-01'],
    ['D.M.YY', '1.2.65', undefined],
    ['X', '1706688000', '2024-01-31T08:00:00Z'],
    ['X', '1706688000.5', '2024-01-31T08:00:00.500Z'],
    ['YYYYMMDD', '20240131', '2024-01-31'],
  ])('with %s reads %j as %p', (format, text, expected) => {
    expect(compileTimeCells([format], options)(text)).toBe(expected)
  })
})

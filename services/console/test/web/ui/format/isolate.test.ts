import { describe, expect, it } from '@jest/globals'
import {
  escapeDirections,
  isolate,
  visibleText,
  withoutDirections,
} from '../../../../web/src/ui/format/untrusted-text.ts'

const override = '\u202E'
const [isolateStart, isolateEnd] = ['\u2068', '\u2069']

describe('isolate', () => {
  it.each(['Office arrivals', 'Zürich – Gebäude 4', '東京', '42', ''])('returns “%s” as it is', (text) => {
    expect(isolate(text)).toBe(text)
  })

  it.each(['שלום', 'مكتب 7', 'ޕ'])('isolates the right-to-left text “%s”', (text) => {
    expect(isolate(text)).toBe(isolateStart + text + isolateEnd)
  })

  it('removes characters that reverse the text after them or end the isolation', () => {
    expect(isolate(`evil${isolateEnd}${override}exe`)).toBe(`${isolateStart}evilexe${isolateEnd}`)
  })
})

describe('withoutDirections', () => {
  it('keeps everything but the characters that change directions', () => {
    expect(withoutDirections(`Close \u061C${override}Hall\u202C on \u2067שלום\u2069`)).toBe('Close Hall on שלום')
  })
})

describe('escapeDirections', () => {
  it('returns the same JSON without characters that change directions', () => {
    const value = { name: `evil${override}exe`, other: 1 }
    const escaped = escapeDirections(JSON.stringify(value))
    expect(escaped).toBe('{"name":"evil\\u202eexe","other":1}')
    expect(JSON.parse(escaped)).toEqual(value)
  })
})

describe('visibleText', () => {
  it('leaves out what cannot be seen or typed', () => {
    expect(visibleText(` Head\u200Bquarters \u00A0 ${override}East\uFEFF`)).toBe('Headquarters East')
  })
})

import { describe, expect, it } from '@jest/globals'
import { plot } from '../src/output/plot.ts'

const history = [0, 4, 8, 4, 0, 4, 8, 4].map((value, at) => ({ at, value }))
const forecast = [0, 4, 8, 4].map((value, index) => ({ at: 8 + index, value, lower: value / 2, upper: value + 4 }))
const small = { history, forecast, width: 31, height: 6 }
const labelOf = (at: number) => (at % 4 === 0 ? `d${at}` : undefined)

describe('plot', () => {
  it('draws history, a rule, the forecast and its band in ASCII', () => {
    expect(plot({ ...small, hasUnicode: false, labelOf })).toEqual([
      '    12|                 |  :::',
      '      |                 | :::::',
      '      |   ***      ***  |::+++:',
      '   6.0|  ** ***  *** ** ::++:++',
      '      | **    ****      :++::::',
      '      |**      **       ++',
      '     0+------------------------',
      '       d0      d4       d8',
    ])
  })

  it('draws lines with braille dots', () => {
    expect(plot({ ...small, labelOf })).toEqual([
      '    12┤                 ┊  ░░░',
      '      │                 ┊ ░░░░░',
      '      │   ⢀⡞⢧      ⣰⠻⡄  ┊░░⢀⡞⢧░',
      '   6.0┤  ⣠⠏ ⠈⢳⡀  ⢀⡼⠁ ⠙⡆ ░░⣠⠏░⠈⢳',
      '      │ ⣰⠃    ⢳⡀⢀⡞      ░⣰⠃░░░░',
      '      │⣰⠃      ⢳⡞       ⣰⠃',
      '     0┴────────────────────────',
      '       d0      d4       d8',
    ])
  })

  it.each([40, 80, 200])('is never wider than %i columns', (width) => {
    const long = Array.from({ length: 1000 }, (_, at) => ({ at, value: Math.abs(Math.sin(at)) * 12_345 }))
    const lines = plot({ history: long, forecast: [], width, labelOf: (at) => (at % 50 === 0 ? 'Mon 1' : undefined) })
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(width)
    expect(lines[0]).toMatch(/^ {3}12k┤/)
  })

  it('adds colors when enabled without changing the text', () => {
    const plain = plot(small)
    const coloured = plot({ ...small, hasColor: true })
    expect(plain.join('')).not.toContain('\x1b')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: ANSI colors are control sequences
    expect(coloured.map((line) => line.replaceAll(/\x1b\[[\d;]*m/g, '').trimEnd())).toEqual(plain)
    expect(coloured.join('')).toContain('\x1b[33m')
  })

  it('accepts a constant series and an empty one', () => {
    expect(plot({ history: [{ at: 0, value: 0 }], forecast: [], width: 20, height: 2 })).toHaveLength(3)
    expect(plot({ history: [], forecast: [], width: 20, height: 2 })).toHaveLength(3)
  })
})

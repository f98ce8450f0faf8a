import { describe, expect, it } from '@jest/globals'
import { accentTokens, contrast, parse } from '../../../web/src/portal/accent.ts'

const colors = ['#000000', '#ffffff', '#ffe000', '#e11d48', '#2f55d4', '#00ff00', '#808080', '#0c1430']

describe.each(['light', 'dark'] as const)('an accent colour in the %s scheme', (scheme) => {
  it.each(colors)('can be read as text and as a button: %s', (color) => {
    const tokens = accentTokens(color, scheme)
    const of = (name: string) => parse(tokens[name] ?? '')
    const surface = parse(scheme === 'light' ? '#ffffff' : '#15191f')
    for (const [text, behind] of [
      [of('--accent-text'), surface],
      [of('--accent-text'), of('--accent-soft')],
      [of('--on-accent'), of('--accent')],
      [of('--on-accent'), of('--accent-hover')],
    ] as const)
      expect(contrast(text, behind)).toBeGreaterThanOrEqual(4.5)
  })

  it('stays as it was chosen if it can be read', () => {
    const color = scheme === 'light' ? '#8a1538' : '#8ea7ff'
    expect(accentTokens(color, scheme)['--accent']).toBe(color)
  })
})

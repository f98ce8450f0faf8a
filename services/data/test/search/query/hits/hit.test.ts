import { describe, expect, it } from '@jest/globals'
import { renderHighlights, stripHighlights } from '../../../../src/search/query/hits/hit.ts'
import { markEnd, markStart } from '../../../../src/store/search/text/highlight-marks.ts'

describe('highlights', () => {
  const text = `<b>"${markStart}R&D${markEnd}"</b>`

  it('are rendered as mark elements in escaped HTML', () => {
    expect(renderHighlights(text)).toBe('&lt;b&gt;&quot;<mark>R&amp;D</mark>&quot;&lt;/b&gt;')
  })

  it('are stripped from plain text', () => {
    expect(stripHighlights(text)).toBe('<b>"R&D"</b>')
  })
})

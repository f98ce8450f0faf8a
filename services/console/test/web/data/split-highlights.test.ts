import { describe, expect, it } from '@jest/globals'
import { fieldsWithWords, matchedWords, splitHighlights } from '../../../web/src/data/search/split-highlights.ts'

describe('splitHighlights', () => {
  it('returns plain and marked parts', () => {
    expect(splitHighlights('the <mark>green</mark> door')).toEqual([
      { text: 'the ', isMarked: false },
      { text: 'green', isMarked: true },
      { text: ' door', isMarked: false },
    ])
  })

  it('marks the first part when the text begins with a match', () => {
    expect(splitHighlights('<mark>green</mark> door')[0]).toEqual({ text: 'green', isMarked: true })
  })

  it('unescapes every entity once', () => {
    expect(splitHighlights('&lt;b&gt; &amp;lt; &quot;a&quot; &#39;b&#39;')).toEqual([
      { text: `<b> &lt; "a" 'b'`, isMarked: false },
    ])
  })

  it('keeps the markup of a record as text', () => {
    const [part] = splitHighlights('&lt;img src=x onerror=alert(1)&gt; &lt;mark&gt;')
    expect(part).toEqual({ text: '<img src=x onerror=alert(1)> <mark>', isMarked: false })
  })
})

describe('matchedWords', () => {
  it('returns each marked word once in lower case', () => {
    const title = splitHighlights('<mark>Green</mark> door')
    expect(matchedWords(title, splitHighlights('a <mark>green</mark> <mark>doors</mark>'))).toEqual(['green', 'doors'])
  })
})

describe('fieldsWithWords', () => {
  it('returns the fields that contain a word, in any case and in nested values', () => {
    const data = { name: 'Green', team: 'red', tags: ['evergreen'], none: null }
    expect(fieldsWithWords(data, ['green'])).toEqual(['name', 'tags'])
  })
})

import { describe, expect, test } from '@jest/globals'
import { parseAnswer, parseInline } from '../../../../web/src/agents/answer/parse-answer.ts'

describe('parseAnswer', () => {
  test('reads headings, paragraphs, lists, quotes, code and tables', () => {
    const text = [
      '## Title ',
      'One',
      'two',
      '- a',
      '  more of a',
      '- b',
      '3. c',
      '> said',
      '---',
      '```sql',
      '# not a heading',
      '```',
      '| A | B |',
      '|---|:-:|',
      '| 1 | 2 |',
      'End',
    ].join('\n')
    expect(parseAnswer(text)).toEqual([
      { type: 'heading', level: 2, text: 'Title' },
      { type: 'paragraph', text: 'One\ntwo' },
      { type: 'list', isOrdered: false, start: 1, items: ['a more of a', 'b'] },
      { type: 'list', isOrdered: true, start: 3, items: ['c'] },
      { type: 'quote', text: 'said' },
      { type: 'rule' },
      { type: 'code', text: '# not a heading' },
      { type: 'table', header: ['A', 'B'], rows: [['1', '2']] },
      { type: 'paragraph', text: 'End' },
    ])
  })

  test('accepts an answer at every point of its writing', () => {
    const text = '# A\n\n- **b** [1]\n\n| x | y |\n|---|---|\n| 1 |\n```js\ncode\n```\n> q\n**open `code [2'
    for (let length = 0; length <= text.length; length++) {
      const blocks = parseAnswer(text.slice(0, length))
      expect(blocks.length).toBeLessThanOrEqual(8)
    }
  })

  test('leaves HTML as text', () => {
    expect(parseAnswer('<img src=x onerror=alert(1)>')).toEqual([
      { type: 'paragraph', text: '<img src=x onerror=alert(1)>' },
    ])
  })
})

describe('parseInline', () => {
  test('reads bold, emphasis, code, links and citations', () => {
    expect(parseInline('**a b** and *c* `[1]` [2] [site](https://example.com/x).')).toEqual([
      { type: 'strong', text: 'a b' },
      { type: 'text', text: ' and ' },
      { type: 'emphasis', text: 'c' },
      { type: 'text', text: ' ' },
      { type: 'code', text: '[1]' },
      { type: 'text', text: ' ' },
      { type: 'citation', index: 2 },
      { type: 'text', text: ' ' },
      { type: 'link', text: 'site', url: 'https://example.com/x' },
      { type: 'text', text: '.' },
    ])
  })

  test('makes no link of other schemes, and no emphasis of a product', () => {
    expect(parseInline('[x](javascript:alert(1)) 2 * 3 * 4')).toEqual([
      { type: 'text', text: '[x](javascript:alert(1)) 2 * 3 * 4' },
    ])
  })

  test.each(['**a ', '[', '`', '[a](http://a', '# '])('returns all of a long text of %j', (piece) => {
    const text = piece.repeat(20_000)
    expect(
      parseInline(text)
        .map((part) => ('text' in part && part.type === 'text' ? part.text : ''))
        .join(''),
    ).toBe(text)
  })
})

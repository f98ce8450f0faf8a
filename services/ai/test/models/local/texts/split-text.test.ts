import { describe, expect, it } from '@jest/globals'
import { splitText } from '../../../../src/models/local/texts/split-text.ts'

describe('splitText', () => {
  it.each([
    ['# Rules\n\nPark here.', ['Rules'], ['Park here.']],
    [
      '§ 3 Urlaub\nUrlaub verfällt am 31. März. Er wird nicht ausgezahlt.',
      ['§ 3 Urlaub'],
      ['Urlaub verfällt am 31. März.', 'Er wird nicht ausgezahlt.'],
    ],
    ['How do I pay? By card.', ['How do I pay?'], ['By card.']],
  ])('makes headings of what is no answer in %j', (text, headings, sentences) =>
    expect(splitText(text)).toEqual([{ headings, sentences }]),
  )

  it('keeps the entries of a list under its introduction', () => {
    const text = 'Travel\n\nThe limits are:\n- Paris up to EUR 180\n- other cities up to EUR 120'
    expect(splitText(text)).toEqual([
      { headings: ['Travel', 'The limits are:'], sentences: ['Paris up to EUR 180'] },
      { headings: ['Travel', 'The limits are:'], sentences: ['other cities up to EUR 120'] },
    ])
  })

  it('joins wrapped lines, and returns no heading without a text', () => {
    const wrapped = 'This is a long line of a paragraph that goes on in the next\nline. And ends.'
    expect(splitText(`${wrapped}\n\nAnnex`).flatMap(({ sentences }) => sentences)).toEqual([
      'This is a long line of a paragraph that goes on in the next line.',
      'And ends.',
    ])
  })
})

import { describe, expect, it } from '@jest/globals'
import { markSnippet, markText } from '../../../../src/search/query/hits/mark-words.ts'
import { markEnd, markStart } from '../../../../src/store/search/text/highlight-marks.ts'

const show = (marked: string | null) => marked?.replaceAll(markStart, '<').replaceAll(markEnd, '>') ?? null

describe('the marks of a text without spaces', () => {
  it('enclose the words as they are written, in any width', () => {
    const mark = (text: string, unspacedWords: string[], forms: string[] = []) =>
      show(markText(text, { unspacedWords, forms }))
    expect(mark('日東電工株式会社', ['株式', '会社'])).toBe('日東電工<株式会社>')
    expect(mark('ｶﾞｲｼｬ と ガイシャ', ['ガイシャ'])).toBe('<ｶﾞｲｼｬ> と <ガイシャ>')
    expect(mark('ＡＢＣ社のNitto café', ['社'], ['cafe', 'nitto', 'abc'])).toBe('ＡＢＣ<社>のNitto <café>')
    expect(mark('กรรมการผู้จัดการ', ['ผู้จัดการ'])).toBe('กรรมการ<ผู้จัดการ>')
    expect(mark(`株${markStart}式`, ['株式'])).toBe('<株式>')
  })

  it('are null when the text has none of the words, or is written with spaces', () => {
    expect(markText('会社案内', { unspacedWords: ['株式'], forms: [] })).toBeNull()
    expect(markText('plain text', { unspacedWords: [], forms: ['plain'] })).toBeNull()
  })

  it('begin a snippet shortly before the first word, without dividing a character', () => {
    const text = `${'𠮷'.repeat(300)}会社${'𠮷'.repeat(300)}`
    const snippet = show(markSnippet(text, { unspacedWords: ['会社'], forms: [] }))
    expect(snippet).toContain('<会社>')
    expect(snippet?.isWellFormed()).toBe(true)
    expect(snippet?.length).toBeLessThan(210)
    expect(snippet?.indexOf('<')).toBeLessThanOrEqual(41)
  })
})

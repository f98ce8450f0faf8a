import { describe, expect, it } from '@jest/globals'
import {
  isUnspaced,
  listPairs,
  listRuns,
  listSymbolicWords,
  separateLetters,
  toIndexedText,
} from '../../src/store/search/text/unspaced-text.ts'

describe('the indexed form of a text', () => {
  it.each(['Room A', 'AB-1234/5', 'Größe, café и кириллица', '、。「」', '', 'a & b + #1'])(
    'is the text itself when its words have spaces: %s',
    (text) => {
      expect([toIndexedText(text), separateLetters(text)]).toEqual([null, text])
    },
  )

  it('has each letter of a run and each pair of neighbours as a word', () => {
    expect(toIndexedText('a会社案b')).toBe('a q4f1aq q793eq q6848q b\nq4f1a793eq q793e6848q')
    expect(listPairs('会社案')).toEqual(['q4f1a793eq', 'q793e6848q'])
    expect(listPairs('会')).toEqual(['q4f1aq'])
  })

  it('keeps marks and subscript letters with their letter', () => {
    expect(separateLetters('ผู้จัด').trim().split(' ')).toHaveLength(3)
    expect(separateLetters('គ្រង').trim().split(' ')).toHaveLength(2)
    expect(listRuns('ｶﾞ が')).toEqual(['ガ', 'が'])
  })

  it('is the same for every form of its letters', () => {
    expect(toIndexedText('が')).toBe(toIndexedText('か\u3099'))
    expect(toIndexedText('ガイシャ')).toBe(toIndexedText('ｶﾞｲｼｬ'))
    expect(toIndexedText('ﬁle ＡＢＣ')).toBe('file ABC')
    expect(isUnspaced('ＡＢＣ')).toBe(true)
    expect([toIndexedText('مَكْتَب'), toIndexedText('יְשִׁיבוֹת')]).toEqual(['مكتب', 'ישיבות'])
  })

  it('has a spelling of words with symbols', () => {
    expect(listSymbolicWords('AT&T, R&D; C++ and C# or F#')).toEqual([
      'atandt',
      'randd',
      'cplusplus',
      'csharp',
      'fsharp',
    ])
    expect(listSymbolicWords('a & b, room#1, 1+1, &c, x+++, &&&')).toEqual([])
    expect(toIndexedText('AT&T')).toBe('AT&T\natandt')
    expect(listSymbolicWords('24/7 or A/B, .NET')).toEqual(['24slash7', 'aslashb', 'dotnet'])
    expect(listSymbolicWords('12/31/2026, AB-1234/5, end. a.NET © 1')).toEqual([])
    expect(listSymbolicWords('done ✅🎉')).toEqual(['q2705q', 'q1f389q'])
  })

  it('has a bounded number of pairs, and takes linear time, when the text is long', () => {
    const indexed = toIndexedText('会社案内'.repeat(50_000)) ?? ''
    expect(indexed.split('\n')[1]?.split(' ')).toHaveLength(24_000)
    expect(toIndexedText(`会${'\u3099'.repeat(200_000)}`)?.length).toBeGreaterThan(200_000)
  })
})

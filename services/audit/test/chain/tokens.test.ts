import { describe, expect, it } from '@jest/globals'
import { compareSignedHead } from '../../src/chain/tokens.ts'

const kept = { seq: 5, hash: 'five', signedAt: '2026-01-05T09:30:00.000Z' }
const whole = { foundHash: 'five', firstSeq: 1, lastSeq: 9, anchor: { seq: 0, hash: 'genesis' }, isEnd: true }

describe('a signed head', () => {
  it.each([
    ['confirmed', 'the record at its position has its hash', {}],
    ['contradicted', 'the record has another hash', { foundHash: 'other' }],
    ['contradicted', 'the record is missing', { foundHash: undefined }],
    ['contradicted', 'the chain ends before it', { foundHash: undefined, lastSeq: 4 }],
    ['contradicted', 'the chain is empty', { foundHash: undefined, lastSeq: 0 }],
    ['not_checked', 'the verified part ends before it', { foundHash: undefined, lastSeq: 4, isEnd: false }],
    ['not_checked', 'the verified part begins after it', { foundHash: undefined, firstSeq: 6 }],
    ['cut', 'its record was cut', { foundHash: undefined, firstSeq: 7, anchor: { seq: 6, hash: 'six' } }],
    ['confirmed', 'its record is the anchor', { foundHash: undefined, firstSeq: 6, anchor: { seq: 5, hash: 'five' } }],
    ['contradicted', 'the anchor at its position has another hash', { firstSeq: 6, anchor: { seq: 5, hash: 'other' } }],
  ])('is %s when %s', (status, _, part) => {
    expect(compareSignedHead(kept, { ...whole, ...part })).toBe(status)
  })

  it('of an empty chain is confirmed by the genesis hash', () => {
    expect(compareSignedHead({ ...kept, seq: 0, hash: 'genesis' }, whole)).toBe('confirmed')
  })
})

import { describe, expect, it } from '@jest/globals'
import { decodeMessage, encodeMessage, type Message, peekMessage } from '../../src/gossip/message-codec.ts'

const counts: Message = {
  kind: 'counts',
  edge: 'a',
  sentAtMs: 1000,
  limiter: 'requests',
  updates: [
    {
      key: 'akey_1',
      window: 30_000_000,
      quota: 600,
      partCount: 3,
      membershipHash: 7,
      allotted: -5,
      spent: 10,
      totalSpent: 30,
      ratePerMinute: 90,
      transfers: [['b', 4, 2]],
    },
  ],
}

describe('the message codec', () => {
  it('keeps the wire format that edges of the previous version read', () => {
    const kinds = (['heartbeat', 'join', 'welcome', 'synced', 'leave'] as const).map(
      (kind) => encodeMessage({ kind, edge: 'a', sentAtMs: 1000 }).kind,
    )
    expect(kinds).toEqual(['beat', 'hello', 'here', 'told', 'bye'])
    expect(encodeMessage(counts)).toEqual({
      kind: 'counts',
      edge: 'a',
      at: 1000,
      of: 'requests',
      told: [['akey_1', 30_000_000, 600, 3, 7, -5, 10, 30, 90, [['b', 4, 2]]]],
    })
  })

  it('decodes what it encodes', () => {
    const join: Message = { kind: 'join', edge: 'a', sentAtMs: 1000 }
    for (const message of [join, counts])
      expect(decodeMessage(JSON.parse(JSON.stringify(encodeMessage(message))))).toEqual(message)
  })

  it.each([undefined, null, 'beat', {}, { kind: 'other', edge: 'a', at: 1 }, { kind: 'beat', edge: '', at: 1 }])(
    'rejects %j',
    (data) => expect(decodeMessage(data)).toBeUndefined(),
  )

  it('reads sender and signal without validating the rest', () => {
    expect(peekMessage({ kind: 'beat', edge: 'a' })).toEqual({ edge: 'a', signal: 'heartbeat' })
    expect(peekMessage(encodeMessage(counts))).toEqual({ edge: 'a', signal: undefined })
    expect(peekMessage('nonsense')).toEqual({ edge: undefined, signal: undefined })
  })
})

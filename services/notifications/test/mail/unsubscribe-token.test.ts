import { describe, expect, it } from '@jest/globals'
import { createUnsubscribeTokens } from '../../src/mail/unsubscribe-token.ts'

const kekOf = (byte: number) => Buffer.alloc(32, byte).toString('base64')
const unsubscription = { workspaceId: 'ws_1', userId: 'usr_1', mails: 'data' } as const
const tokens = createUnsubscribeTokens({ KEK: kekOf(1), SHARD: 'one' })
const token = tokens.create(unsubscription)

describe('the token of an unsubscribe link', () => {
  it('names a user, a workspace and the mails', () => {
    expect(tokens.verify(token)).toEqual(unsubscription)
    const all = { ...unsubscription, mails: 'all' } as const
    expect(tokens.verify(tokens.create(all))).toEqual(all)
  })

  it.each([
    ['another user', token.replace('usr_1', 'usr_2')],
    ['other mails', token.replace('data', 'all')],
    ['a changed signature', `${token.slice(0, -2)}${token.endsWith('AA') ? 'BB' : 'AA'}`],
    ['no signature', token.slice(0, token.lastIndexOf('.'))],
    ['nothing', ''],
  ])('is rejected with %s', (_, changed) => {
    expect(tokens.verify(changed)).toBeUndefined()
  })

  it('is accepted after one rotation of the key, not after two', () => {
    const rotated = createUnsubscribeTokens({ KEK: kekOf(2), KEK_PREVIOUS: kekOf(1), SHARD: 'one' })
    const again = createUnsubscribeTokens({ KEK: kekOf(3), KEK_PREVIOUS: kekOf(2), SHARD: 'one' })
    expect([rotated.verify(token), again.verify(token)]).toEqual([unsubscription, undefined])
  })

  it('is rejected in another cell with the same key', () => {
    expect(createUnsubscribeTokens({ KEK: kekOf(1), SHARD: 'two' }).verify(token)).toBeUndefined()
  })
})

import { generateKeyPairSync } from 'node:crypto'
import { afterAll, describe, expect, it } from '@jest/globals'
import { challengeLifetimeMs, createChallenge } from '../../src/passkeys/challenge.ts'
import { codeChallengeOf } from '../../src/sign-in/login-secrets.ts'
import type { Deviation } from '../fixture/authenticator.ts'
import { startTestPasskeys } from '../fixture/passkeys.ts'
import { invalidLoginResponse, pkce } from '../fixture/sign-in.ts'

const fixture = await startTestPasskeys()
const user = await fixture.newUser()
const device = (await fixture.register(user, 5)).device
afterAll(() => fixture.stop())

const loggedReasons = (work: () => Promise<unknown>) => fixture.collectReasons(work)

const otherKey = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
const present = 0x01

const deviations: [reason: string, what: string, deviation: Deviation][] = [
  ['other_origin', 'a page of another origin', { origin: 'https://attacker.example' }],
  ['other_origin', 'the same host on another port', { origin: 'http://127.0.0.1:1' }],
  ['cross_origin', 'a frame in a page of another origin', { crossOrigin: true }],
  ['cross_origin', 'a frame whose top origin is told', { crossOrigin: true, topOrigin: 'https://attacker.example' }],
  ['cross_origin', 'a top origin without a frame', { topOrigin: 'https://attacker.example' }],
  ['wrong_type', 'an answer to a registration', { type: 'webauthn.create' }],
  ['other_relying_party', 'another relying party', { rpId: 'attacker.example' }],
  ['user_not_verified', 'an authenticator that did not verify its user', { flags: present }],
  ['user_not_verified', 'an authenticator without a present user', { flags: 0x04 }],
  ['wrong_signature', 'a signature of another key', { key: otherKey }],
  ['counter_back', 'a counter that goes back', { counter: 4 }],
  ['counter_back', 'a counter that stands still', { counter: 5 }],
  ['counter_back', 'a counter that is gone', { counter: 0 }],
  ['other_user', 'the user handle of another account', { userHandle: Buffer.from('usr_other').toString('base64url') }],
  ['other_user', 'no user handle', { userHandle: null }],
  ['unknown_credential', 'an unknown credential', { credentialId: Buffer.alloc(32).toString('base64url') }],
  ['challenge_unknown', 'a challenge of its own', { challenge: Buffer.alloc(32).toString('base64url') }],
]

describe('a sign-in by passkey is refused', () => {
  it.each(deviations)('as %s: %s', async (reason, _what, deviation) => {
    const { options, verifier } = await fixture.begin()
    const reasons = await loggedReasons(async () => {
      expect(await fixture.signIn(device.get(options, deviation), verifier)).toMatchObject(invalidLoginResponse)
    })
    expect(reasons).toEqual([reason])
  })

  it('as challenge_unknown: a challenge of another browser', async () => {
    const { options } = await fixture.begin()
    const reasons = await loggedReasons(() => fixture.signIn(device.get(options), pkce().verifier))
    expect(reasons).toEqual(['challenge_unknown'])
  })

  it('as challenge_expired: a challenge after five minutes', async () => {
    const { verifier } = pkce()
    const { derivedKeys, now } = fixture.auth.context
    const use = { purpose: 'sign-in', codeChallenge: codeChallengeOf(verifier) } as const
    const { challenge } = createChallenge(derivedKeys, use, now() - challengeLifetimeMs)
    const { options } = await fixture.begin()
    const reasons = await loggedReasons(() => fixture.signIn(device.get(options, { challenge }), verifier))
    expect(reasons).toEqual(['challenge_expired'])
  })

  it('as challenge_used: a challenge that was answered, also if the first answer was refused', async () => {
    const { options, verifier } = await fixture.begin()
    const reasons = await loggedReasons(async () => {
      await fixture.signIn(device.get(options, { key: otherKey }), verifier)
      await fixture.signIn(device.get(options), verifier)
    })
    expect(reasons).toEqual(['wrong_signature', 'challenge_used'])
  })

  it('but once, of two answers to one challenge at the same time', async () => {
    const { options, verifier } = await fixture.begin()
    const passkey = device.get(options)
    const responses = await Promise.all([fixture.signIn(passkey, verifier), fixture.signIn(passkey, verifier)])
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 401])
  })

  it('as user_disabled: the passkey of a disabled user', async () => {
    const disabled = await fixture.newUser()
    const { device: own } = await fixture.register(disabled)
    await fixture.auth.rows('UPDATE users SET disabled_at = now() WHERE user_id = $1', [disabled.userId])
    const { options, verifier } = await fixture.begin()
    const reasons = await loggedReasons(() => fixture.signIn(own.get(options), verifier))
    expect(reasons).toEqual(['user_disabled'])
  })

  it('as malformed: client data that is no JSON, and authenticator data that is too short', async () => {
    const { options, verifier } = await fixture.begin()
    const answer = device.get(options)
    const short = { ...answer, response: { ...answer.response, authenticatorData: 'AAAA' } }
    const noJson = { ...answer, response: { ...answer.response, clientDataJSON: 'AAAA' } }
    const reasons = await loggedReasons(async () => {
      await fixture.signIn(noJson, verifier)
      await fixture.signIn({ ...answer, rawId: 'AAAA' }, verifier)
      await fixture.signIn(short, verifier)
    })
    expect(reasons).toEqual(['malformed', 'malformed', 'malformed'])
  })

  it('with 400: what is too large, of another type, or without a verifier', async () => {
    const { options, verifier } = await fixture.begin()
    const answer = device.get(options)
    const large = { ...answer, response: { ...answer.response, authenticatorData: 'A'.repeat(5_000) } }
    for (const passkey of [large, { ...answer, type: 'password' }, { ...answer, id: '' }, 'text'])
      expect((await fixture.signIn(Object(passkey), verifier)).status).toBe(400)
    expect((await fixture.open('POST', '/v1/auth/verify', { body: { passkey: answer } })).status).toBe(400)
    expect((await fixture.signIn(answer, verifier, { body: { login_id: 'x' } })).status).toBe(400)
  })

  it('with the reason in the audit log of its user, and the same answer for every reason', async () => {
    const { options, verifier } = await fixture.begin()
    const answers = await Promise.all(
      [{ key: otherKey }, { credentialId: Buffer.alloc(8).toString('base64url') }].map(async (deviation) => {
        const { options: own, verifier: ownVerifier } = await fixture.begin()
        const { body } = await fixture.signIn(device.get(own, deviation), ownVerifier)
        const { request_id: _, ...rest } = body
        return JSON.stringify({ ...rest, instance: undefined })
      }),
    )
    expect(new Set(answers).size).toBe(1)
    await fixture.signIn(device.get(options, { counter: 1 }), verifier)
    expect(await fixture.lastReason(user)).toBe('counter_back')
  })
})

describe('a registration is refused', () => {
  const attested = { format: 'packed', statement: Buffer.from([0xa1, 0x63, 0x78, 0x35, 0x63, 0x80]) }
  it.each<[string, string, Deviation]>([
    ['other_origin', 'a page of another origin', { origin: 'https://attacker.example' }],
    ['cross_origin', 'a frame', { crossOrigin: true }],
    ['wrong_type', 'an answer to a sign-in', { type: 'webauthn.get' }],
    ['other_relying_party', 'another relying party', { rpId: 'attacker.example' }],
    ['user_not_verified', 'an authenticator that did not verify its user', { flags: present }],
    ['challenge_unknown', 'a challenge of its own', { challenge: Buffer.alloc(32).toString('base64url') }],
    ['attestation', 'certificates, whose revocation lists would be fetched', { attestation: attested }],
  ])('as %s: %s', async (reason, _what, deviation) => {
    const { body } = await fixture.startRegistration(user)
    const reasons = await loggedReasons(async () => {
      const created = await fixture.create(user, fixture.newAuthenticator().create(body.data.options, deviation))
      expect(created).toMatchObject(invalidLoginResponse)
    })
    expect(reasons).toEqual([reason])
  })

  it('as challenge_unknown: the challenge of another session', async () => {
    const { body } = await fixture.startRegistration(await fixture.newSession(user))
    const credential = fixture.newAuthenticator().create(body.data.options)
    expect(await loggedReasons(() => fixture.create(user, credential))).toEqual(['challenge_unknown'])
  })

  it('as challenge_used: a challenge that made a passkey', async () => {
    const { body } = await fixture.startRegistration(user)
    expect((await fixture.create(user, fixture.newAuthenticator().create(body.data.options))).status).toBe(201)
    const second = fixture.newAuthenticator().create(body.data.options)
    expect(await loggedReasons(() => fixture.create(user, second))).toEqual(['challenge_used'])
  })
})

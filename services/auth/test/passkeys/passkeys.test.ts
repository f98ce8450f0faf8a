import { afterAll, describe, expect, it } from '@jest/globals'
import { decodeJwt } from 'jose'
import { startTestPasskeys } from '../fixture/passkeys.ts'
import { invalidLoginResponse, listAuditEvents } from '../fixture/sign-in.ts'

const fixture = await startTestPasskeys()
afterAll(() => fixture.stop())

const ageSession = (sessionId: string) =>
  fixture.auth.rows(`UPDATE sessions SET authenticated_at = now() - interval '11 minutes' WHERE session_id = $1`, [
    sessionId,
  ])

describe('a passkey', () => {
  it('signs its user in without an address, in a session of the method passkey', async () => {
    const user = await fixture.newUser()
    const { device } = await fixture.register(user)
    const { options, verifier } = await fixture.begin()
    expect(options).toMatchObject({ allowCredentials: [], userVerification: 'required' })
    const { status, body } = await fixture.signIn(device.get(options), verifier)
    expect(status).toBe(200)
    expect(body.data.user).toEqual({ user_id: user.userId, email: user.email })
    const { sid = '' } = decodeJwt<{ sid: string }>(body.data.access_token)
    expect(await fixture.auth.rows('SELECT method FROM sessions WHERE session_id = $1', [sid])).toEqual([
      { method: 'passkey' },
    ])
    expect(await listAuditEvents(fixture, String(sid))).toMatchObject([
      { action: 'user.signed_in', changes: { method: 'passkey' } },
    ])
  })

  it('of an authenticator without a counter signs in again and again', async () => {
    const { device } = await fixture.register(await fixture.newUser(), null)
    for (const _ of [1, 2]) {
      const { options, verifier } = await fixture.begin()
      expect((await fixture.signIn(device.get(options), verifier)).status).toBe(200)
    }
  })

  it('is listed, renamed and deleted by its user alone, and signs no one in afterwards', async () => {
    const [user, other] = [await fixture.newUser(), await fixture.newUser()]
    const { device, passkeyId } = await fixture.register(user)
    const path = `/v1/auth/passkeys/${passkeyId}`
    expect((await fixture.as(other, 'PATCH', path, { name: 'x' })).status).toBe(404)
    expect((await fixture.as(other, 'DELETE', path)).status).toBe(404)
    expect((await fixture.as(user, 'PATCH', path, { name: 'Laptop' })).body.data).toMatchObject({ name: 'Laptop' })
    expect((await fixture.as(other, 'GET', '/v1/auth/passkeys')).body.data).toEqual([])
    expect((await fixture.as(user, 'GET', '/v1/auth/passkeys')).body.data).toMatchObject([{ passkey_id: passkeyId }])
    expect((await fixture.as(user, 'DELETE', path)).status).toBe(200)
    const { options, verifier } = await fixture.begin()
    expect(await fixture.signIn(device.get(options), verifier)).toMatchObject(invalidLoginResponse)
  })

  it('is added and deleted only after a recent authentication, in every session', async () => {
    const user = await fixture.newUser()
    const { passkeyId } = await fixture.register(user)
    const { body } = await fixture.startRegistration(user)
    await ageSession(user.sessionId)
    const refused = { status: 401, body: { code: 'reauthentication_required', max_age: 600 } }
    expect(await fixture.startRegistration(user)).toMatchObject(refused)
    expect(await fixture.create(user, fixture.newAuthenticator().create(body.data.options))).toMatchObject(refused)
    expect(await fixture.as(user, 'DELETE', `/v1/auth/passkeys/${passkeyId}`)).toMatchObject(refused)
    expect(await fixture.as(user, 'PATCH', '/v1/auth/passkey-settings', { required: true })).toMatchObject(refused)
  })

  it('re-authenticates the session of its user', async () => {
    const user = await fixture.newUser()
    const { device } = await fixture.register(user)
    await ageSession(user.sessionId)
    const { body } = await fixture.as(user, 'POST', '/v1/auth/reauthentication/passkey')
    expect(body.data.options.allowCredentials).toMatchObject([{ id: device.credentialId, transports: ['internal'] }])
    // Browsers may leave out the user handle when the options name the credential.
    const passkey = device.get(body.data.options, { userHandle: null })
    expect((await fixture.confirm(user, { passkey })).body.data.session_id).toBe(user.sessionId)
    expect((await fixture.startRegistration(user)).status).toBe(200)
    expect(await fixture.confirm(user, { passkey })).toMatchObject(invalidLoginResponse)
  })

  it('does not re-authenticate the session of another user, nor another session', async () => {
    const [user, other] = [await fixture.newUser(), await fixture.newUser()]
    const { device } = await fixture.register(user)
    await fixture.register(other)
    const { body } = await fixture.as(other, 'POST', '/v1/auth/reauthentication/passkey')
    expect(await fixture.confirm(other, { passkey: device.get(body.data.options) })).toMatchObject(invalidLoginResponse)
    expect(await fixture.lastReason(other)).toBe('other_user')
    const { body: begun } = await fixture.as(user, 'POST', '/v1/auth/reauthentication/passkey')
    const elsewhere = await fixture.newSession(user)
    const passkey = device.get(begun.data.options)
    expect(await fixture.confirm(elsewhere, { passkey })).toMatchObject(invalidLoginResponse)
    expect((await fixture.confirm(user, { passkey })).status).toBe(200)
  })

  it('cannot be added a second time, by no account', async () => {
    const [user, other] = [await fixture.newUser(), await fixture.newUser()]
    const { device } = await fixture.register(user)
    for (const someone of [user, other]) {
      const { body } = await fixture.startRegistration(someone)
      expect(await fixture.create(someone, device.create(body.data.options))).toMatchObject({
        status: 409,
        body: { code: 'conflict' },
      })
    }
  })

  it('is one of at most 20 of a user, however many are added at the same time', async () => {
    const user = await fixture.newUser()
    const started = await Promise.all(Array.from({ length: 22 }, () => fixture.startRegistration(user)))
    const responses = await Promise.all(
      started.map(({ body }) => fixture.create(user, fixture.newAuthenticator().create(body.data.options))),
    )
    expect(responses.map(({ status }) => status).sort()).toEqual([...Array(20).fill(201), 403, 403])
    expect(await fixture.startRegistration(user)).toMatchObject({ status: 403, body: { code: 'quota_exceeded' } })
  })
})

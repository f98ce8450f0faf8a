import { afterAll, describe, expect, it } from '@jest/globals'
import { startTestPasskeys } from '../fixture/passkeys.ts'
import type { SignedIn } from '../fixture/reauthentication.ts'
import { listAuditEvents } from '../fixture/sign-in.ts'

const fixture = await startTestPasskeys()
afterAll(() => fixture.stop())

const settingsPath = '/v1/auth/passkey-settings'
const recoveryPath = '/v1/auth/login/recovery'
const refused = { status: 403, body: { code: 'passkey_required' } }

/** Creates a user with a passkey who signs in with nothing else. */
async function newPasskeyUser() {
  const user = await fixture.newUser()
  const { device } = await fixture.register(user)
  expect((await fixture.as(user, 'PATCH', settingsPath, { required: true })).status).toBe(200)
  return { user, device }
}

const signInByMail = async ({ email }: SignedIn) => {
  const { loginId, code } = await fixture.requestLogin(email)
  const proof = { login_id: loginId, code }
  return { proof, response: await fixture.verify(proof) }
}

/** Requests a recovery, and returns the mail to its user. */
async function requestRecovery(user: SignedIn) {
  const { proof, response } = await signInByMail(user)
  expect(response).toMatchObject(refused)
  const { status, body } = await fixture.open('POST', recoveryPath, { body: proof })
  expect(status).toBe(200)
  const mail = await fixture.mailbox.waitFor(
    ({ to, subject }) => to === user.email && subject.startsWith('Recovery of'),
  )
  return { proof, mail, availableAt: body.data.available_at }
}

const endDelay = ({ userId }: SignedIn) =>
  fixture.auth.rows(`UPDATE passkey_settings SET recovery_available_at = now() WHERE user_id = $1`, [userId])
const settingsOf = async (user: SignedIn) => (await fixture.as(user, 'GET', settingsPath)).body.data

describe('a user who signs in with passkeys only', () => {
  it('is refused by mail, which a passkey is not', async () => {
    const { user, device } = await newPasskeyUser()
    expect((await signInByMail(user)).response).toMatchObject(refused)
    const { options, verifier } = await fixture.begin()
    expect((await fixture.signIn(device.get(options), verifier)).status).toBe(200)
  })

  it('needs a passkey for that choice, and keeps the last one', async () => {
    const without = await fixture.newUser()
    const conflict = { status: 409, body: { code: 'conflict' } }
    expect(await fixture.as(without, 'PATCH', settingsPath, { required: true })).toMatchObject(conflict)
    const { user } = await newPasskeyUser()
    const [passkey] = (await fixture.as(user, 'GET', '/v1/auth/passkeys')).body.data
    const path = `/v1/auth/passkeys/${passkey.passkey_id}`
    expect(await fixture.as(user, 'DELETE', path)).toMatchObject(conflict)
    expect((await fixture.as(user, 'PATCH', settingsPath, { required: false })).body.data.required).toBe(false)
    expect((await fixture.as(user, 'DELETE', path)).status).toBe(200)
    expect((await signInByMail(user)).response.status).toBe(200)
  })

  it('recovers by mail after the delay, not before', async () => {
    const { user } = await newPasskeyUser()
    const { availableAt } = await requestRecovery(user)
    expect(Math.round((Date.parse(availableAt) - Date.now()) / 3_600_000)).toBe(24)
    expect((await signInByMail(user)).response).toMatchObject(refused)
    await endDelay(user)
    expect((await signInByMail(user)).response.status).toBe(200)
    expect(await settingsOf(user)).toMatchObject({ required: false, recovery: null })
    expect((await listAuditEvents(fixture, user.userId)).map(({ action }) => action)).toEqual(
      expect.arrayContaining(['passkey_recovery.requested', 'passkey_recovery.completed']),
    )
  })

  it('has the owners of their workspaces told of a recovery', async () => {
    const { user } = await newPasskeyUser()
    const { workspaceId, userId: ownerId } = await fixture.auth.workspace('Informed')
    await fixture.auth.rows(
      `INSERT INTO memberships (workspace_id, user_id, built_in_role) VALUES ($1, $2, 'member')`,
      [workspaceId, user.userId],
    )
    await requestRecovery(user)
    const mail = await fixture.mailbox.waitFor(({ to }) => to === `${ownerId}@example.test`)
    expect(mail.text).toContain(user.email)
    expect(mail.text).toContain('Informed')
  })

  it('cancels a recovery by the link of the mail, which works once, and by a session', async () => {
    const { user } = await newPasskeyUser()
    const { mail, proof } = await requestRecovery(user)
    expect(await fixture.open('POST', recoveryPath, { body: proof })).toMatchObject({ status: 401 })
    const { searchParams, pathname } = new URL(mail.link ?? '')
    const token = searchParams.get('token') ?? ''
    expect((await fixture.open('GET', `${pathname}?token=${token}`)).body).toContain('Cancel the recovery')
    expect((await settingsOf(user)).recovery).not.toBeNull()
    const press = () => fixture.open('POST', pathname, { form: { token } })
    expect([(await press()).status, (await press()).status]).toEqual([200, 400])
    expect(await settingsOf(user)).toMatchObject({ required: true, recovery: null })
  })

  it('ends a recovery by a session, and by a sign-in with a passkey', async () => {
    const { user, device } = await newPasskeyUser()
    await requestRecovery(user)
    expect((await fixture.as(user, 'POST', `${settingsPath}/recovery/cancel`)).body.data.recovery).toBeNull()
    expect((await fixture.as(user, 'POST', `${settingsPath}/recovery/cancel`)).status).toBe(409)
    fixture.mailbox.clear()
    await requestRecovery(user)
    const { options, verifier } = await fixture.begin()
    await fixture.signIn(device.get(options), verifier)
    expect((await settingsOf(user)).recovery).toBeNull()
  })
})

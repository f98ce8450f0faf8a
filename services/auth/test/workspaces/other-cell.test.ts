import { afterAll, afterEach, describe, expect, it } from '@jest/globals'
import type { Subject } from '@wp/service'
import { subject } from '../fixture/auth.ts'
import { createPeopleFixture } from '../fixture/people.ts'
import { startTestSignIn } from '../fixture/sign-in.ts'

/** Auth with a second cell, which gets all new workspaces and whose broker is unavailable. */
const signIn = await startTestSignIn({ CELLS: 'two=nats://127.0.0.1:1', OPEN_SHARDS: 'two:FAR' })
const people = createPeopleFixture(signIn.auth)
afterAll(() => signIn.stop())

interface EventSummary {
  shard: string
  action: string | null
}

/** Lists the events of a workspace (empty for none) with their shards. */
const listEvents = (workspaceId: string): Promise<EventSummary[]> =>
  signIn.auth.rows<EventSummary>(
    `SELECT shard, data->>'action' AS action FROM platform.outbox WHERE workspace_id = $1 ORDER BY position`,
    [workspaceId],
  )

/** Every event has the shard of its workspace, or of auth if it has none. */
afterEach(async () => {
  const misplaced = await signIn.auth.rows(
    `SELECT o.kind, o.data, o.shard FROM platform.outbox o LEFT JOIN workspaces w USING (workspace_id)
     WHERE o.shard <> coalesce(nullif(w.shard, $1), '')`,
    [signIn.auth.context.shard],
  )
  expect(misplaced).toEqual([])
})

const inCellTwo = (caller: Subject): Subject => ({ ...caller, shard: 'two', location: 'FAR' })

describe('events of a workspace in another cell', () => {
  it('have the shard of that cell when a user signs up', async () => {
    const login = await signIn.requestLogin('newcomer@example.test')
    expect((await signIn.verify({ login_id: login.loginId, code: login.code })).status).toBe(200)
    const [home] = await signIn.auth.rows<{ workspaceId: string; shard: string; location: string }>(
      `SELECT w.* FROM workspaces w JOIN memberships USING (workspace_id) JOIN users USING (user_id)
       WHERE email = 'newcomer@example.test'`,
    )
    expect(home).toMatchObject({ shard: 'two', location: 'FAR' })
    expect(await listEvents(home?.workspaceId ?? '')).toEqual([{ shard: 'two', action: 'workspace.created' }])
    const signedUp = (await listEvents('')).filter(({ action }) => action === 'user.signed_up')
    expect(signedUp).toEqual([{ shard: '', action: 'user.signed_up' }])
  })

  it('have the shard of that cell when an invitation is accepted by mail or by the signed-in user', async () => {
    const { workspaceId, owner } = await signIn.auth.workspace()
    const [first, second] = ['by-mail@example.test', 'by-user@example.test']
    for (const email of [first, second]) await people.as(inCellTwo(owner)).invite(email, 'member')
    const body = { token: await people.tokenFor(first) }
    expect(await signIn.open('POST', '/v1/auth/invitations/accept', { body })).toMatchObject({ status: 200 })
    await signIn.mailbox.waitFor(({ to }) => to === second)
    const login = await signIn.requestLogin(second)
    const verified = await signIn.verify({ login_id: login.loginId, code: login.code })
    const { shard } = signIn.auth.context
    const caller = { ...subject('user', verified.body.data.user.user_id, '', shard, []), workspaceId: null }
    const [invitation] = (await signIn.auth.request('GET', '/v1/auth/invitations', { caller })).body.data
    const accepted = await signIn.auth.request('POST', `/v1/auth/invitations/${invitation.id}/accept`, { caller })
    expect(accepted).toMatchObject({ status: 200 })
    const events = await listEvents(workspaceId)
    expect(events.filter(({ action }) => action === 'invitation.accepted')).toEqual([
      { shard: 'two', action: 'invitation.accepted' },
      { shard: 'two', action: 'invitation.accepted' },
    ])
  })

  it('have the shard of that cell when a service principal revokes its token', async () => {
    const { workspaceId, owner } = await signIn.auth.workspace()
    const body = { name: 'Machine', scopes: ['data:read'] }
    const path = '/v1/auth/admin/service-principals'
    const { data } = (await signIn.auth.request('POST', path, { caller: inCellTwo(owner), body })).body
    const client = { client_id: data.client_id, client_secret: data.client_secret }
    const { access_token: token } = (await signIn.auth.token(client)).body
    await signIn.open('POST', '/v1/auth/revoke', { body: { token, ...client } })
    expect((await listEvents(workspaceId)).at(-1)).toEqual({ shard: 'two', action: 'access_token.revoked' })
  })
})

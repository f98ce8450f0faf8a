import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import type { Subject } from '@wp/service'
import { createPeopleFixture } from '../fixture/people.ts'
import { startTestSignIn, type TestSignIn } from '../fixture/sign-in.ts'

/** Auth of a platform with a second cell, which takes all new workspaces and whose broker is away. */
let signIn: TestSignIn
let people: ReturnType<typeof createPeopleFixture>
beforeAll(async () => {
  signIn = await startTestSignIn({ CELLS: 'two=nats://127.0.0.1:1', OPEN_SHARDS: 'two:FAR' })
  people = createPeopleFixture(signIn.auth)
})
afterAll(() => signIn.stop())

interface Told {
  shard: string
  action: string | null
}

/** What is to be told of a workspace (of none: empty), and in which cell. */
const toldOf = (workspaceId: string): Promise<Told[]> =>
  signIn.auth.rows<Told>(
    `SELECT shard, data->>'action' AS action FROM platform.outbox WHERE workspace_id = $1 ORDER BY position`,
    [workspaceId],
  )

/** Whatever was told of a workspace was told in its cell; of none, in that of auth. */
afterEach(async () => {
  const astray = await signIn.auth.rows(
    `SELECT o.kind, o.data, o.shard FROM platform.outbox o LEFT JOIN workspaces w USING (workspace_id)
     WHERE o.shard <> coalesce(nullif(w.shard, $1), '')`,
    [signIn.auth.context.shard],
  )
  expect(astray).toEqual([])
})

const inTwo = (caller: Subject): Subject => ({ ...caller, shard: 'two', location: 'FAR' })

describe('what auth tells of a workspace of another cell', () => {
  it('is told there when somebody signs up', async () => {
    const asked = await signIn.requestLogin('newcomer@example.test')
    expect((await signIn.verify({ login_id: asked.loginId, code: asked.code })).status).toBe(200)
    const [home] = await signIn.auth.rows<{ workspace_id: string; shard: string; location: string }>(
      `SELECT w.* FROM workspaces w JOIN memberships USING (workspace_id) JOIN users USING (user_id)
       WHERE email = 'newcomer@example.test'`,
    )
    expect(home).toMatchObject({ shard: 'two', location: 'FAR' })
    expect(await toldOf(home?.workspace_id ?? '')).toEqual([{ shard: 'two', action: 'workspace.created' }])
    const signedUp = (await toldOf('')).filter(({ action }) => action === 'user.signed_up')
    expect(signedUp).toEqual([{ shard: '', action: 'user.signed_up' }])
  })

  it('is told there when somebody is invited, and joins by the mail or by signing in', async () => {
    const { workspaceId, owner } = await signIn.auth.workspace()
    const [first, second] = ['by-mail@example.test', 'by-sign-in@example.test']
    for (const email of [first, second]) await people.ask(inTwo(owner)).invite(email, 'member')
    await signIn.open('POST', '/v1/auth/invitations/accept', { body: { token: await people.tokenFor(first) } })
    await signIn.mailbox.waitFor(({ to }) => to === second)
    const asked = await signIn.requestLogin(second)
    await signIn.verify({ login_id: asked.loginId, code: asked.code })
    const told = await toldOf(workspaceId)
    expect(told.filter(({ action }) => action === 'invitation.accepted')).toEqual([
      { shard: 'two', action: 'invitation.accepted' },
      { shard: 'two', action: 'invitation.accepted' },
    ])
  })

  it('is told there when a machine of it revokes its token', async () => {
    const { workspaceId, owner } = await signIn.auth.workspace()
    const body = { name: 'Machine', scopes: ['data:read'] }
    const path = '/v1/auth/admin/service-principals'
    const { data } = (await signIn.auth.request('POST', path, { caller: inTwo(owner), body })).body
    const client = { client_id: data.client_id, client_secret: data.client_secret }
    const { access_token: token } = (await signIn.auth.token(client)).body
    await signIn.open('POST', '/v1/auth/revoke', { body: { token, ...client } })
    expect((await toldOf(workspaceId)).at(-1)).toEqual({ shard: 'two', action: 'access_token.revoked' })
  })
})

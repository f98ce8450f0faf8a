import { afterAll, describe, expect, it } from '@jest/globals'
import { newId } from '@wp/database'
import { eventually } from '@wp/testkit'
import { presentApiKey, startTestAuth, subject, type TestAuth } from '../fixture/auth.ts'

const auth = await startTestAuth({ WORKSPACE_DELETION_GRACE_DAYS: '1' })
afterAll(() => auth.stop())

type Workspace = Awaited<ReturnType<TestAuth['workspace']>>

const requestDeletion = ({ workspaceId, owner }: Workspace, confirm = workspaceId) =>
  auth.request('DELETE', `/v1/system/workspace?confirm=${encodeURIComponent(confirm)}`, { caller: owner })
const path = ({ workspaceId }: Workspace) => `/v1/system/workspaces/${workspaceId}/deletion`
/** The caller after the edge no longer finds the workspace. */
const outside = ({ owner }: Workspace) => ({ ...owner, workspaceId: null })

describe('the deletion of a workspace in its grace period', () => {
  it('refuses the credentials of the workspace until it is cancelled', async () => {
    const workspace = await auth.workspace()
    const key = await auth.request('POST', '/v1/auth/api-key', { caller: workspace.owner, body: {} })
    const resolve = async () => (await auth.resolve(presentApiKey(key.body.data.api_key))).status
    expect(await resolve()).toBe('active')
    const { status, body } = await requestDeletion(workspace)
    expect({ status, data: body.data }).toMatchObject({ status: 202, data: { status: 'scheduled', progress: 0 } })
    expect(Date.parse(body.data.starts_at) - Date.parse(body.data.created_at)).toBe(86_400_000)
    expect(await resolve()).toBe('revoked')
    expect((await requestDeletion(workspace)).status).toBe(404)

    const cancel = () => auth.request('POST', `${path(workspace)}/cancel`, { caller: outside(workspace) })
    expect(await cancel()).toMatchObject({ status: 200, body: { data: { status: 'cancelled' } } })
    expect(await resolve()).toBe('active')
    expect(await cancel()).toMatchObject({ status: 409, body: { code: 'conflict' } })
    expect((await requestDeletion(workspace, 'Second')).status).toBe(202)
  })

  it('can be read by the user who requested it only', async () => {
    const workspace = await auth.workspace()
    await requestDeletion(workspace)
    const read = (caller: Workspace['owner']) => auth.request('GET', path(workspace), { caller })
    expect((await read(outside(workspace) as Workspace['owner'])).status).toBe(200)
    expect((await read(auth.owner)).status).toBe(404)
  })

  it('is for owners', async () => {
    const workspace = await auth.workspace()
    const adminId = newId('usr')
    await auth.rows('INSERT INTO users (user_id, email) VALUES ($1, $2)', [adminId, `${adminId}@example.test`])
    await auth.rows(`INSERT INTO memberships (workspace_id, user_id, built_in_role) VALUES ($1, $2, 'admin')`, [
      workspace.workspaceId,
      adminId,
    ])
    const owner = subject('user', adminId, workspace.workspaceId, auth.context.shard)
    expect(await requestDeletion({ ...workspace, owner })).toMatchObject({
      status: 403,
      body: { code: 'owner_required' },
    })
  })
})

describe('the deletion of a workspace after its grace period', () => {
  it('starts once, cannot be cancelled any more, and keeps the workspace until every service has reported', async () => {
    const workspace = await auth.workspace()
    await requestDeletion(workspace)
    await auth.rows(`UPDATE workspace_deletions SET starts_at = now() WHERE workspace_id = $1`, [workspace.workspaceId])
    const read = () => auth.request('GET', path(workspace), { caller: outside(workspace) })
    await eventually(async () => (await read()).body.data.status === 'running')
    const { status } = await auth.request('POST', `${path(workspace)}/cancel`, { caller: outside(workspace) })
    expect(status).toBe(409)
    const events = await auth.rows(
      `SELECT FROM platform.outbox WHERE kind = 'WORKSPACE_DELETION_STARTED' AND workspace_id = $1`,
      [workspace.workspaceId],
    )
    expect(events).toHaveLength(1)
    expect(await auth.rows('SELECT FROM workspaces WHERE workspace_id = $1', [workspace.workspaceId])).toHaveLength(1)
  })
})

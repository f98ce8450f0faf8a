import { afterAll, describe, expect, it } from '@jest/globals'
import { builtInRoles } from '@wp/contracts'
import { anonymousSubject, startTestAuth } from '../fixture/auth.ts'
import { createPeopleFixture } from '../fixture/people.ts'

const auth = await startTestAuth()
const people = createPeopleFixture(auth)
afterAll(() => auth.stop())

const list = (workspaceId: string, query = '', name = 'notifications') =>
  auth.service.request('GET', `/internal/auth/notification-recipients${query}`, {
    signer: name === 'notifications' ? 'notifications' : 'data',
    caller: {
      ...anonymousSubject(auth.context.shard),
      principal: { id: `svc:${name}`, type: 'service' },
      workspaceId,
    },
  })

describe('the recipients of notifications', () => {
  it('are the active members with the scopes of their roles, page by page', async () => {
    const { workspaceId, owner, userId } = await auth.workspace()
    const { userId: viewer } = await people.member(workspaceId, 'viewer')
    const { userId: disabled } = await people.member(workspaceId, 'viewer')
    await auth.rows('UPDATE users SET disabled_at = now() WHERE user_id = $1', [disabled])
    await auth.rows(`UPDATE users SET timezone = 'Europe/Berlin' WHERE user_id = $1`, [viewer])
    await people.as(owner).invite('invited@example.test', 'member')
    const first = await list(workspaceId, '?limit=1')
    const second = await list(workspaceId, `?limit=1&cursor=${first.body.pagination.next_cursor}`)
    expect(second.body.pagination.next_cursor).toBeNull()
    const found = [...first.body.data, ...second.body.data]
    expect(found.map((one) => one.user_id)).toEqual([userId, viewer].sort())
    expect(found.find((one) => one.user_id === viewer)).toMatchObject({
      timezone: 'Europe/Berlin',
      scopes: builtInRoles.viewer,
    })
  })

  it('are one user where one is asked for, of this workspace only', async () => {
    const [{ workspaceId, userId }, stranger] = [await auth.workspace(), await auth.workspace('Third')]
    const { body } = await list(workspaceId, `?user_id=${userId}`)
    expect(body.data.map((one: { user_id: string }) => one.user_id)).toEqual([userId])
    expect((await list(workspaceId, `?user_id=${stranger.userId}`)).body.data).toEqual([])
  })

  it('are listed for the notifications service alone', async () => {
    const { workspaceId } = await auth.workspace()
    expect((await list(workspaceId, '', 'data')).body.code).toBe('caller_not_allowed')
  })
})

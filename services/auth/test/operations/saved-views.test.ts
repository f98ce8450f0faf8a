import { afterAll, describe, expect, it } from '@jest/globals'
import { startTestAuth, type TestAuth } from '../fixture/auth.ts'

const auth = await startTestAuth()
afterAll(() => auth.stop())

type Caller = Awaited<ReturnType<TestAuth['workspace']>>['owner']

const path = '/v1/auth/me/views'
const failures = { name: 'Failures', search: { outcome: 'failure', days: 7, kinds: ['a', 'b'] } }

const read = async (caller: Caller, page = '/audit') =>
  (await auth.request('GET', `${path}?page=${page}`, { caller })).body.data
const replace = (caller: Caller, body: unknown) => auth.request('PUT', path, { caller, body })

describe('saved views', () => {
  it('belong to one person, one workspace and one list', async () => {
    const [first, second] = [await auth.workspace('First'), await auth.workspace('Second')]
    expect(await read(first.owner)).toEqual({ page: '/audit', views: [] })
    const { status, body } = await replace(first.owner, { page: '/audit', views: [failures] })
    expect([status, body.data]).toEqual([200, { page: '/audit', views: [failures] }])
    expect((await read(first.owner)).views).toEqual([failures])
    expect((await read(first.owner, '/members')).views).toEqual([])
    expect((await read(second.owner)).views).toEqual([])

    await auth.rows(`INSERT INTO memberships (workspace_id, user_id, built_in_role) VALUES ($1, $2, 'viewer')`, [
      first.workspaceId,
      second.userId,
    ])
    expect((await read({ ...second.owner, workspaceId: first.workspaceId })).views).toEqual([])
  })

  it('are replaced as a whole, and removed by an empty list or the end of the membership', async () => {
    const { owner, workspaceId, userId } = await auth.workspace('Replaced')
    await replace(owner, { page: '/audit', views: [failures] })
    await replace(owner, { page: '/audit', views: [{ name: 'Mine', search: {} }] })
    expect((await read(owner)).views).toEqual([{ name: 'Mine', search: {} }])
    await replace(owner, { page: '/audit', views: [] })
    const count = async () =>
      (await auth.rows('SELECT 1 FROM saved_views WHERE workspace_id = $1', [workspaceId])).length
    expect(await count()).toBe(0)
    await replace(owner, { page: '/audit', views: [failures] })
    await auth.rows('DELETE FROM memberships WHERE workspace_id = $1 AND user_id = $2', [workspaceId, userId])
    expect(await count()).toBe(0)
  })

  it.each([
    ['a page that is no path', { page: 'audit', views: [] }, '/page'],
    ['two views of one name', { page: '/audit', views: [failures, failures] }, '/views/1'],
    [
      '21 views',
      { page: '/audit', views: Array.from({ length: 21 }, (_, n) => ({ name: `${n}`, search: {} })) },
      '/views',
    ],
    ['a long filter', { page: '/audit', views: [{ name: 'a', search: { q: 'x'.repeat(501) } }] }, '/views/0/search/q'],
  ])('are rejected with %s', async (_, given, pointer) => {
    const { owner } = await auth.workspace('Rejected')
    const { status, body } = await replace(owner, given)
    expect([status, body.errors[0].pointer]).toEqual([400, pointer])
  })

  it('are stored of at most 100 lists', async () => {
    const { owner, workspaceId, userId } = await auth.workspace('Many')
    await auth.rows(
      `INSERT INTO saved_views (workspace_id, user_id, page, views) SELECT $1, $2, '/list/' || n, '[]' FROM generate_series(1, 100) n`,
      [workspaceId, userId],
    )
    const { status, body } = await replace(owner, { page: '/audit', views: [failures] })
    expect([status, body.errors]).toEqual([
      400,
      [expect.objectContaining({ pointer: '/page', detail: 'views of at most 100 lists can be saved' })],
    ])
    expect((await replace(owner, { page: '/list/7', views: [failures] })).status).toBe(200)
  })
})

import { afterAll, describe, expect, it } from '@jest/globals'
import { eventually, startTestFleet } from '@wp/testkit'
import { problemResponse } from '@wp/testkit/problem-response'

const fleet = await startTestFleet({ services: ['auth', 'system'] })
const machine = await fleet.token(fleet.owner)
const user = await fleet.userToken(fleet.owner.ownerId)
afterAll(() => fleet.stop())

const workspaces = '/v1/system/workspaces'
const workspace = '/v1/system/workspace'
const patch = (body: unknown, headers: Record<string, string> = {}) =>
  fleet.request('PATCH', workspace, { as: machine, body, headers })
const read = () => fleet.request('GET', workspace, { as: machine })

describe('the workspaces of a caller', () => {
  it('are the one of its credential for a service principal and an API key', async () => {
    for (const as of [machine, fleet.owner.apiKey]) {
      const { status, body } = await fleet.request('GET', workspaces, { as })
      expect({ status, ids: body.data.map((one: { workspace_id: string }) => one.workspace_id) }).toEqual({
        status: 200,
        ids: [fleet.owner.workspaceId],
      })
      expect(body.pagination).toEqual({ next_cursor: null, has_more: false })
    }
  })

  it('are all memberships of a user, newest first, in pages', async () => {
    const person = await fleet.seed('collector')
    const as = await fleet.userToken(person.ownerId)
    for (const name of ['Second', 'Third']) await fleet.request('POST', workspaces, { as, body: { name } })
    const names: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const query: string = cursor === '' ? '?limit=2' : `?limit=2&cursor=${cursor}`
      const { body } = await fleet.request('GET', `${workspaces}${query}`, { as })
      names.push(...body.data.map((one: { name: string }) => one.name))
      cursor = body.pagination.next_cursor
    }
    expect(names).toEqual(['Third', 'Second', 'collector'])
  })
})

describe('creating a workspace', () => {
  it('makes the user its owner, and has a location that can be read', async () => {
    const person = await fleet.seed('founder')
    const as = await fleet.userToken(person.ownerId)
    const body = { name: 'Founded', metadata: { cost_centre: '7' } }
    const made = await fleet.request('POST', workspaces, { as, body })
    expect(made).toMatchObject({
      status: 201,
      body: { success: true, data: { name: 'Founded', role: 'owner', metadata: { cost_centre: '7' } } },
    })
    const path = `${workspaces}/${made.body.data.workspace_id}`
    expect(made.headers.get('location')).toBe(`${fleet.baseUrl}${path}`)
    expect(await fleet.request('GET', path, { as })).toMatchObject({ status: 200, body: { data: made.body.data } })
    const headers = { 'x-workspace-key': made.body.data.workspace_id }
    // the edge may have cached the user without it for a moment
    const there = await eventually(async () => {
      const response = await fleet.request('GET', workspace, { as, headers })
      return response.status === 403 ? false : response
    })
    expect(there).toMatchObject({ status: 200, body: { data: made.body.data } })
  })

  it('requires a user and a name', async () => {
    expect(await fleet.request('POST', workspaces, { as: machine, body: { name: 'No' } })).toMatchObject(
      problemResponse(403, 'user_required'),
    )
    expect(await fleet.request('POST', workspaces, { as: user, body: {} })).toMatchObject(
      problemResponse(400, 'validation_failed', '/name'),
    )
    const metadata = Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`k${n}`, 'x']))
    expect(await fleet.request('POST', workspaces, { as: user, body: { name: 'X', metadata } })).toMatchObject(
      problemResponse(400, 'validation_failed', '/metadata'),
    )
  })
})

describe('changing a workspace', () => {
  it('merges the metadata: omitted pairs stay, null removes', async () => {
    const renamed = await patch({ name: 'Renamed', metadata: { floor: '3' } })
    expect(renamed).toMatchObject({ status: 200, body: { data: { name: 'Renamed', metadata: { floor: '3' } } } })
    expect((await patch({ name: 'Again' })).body.data).toMatchObject({ name: 'Again', metadata: { floor: '3' } })
    expect((await patch({})).body.data).toMatchObject({ name: 'Again', metadata: { floor: '3' } })
    expect((await patch({ metadata: { room: '1', floor: null } })).body.data.metadata).toEqual({ room: '1' })
    expect((await patch({ metadata: null })).body.data).toMatchObject({ name: 'Again', metadata: {} })
    expect((await read()).body.data).toMatchObject({ name: 'Again', metadata: {} })
  })

  it('changes the settings one by one, from UTC and English', async () => {
    const fresh = await fleet.token(await fleet.seed('settings'))
    const change = (settings: unknown) => fleet.request('PATCH', workspace, { as: fresh, body: { settings } })
    const { body } = await fleet.request('GET', workspace, { as: fresh })
    expect(body.data.settings).toEqual({ timezone: 'UTC', locale: 'en' })
    await change({ timezone: 'Europe/Zurich' })
    expect((await change({ locale: 'de-CH' })).body.data.settings).toEqual({
      timezone: 'Europe/Zurich',
      locale: 'de-CH',
    })
    for (const [settings, pointer] of [
      [{ timezone: 'Mars/Olympus' }, '/settings/timezone'],
      [{ timezone: '+01:00' }, '/settings/timezone'],
      [{ locale: 'x' }, '/settings/locale'],
      [{ week_start: 1 }, '/settings/week_start'],
    ] as const)
      expect(await change(settings)).toMatchObject(problemResponse(400, 'validation_failed', pointer))
  })

  it('rejects unknown fields, and null for the name', async () => {
    expect(await patch({ name: null })).toMatchObject(problemResponse(400, 'validation_failed', '/name'))
    expect(await patch({ name: '' })).toMatchObject(problemResponse(400, 'validation_failed', '/name'))
    expect(await patch({ slug: 'mine' })).toMatchObject(problemResponse(400, 'validation_failed', '/slug'))
  })

  it('does not affect another workspace', async () => {
    const stranger = await fleet.token(fleet.stranger)
    const before = (await fleet.request('GET', workspace, { as: stranger })).body.data
    await patch({ name: 'Ours' })
    expect((await fleet.request('GET', workspace, { as: stranger })).body.data).toEqual(before)
  })
})

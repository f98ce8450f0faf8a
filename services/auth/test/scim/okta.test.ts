import { afterAll, describe, expect, it } from '@jest/globals'
import { startTestAuth } from '../fixture/auth.ts'
import { connectDirectory, groupSchema, patchSchema, userSchema } from '../fixture/directory.ts'

/**
 * The requests of Okta, as its documentation shows them
 * (https://developer.okta.com/docs/api/openapi/okta-scim/guides/scim-20).
 */
const auth = await startTestAuth()
const directory = await connectDirectory(auth)
afterAll(() => auth.stop())

const profile = {
  schemas: [userSchema],
  userName: 'test.user@okta.test',
  name: { givenName: 'Test', familyName: 'User' },
  emails: [{ primary: true, value: 'test.user@okta.test', type: 'work' }],
  displayName: 'Test User',
  locale: 'en-US',
  externalId: '00ujl29u0le5T6Aj10h7',
}

describe('the requests of Okta', () => {
  let id: string
  let groupId: string

  it('look for the user, page by page, and create them with groups and a password', async () => {
    const query = `filter=${encodeURIComponent('userName eq "test.user@okta.test"')}&startIndex=1&count=100`
    expect((await directory.send('GET', `/Users?${query}`)).body.totalResults).toBe(0)
    const body = { ...profile, groups: [], password: '1mz050nq', active: true }
    const created = await directory.send('POST', '/Users', body)
    expect(created.status).toBe(201)
    id = created.body.id
    const { password: _, groups: __, ...kept } = body
    expect(created.body).toMatchObject(kept)
    const stored = await auth.rows('SELECT attributes FROM scim_users WHERE scim_user_id = $1', [id])
    expect(JSON.stringify([created.body, stored])).not.toContain('1mz050nq')
  })

  it('import users page by page', async () => {
    await directory.createUser('second@okta.test')
    const first = await directory.send('GET', '/Users?startIndex=1&count=1')
    const second = await directory.send('GET', '/Users?startIndex=2&count=1')
    expect(first.body).toMatchObject({ totalResults: 2, startIndex: 1, itemsPerPage: 1, Resources: [{ id }] })
    expect(second.body).toMatchObject({ totalResults: 2, startIndex: 2, itemsPerPage: 1 })
    expect((await directory.send('GET', '/Users?startIndex=-1&count=-5')).body).toMatchObject({
      totalResults: 2,
      startIndex: 1,
      itemsPerPage: 0,
    })
  })

  it('replace the profile with PUT, which removes what is left out', async () => {
    const { displayName: _, ...rest } = profile
    const body = { ...rest, id, active: true, name: { givenName: 'Another', familyName: 'User' }, meta: {} }
    const replaced = await directory.send('PUT', `/Users/${id}`, body)
    expect(replaced).toMatchObject({ status: 200, body: { name: { givenName: 'Another' } } })
    expect(replaced.body.displayName).toBeUndefined()
  })

  it('deactivate and reactivate the user with a value without a path', async () => {
    const userId = await directory.accountOf(id)
    const set = (active: boolean) =>
      directory.send('PATCH', `/Users/${id}`, {
        schemas: [patchSchema],
        Operations: [{ op: 'replace', value: { active } }],
      })
    expect(await set(false)).toMatchObject({ status: 200, body: { id, active: false } })
    expect(await directory.roleOf(userId)).toBeUndefined()
    expect(await set(true)).toMatchObject({ status: 200, body: { id, active: true } })
    expect(await directory.roleOf(userId)).toBe('member')
  })

  it('push a group with members, rename it and remove a member by a value path', async () => {
    const members = [{ value: id, display: 'test.user@okta.test' }]
    const created = await directory.send('POST', '/Groups', {
      schemas: [groupSchema],
      displayName: 'Test SCIMv2',
      members,
    })
    groupId = created.body.id
    expect(created.body.members).toEqual([{ value: id, display: 'test.user@okta.test', type: 'User' }])
    expect((await directory.send('GET', `/Users/${id}`)).body.groups).toEqual([
      { value: groupId, display: 'Test SCIMv2' },
    ])
    const change = (...Operations: object[]) =>
      directory.send('PATCH', `/Groups/${groupId}`, { schemas: [patchSchema], Operations })
    const renamed = await change({ op: 'replace', value: { id: groupId, displayName: 'Renamed' } })
    expect(renamed.status).toBe(204)
    await change({ op: 'remove', path: `members[value eq "${id}"]` })
    expect((await directory.send('GET', `/Groups/${groupId}`)).body).toMatchObject({
      displayName: 'Renamed',
      members: [],
    })
    await change({ op: 'replace', path: 'members', value: members })
    expect((await directory.send('GET', `/Groups/${groupId}`)).body.members).toHaveLength(1)
  })

  it('delete the group', async () => {
    expect((await directory.send('DELETE', `/Groups/${groupId}`)).status).toBe(204)
    expect((await directory.send('GET', `/Groups/${groupId}`)).status).toBe(404)
  })
})

import { afterAll, describe, expect, it } from '@jest/globals'
import { startTestAuth } from '../fixture/auth.ts'
import {
  connectDirectory,
  enterpriseSchema,
  groupSchema,
  patchSchema,
  scimErrorBody,
  userSchema,
} from '../fixture/directory.ts'

/**
 * The requests of the provisioning service of Entra ID, as its documentation shows them
 * (https://learn.microsoft.com/entra/identity/app-provisioning/use-scim-to-provision-users-and-groups).
 */
const auth = await startTestAuth()
const directory = await connectDirectory(auth)
afterAll(() => auth.stop())

const newUser = {
  schemas: [userSchema, enterpriseSchema],
  externalId: '0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef',
  userName: 'Test_User_ab6490ee@acme.test',
  active: true,
  displayName: 'Ryan Leenay',
  emails: [{ primary: true, type: 'work', value: 'Test_User_fd0ea19b@acme.test' }],
  meta: { resourceType: 'User' },
  name: { formatted: 'Ryan Leenay', familyName: 'Leenay', givenName: 'Ryan' },
  roles: [],
  [enterpriseSchema]: { department: 'Facilities' },
}

const patch = (...Operations: object[]) => ({ schemas: [patchSchema], Operations })

describe('the requests of Entra ID', () => {
  let id: string
  let groupId: string

  it('find no user when the connection is tested', async () => {
    const { status, body, headers } = await directory.send('GET', `/Users?filter=userName+eq+"${crypto.randomUUID()}"`)
    expect([status, headers.get('content-type')]).toEqual([200, 'application/scim+json'])
    expect(body).toEqual({
      schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
      totalResults: 0,
      startIndex: 1,
      itemsPerPage: 0,
      Resources: [],
    })
  })

  it('create a user, who is a member at once and takes a seat', async () => {
    const { status, body, headers } = await directory.send('POST', '/Users', newUser)
    expect(status).toBe(201)
    id = body.id
    expect(body).toEqual({
      schemas: [userSchema],
      id: expect.stringMatching(/^scu_/),
      externalId: newUser.externalId,
      userName: newUser.userName,
      name: newUser.name,
      displayName: 'Ryan Leenay',
      active: true,
      emails: newUser.emails,
      meta: {
        resourceType: 'User',
        created: expect.any(String),
        lastModified: expect.any(String),
        location: `${directory.baseUrl}/Users/${id}`,
        version: '"1"',
      },
    })
    expect([headers.get('location'), headers.get('etag')]).toEqual([body.meta.location, '"1"'])
    expect(await directory.roleOf(await directory.accountOf(id))).toBe('member')
    const [account] = await auth.rows('SELECT email, name FROM users WHERE user_id = $1', [
      await directory.accountOf(id),
    ])
    expect(account).toEqual({ email: 'test_user_fd0ea19b@acme.test', name: null })
  })

  it('are refused with uniqueness when the user exists', async () => {
    expect(await directory.send('POST', '/Users', newUser)).toMatchObject({
      status: 409,
      body: scimErrorBody(409, 'uniqueness'),
    })
  })

  it('find the user by the user name in any case, and read them', async () => {
    const found = await directory.send('GET', `/Users?filter=userName eq "${newUser.userName.toUpperCase()}"`)
    expect(found.body).toMatchObject({ totalResults: 1, Resources: [{ id }] })
    expect((await directory.send('GET', `/Users/${id}`)).body).toMatchObject({ id, userName: newUser.userName })
    expect(await directory.send('GET', '/Users/5171a35d82074e068ce2')).toMatchObject({
      status: 404,
      body: scimErrorBody(404),
    })
  })

  it('change attributes with capital operations, value paths and extension attributes', async () => {
    const { status, body } = await directory.send(
      'PATCH',
      `/Users/${id}`,
      patch(
        { op: 'Replace', path: 'emails[type eq "work"].value', value: 'updatedEmail@acme.test' },
        { op: 'Replace', path: 'name.familyName', value: 'updatedFamilyName' },
        { op: 'Add', path: `${enterpriseSchema}:department`, value: 'Sales' },
        { op: 'Add', path: 'phoneNumbers[type eq "work"].value', value: '1' },
      ),
    )
    expect(status).toBe(200)
    expect(body).toMatchObject({
      emails: [{ primary: true, type: 'work', value: 'updatedEmail@acme.test' }],
      name: { formatted: 'Ryan Leenay', familyName: 'updatedFamilyName', givenName: 'Ryan' },
    })
    expect(JSON.stringify(body)).not.toContain('Sales')
  })

  it('change several attributes without a path', async () => {
    const value = { displayName: 'Ryan L.', 'name.givenName': 'R.', [`${enterpriseSchema}:department`]: 'x' }
    const { body } = await directory.send('PATCH', `/Users/${id}`, patch({ op: 'replace', value }))
    expect(body).toMatchObject({ displayName: 'Ryan L.', name: { givenName: 'R.', familyName: 'updatedFamilyName' } })
  })

  it('disable the user with a boolean as text, who loses the workspace and frees the seat', async () => {
    const userId = await directory.accountOf(id)
    const disabled = await directory.send(
      'PATCH',
      `/Users/${id}`,
      patch({ op: 'Replace', path: 'active', value: 'False' }),
    )
    expect(disabled).toMatchObject({ status: 200, body: { active: false } })
    expect(await directory.roleOf(userId)).toBeUndefined()
    const enabled = await directory.send(
      'PATCH',
      `/Users/${id}`,
      patch({ op: 'Replace', path: 'active', value: 'True' }),
    )
    expect(enabled).toMatchObject({ status: 200, body: { active: true } })
    expect(await directory.roleOf(userId)).toBe('member')
  })

  it('create a group and change its members', async () => {
    const created = await directory.send('POST', '/Groups', {
      schemas: [groupSchema, 'http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group'],
      externalId: '8aa1a0c0-c4c3-4bc0-b4a5-2ef676900159',
      displayName: 'Facility managers',
      meta: { resourceType: 'Group' },
    })
    expect(created).toMatchObject({ status: 201, body: { displayName: 'Facility managers', members: [] } })
    groupId = created.body.id
    const add = patch({ op: 'Add', path: 'members', value: [{ $ref: null, value: id }] })
    expect((await directory.send('PATCH', `/Groups/${groupId}`, add)).status).toBe(204)
    const isMember = async () => {
      const filter = encodeURIComponent(`id eq "${groupId}" and members eq "${id}"`)
      return (await directory.send('GET', `/Groups?filter=${filter}`)).body.totalResults === 1
    }
    expect(await isMember()).toBe(true)
    const remove = patch({ op: 'Remove', path: 'members', value: [{ $ref: null, value: id }] })
    expect((await directory.send('PATCH', `/Groups/${groupId}`, remove)).status).toBe(204)
    expect(await isMember()).toBe(false)
  })

  it('read a group without its members, by name', async () => {
    const filter = encodeURIComponent('displayName eq "facility Managers"')
    const { body } = await directory.send('GET', `/Groups?excludedAttributes=members&filter=${filter}`)
    expect(body.Resources).toEqual([expect.not.objectContaining({ members: expect.anything() })])
    expect(body.Resources[0].id).toBe(groupId)
  })

  it('delete group and user', async () => {
    const userId = await directory.accountOf(id)
    expect((await directory.send('DELETE', `/Groups/${groupId}`)).status).toBe(204)
    expect(await directory.send('DELETE', `/Users/${id}`)).toMatchObject({ status: 204, body: '' })
    expect((await directory.send('GET', `/Users/${id}`)).status).toBe(404)
    expect(await directory.roleOf(userId)).toBeUndefined()
  })
})

import { afterAll, describe, expect, it } from '@jest/globals'
import { startTestAuth } from '../fixture/auth.ts'
import { connectDirectory } from '../fixture/directory.ts'

const userSchema = 'urn:ietf:params:scim:schemas:core:2.0:User'

const auth = await startTestAuth()
const directory = await connectDirectory(auth)
const { body } = await directory.send('POST', '/Users', {
  schemas: [userSchema],
  userName: 'ada@example.com',
  name: { givenName: 'Ada', familyName: 'Lovelace' },
  emails: [{ value: 'ada@example.com', type: 'work', primary: true }],
  title: 'Countess',
})
const user = body
afterAll(() => auth.stop())

const minimal = () => ({ schemas: [userSchema], id: user.id })
const without = (...names: string[]) =>
  Object.fromEntries(Object.entries(user).filter(([name]) => !names.includes(name)))

describe('a request for attributes (RFC 7644 section 3.9)', () => {
  it.each([
    ['attributes=title', () => ({ ...minimal(), title: 'Countess' })],
    ['attributes=TITLE, username', () => ({ ...minimal(), userName: 'ada@example.com', title: 'Countess' })],
    [`attributes=${userSchema}:title`, () => ({ ...minimal(), title: 'Countess' })],
    ['attributes=name.familyName', () => ({ ...minimal(), name: { familyName: 'Lovelace' } })],
    ['attributes=emails.value', () => ({ ...minimal(), emails: [{ value: 'ada@example.com' }] })],
    ['attributes=emails.value,emails', () => ({ ...minimal(), emails: user.emails })],
    ['attributes=unknown', minimal],
    ['excludedAttributes=title,meta', () => without('title', 'meta')],
    ['excludedAttributes=id,schemas', () => user],
    ['excludedAttributes=name.familyName', () => ({ ...user, name: { givenName: 'Ada' } })],
    ['attributes=title&excludedAttributes=title', () => ({ ...minimal(), title: 'Countess' })],
  ])('%s', async (query, expected) => {
    const one = await directory.send('GET', `/Users/${user.id}?${encodeURI(query)}`)
    expect(one.body).toEqual(expected())
    expect(one.headers.get('etag')).toBe('"1"')
    const { body } = await directory.send('GET', `/Users?${encodeURI(query)}`)
    expect(body.Resources).toEqual([expected()])
  })
})

describe('the members of a group', () => {
  it('are read if they are named, also with the schema', async () => {
    const members = [{ value: user.id }]
    const { body: group } = await directory.send('POST', '/Groups', { displayName: 'Planners', members })
    const membersBy = async (query: string) =>
      (await directory.send('GET', `/Groups/${group.id}?${query}`)).body.members?.length
    expect(await membersBy('attributes=urn:ietf:params:scim:schemas:core:2.0:Group:members')).toBe(1)
    expect(await membersBy('attributes=members.value')).toBe(1)
    expect(await membersBy('attributes=displayName')).toBeUndefined()
    expect(await membersBy('excludedAttributes=Members')).toBeUndefined()
  })
})

describe('a schema and a resource type', () => {
  it('are read by the address in their metadata', async () => {
    for (const path of ['/Schemas', '/ResourceTypes']) {
      const { body } = await directory.send('GET', path)
      expect(body.Resources).toHaveLength(2)
      for (const resource of body.Resources) {
        const address = new URL(resource.meta.location).pathname.split('/scim/v2')[1] ?? ''
        expect((await directory.send('GET', address)).body).toEqual(resource)
      }
      expect((await directory.send('GET', `${path}/none`)).status).toBe(404)
    }
  })
})

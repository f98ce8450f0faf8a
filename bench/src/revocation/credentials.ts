import { randomUUID } from 'node:crypto'
import { setTestQuota, type TestFleet } from '@wp/testkit'
import { mapConcurrently } from '../harness/closed-loop.ts'
import { requireOk } from '../harness/fleet.ts'

/** A credential that the gateway admits until it is revoked. */
export interface RevocableCredential {
  kind: 'key' | 'session' | 'member'
  headers: Record<string, string>
  revoke(): Promise<{ status: number; body: unknown }>
}

/**
 * Creates API keys, sessions, and sessions of members whom a directory removes, so many of each, and returns them in
 * turn. @param owner access token of a user
 */
export async function createRevocableCredentials(
  fleet: TestFleet,
  owner: string,
  each: number,
): Promise<RevocableCredential[]> {
  for (const quota of ['seats', 'api_keys'] as const)
    await setTestQuota(fleet.databases.get('auth')?.workerUrl, fleet.owner.workspaceId, quota, 10_000)
  const { token: scimToken } = await requireOk(fleet.request('POST', '/v1/auth/scim-tokens', { as: owner, body: {} }))
  const sendScim = (method: string, path: string, body: object) =>
    fleet.request(method, `/v1/auth/scim/v2/Users${path}`, {
      headers: { authorization: `Bearer ${scimToken}`, 'content-type': 'application/scim+json' },
      rawBody: JSON.stringify(body),
    })
  const groups = await mapConcurrently([...Array(each).keys()], 4, async (): Promise<RevocableCredential[]> => {
    const key = await requireOk(fleet.request('POST', '/v1/auth/api-key', { as: owner, body: {} }))
    const token = await fleet.userToken(fleet.owner.ownerId)
    const { sid } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
    const email = `${randomUUID()}@example.com`
    const { status, body: user } = await sendScim('POST', '', { userName: email })
    if (status !== 201) throw new Error(`A member is not provisioned: ${status} ${JSON.stringify(user)}`)
    const [member] = await requireOk(fleet.request('GET', `/v1/auth/admin/users?email=${email}`, { as: owner }))
    const memberToken = await fleet.userToken(member.user_id)
    const remove = (path: string) => () => fleet.request('DELETE', path, { as: owner })
    const bearer = (text: string) => ({ authorization: `Bearer ${text}` })
    const deactivation = { Operations: [{ op: 'replace', path: 'active', value: false }] }
    const deactivate = () => sendScim('PATCH', `/${user.id}`, deactivation)
    return [
      { kind: 'key', headers: { 'x-api-key': key.api_key }, revoke: remove(`/v1/auth/api-key/${key.key_id}`) },
      { kind: 'session', headers: bearer(token), revoke: remove(`/v1/auth/sessions/${sid}`) },
      { kind: 'member', headers: bearer(memberToken), revoke: deactivate },
    ]
  })
  return groups.flat()
}

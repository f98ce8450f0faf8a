import { randomUUID } from 'node:crypto'
import type { TestFleet } from '@wp/testkit'
import { mapConcurrently } from '../harness/closed-loop.ts'
import { requireOk } from '../harness/fleet.ts'

/** A credential that the gateway admits until it is revoked. */
export interface RevocableCredential {
  kind: 'key' | 'session' | 'member'
  headers: Record<string, string>
  /** Sends the request that revokes the credential. */
  revoke(): Promise<{ status: number; body: unknown }>
}

/**
 * Creates API keys, sessions, and sessions of members whom a directory removes, and returns them in turn.
 *
 * @param owner access token of a user
 * @param each how many of each kind
 */
export async function createRevocableCredentials(
  fleet: TestFleet,
  owner: string,
  each: number,
): Promise<RevocableCredential[]> {
  const { token: scimToken } = await requireOk(fleet.request('POST', '/v1/auth/scim-tokens', { as: owner, body: {} }))
  const sendScim = (method: string, path: string, body: object) =>
    fleet.request(method, `/v1/auth/scim/v2/Users${path}`, {
      headers: { authorization: `Bearer ${scimToken}`, 'content-type': 'application/scim+json' },
      rawBody: JSON.stringify(body),
    })
  const numbers = Array.from({ length: each }, (_, number) => number)
  const groups = await mapConcurrently(numbers, 4, async (): Promise<RevocableCredential[]> => {
    const key = await requireOk(fleet.request('POST', '/v1/auth/api-key', { as: owner, body: {} }))
    const token = await fleet.userToken(fleet.owner.ownerId)
    const { sid } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
    const email = `${randomUUID()}@example.com`
    const { status, body: user } = await sendScim('POST', '', { userName: email })
    if (status !== 201) throw new Error(`A member is not provisioned: ${status} ${JSON.stringify(user)}`)
    const [member] = await requireOk(fleet.request('GET', `/v1/auth/admin/users?email=${email}`, { as: owner }))
    const memberToken = await fleet.userToken(member.user_id)
    const deactivation = { Operations: [{ op: 'replace', path: 'active', value: false }] }
    return [
      {
        kind: 'key',
        headers: { 'x-api-key': key.api_key },
        revoke: () => fleet.request('DELETE', `/v1/auth/api-key/${key.key_id}`, { as: owner }),
      },
      {
        kind: 'session',
        headers: { authorization: `Bearer ${token}` },
        revoke: () => fleet.request('DELETE', `/v1/auth/sessions/${sid}`, { as: owner }),
      },
      {
        kind: 'member',
        headers: { authorization: `Bearer ${memberToken}` },
        revoke: () => sendScim('PATCH', `/${user.id}`, deactivation),
      },
    ]
  })
  return groups.flat()
}

import type { TestFleet } from '@wp/testkit'
import { mapConcurrently } from '../harness/closed-loop.ts'
import { requireOk } from '../harness/fleet.ts'

/** A credential that the gateway admits until it is revoked. */
export interface RevocableCredential {
  kind: 'key' | 'session'
  headers: Record<string, string>
  /** A DELETE request to it revokes the credential. */
  path: string
}

/**
 * Creates API keys and sessions and returns them alternately.
 *
 * @param owner access token of a user
 * @param each how many keys and how many sessions
 */
export async function createRevocableCredentials(
  fleet: TestFleet,
  owner: string,
  each: number,
): Promise<RevocableCredential[]> {
  const numbers = Array.from({ length: each }, (_, number) => number)
  const pairs = await mapConcurrently(numbers, 4, async (): Promise<RevocableCredential[]> => {
    const key = await requireOk(fleet.request('POST', '/v1/auth/api-key', { as: owner, body: {} }))
    const token = await fleet.userToken(fleet.owner.ownerId)
    const { sid } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
    return [
      { kind: 'key', headers: { 'x-api-key': key.api_key }, path: `/v1/auth/api-key/${key.key_id}` },
      { kind: 'session', headers: { authorization: `Bearer ${token}` }, path: `/v1/auth/sessions/${sid}` },
    ]
  })
  return pairs.flat()
}

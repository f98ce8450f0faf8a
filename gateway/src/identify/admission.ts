import { type EndpointDefinition, Problem } from '@wp/contracts'
import type { Subject } from '@wp/service'
import type { Presented } from './credential.ts'
import type { Identities, Known } from './identities.ts'
import type { Standing, Standings } from './workspace.ts'

interface Admitted {
  known: Known
  standing: Standing
}

/**
 * Decides where a request runs, and as whom. Who is refused a workspace may have become a member a moment ago, and the
 * answer we keep be older than that: auth is asked once more, before a user is told that what they just made is not
 * theirs.
 */
export function createAdmission(identities: Pick<Identities, 'findAgain'>, standings: Standings) {
  return async (
    known: Known,
    credential: Presented,
    workspaceKey: string | undefined,
    definition: EndpointDefinition,
  ): Promise<Admitted> => {
    try {
      return { known, standing: standings.of(known, workspaceKey, definition) }
    } catch (error) {
      if (!mayBeStale(error, known)) throw error
      const again = await identities.findAgain(credential)
      return { known: again, standing: standings.of(again, workspaceKey, definition) }
    }
  }
}

/** Not a member, or a member nowhere. */
const mayBeStale = (error: unknown, { identity }: Known): boolean =>
  error instanceof Problem &&
  (error.code === 'workspace_forbidden' || (error.code === 'workspace_required' && identity.grants.length === 0))

/** The caller as auth is told of it: with the end of its credential, and which token of its principal it shows. */
export const withCredential = (subject: Subject, { expiresAt, tokenId }: Known): Subject => ({
  ...subject,
  ...(Number.isFinite(expiresAt) ? { credentialExpiresAt: new Date(expiresAt).toISOString() } : {}),
  ...(tokenId === undefined ? {} : { tokenId }),
})

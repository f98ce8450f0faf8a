import { problem } from '@wp/contracts'
import { genesisHash } from '../chain/record.ts'
import { readHeadToken, signHead } from '../chain/tokens.ts'
import type { Operation } from '../context.ts'
import { findHead } from '../store/chains.ts'

export const verifyLogs: Operation<'verifyLogs'> = async ({ verifications, signer }, caller, { query }) => {
  const { from_seq: from, to_seq: to, head: token } = query
  if (from !== undefined && to !== undefined && to < from)
    throw problem('validation_failed', { errors: [{ pointer: '?to_seq', detail: 'must not be less than from_seq' }] })
  if (token === undefined) return verifications.verify(caller.workspaceId, { from, to })
  const head = await readHeadToken(signer, caller.workspaceId, token)
  if (head === undefined) {
    const detail = 'must be the token of a head of this workspace, signed with a key of /v1/audit/keys'
    throw problem('validation_failed', { errors: [{ pointer: '?head', detail }] })
  }
  return verifications.verify(caller.workspaceId, { from, to }, head)
}

export const readHead: Operation<'readHead'> = async ({ database, signer, now }, caller) => {
  const { workspaceId } = caller
  const stored = await database.read(caller, (_db, query) => findHead(query, workspaceId))
  const head = { ...(stored ?? { seq: 0, hash: genesisHash }), signedAt: new Date(now()).toISOString() }
  const token = await signHead(signer, workspaceId, head)
  return { workspace_id: workspaceId, seq: head.seq, hash: head.hash, signed_at: head.signedAt, token }
}

/** Returns the JWKS: the current key, and earlier keys whose heads remain verifiable. */
export const keySet: Operation<'keySet'> = async ({ signer }) => ({
  keys: signer.publicKeys.map((jwk) => ({ ...jwk })),
})

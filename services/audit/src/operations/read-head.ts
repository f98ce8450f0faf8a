import type { audit, Operation } from '@wp/contracts'
import { genesisHash } from '../chain/record.ts'
import type { Context } from '../context.ts'
import { signHead } from '../signing/tokens.ts'
import { findHead } from '../store/chains.ts'

export const readHead: Operation<typeof audit.readHead, Context> = async ({ database, signer, now }, caller) => {
  const { workspaceId } = caller
  const stored = await database.read(caller, (_db, query) => findHead(query, workspaceId))
  const head = { ...(stored ?? { seq: 0, hash: genesisHash }), signedAt: new Date(now()).toISOString() }
  const token = await signHead(signer, workspaceId, head)
  return { workspace_id: workspaceId, seq: head.seq, hash: head.hash, signed_at: head.signedAt, token }
}

import { hash } from 'node:crypto'
import type { auditRecorded } from '@wp/contracts'
import type { z } from 'zod'
import { canonical } from './canonical.ts'

type Said = z.output<typeof auditRecorded.data>

/** What a chain holds of one record: all of it is hashed. */
export interface ChainedRecord {
  workspaceId: string
  seq: number
  id: string
  action: string
  /** RFC 3339, UTC, milliseconds. */
  occurredAt: string
  actor: { id: string; type: string }
  targets: Said['targets']
  requestId: string
  outcome: Said['outcome']
  changes: Said['changes']
  /** Of the personal data beside the chain. */
  personalHash: string
  prevHash: string
}

/** What stands beside the chain, and may be erased. */
export interface Personal {
  actorName: string | null
  ip: string | null
  userAgent: string | null
}

/** What the first record of a chain follows. */
export const genesis = '0'.repeat(64)

/**
 * SHA-256 of a record's canonical JSON (RFC 8785), hexadecimal. The version says how it was made, should that ever
 * change; the workspace is in it, so that no chain can be passed off as another's.
 */
export function hashOf(record: ChainedRecord): string {
  const { workspaceId, seq, id, action, occurredAt, actor, targets, requestId, outcome, changes } = record
  const { personalHash, prevHash } = record
  return sha256(
    canonical({
      version: 1,
      workspace_id: workspaceId,
      seq,
      id,
      action,
      occurred_at: occurredAt,
      actor: { id: actor.id, type: actor.type },
      targets,
      request_id: requestId,
      outcome,
      changes,
      personal_hash: personalHash,
      prev_hash: prevHash,
    }),
  )
}

/**
 * What the chain keeps of personal data. With the salt, which is erased with the data, it confirms them; without, it
 * says nothing of them, however few there are to guess from.
 * @param salt hexadecimal, always of the same length
 */
export function commitmentOf(salt: string, { actorName, ip, userAgent }: Personal): string {
  return sha256(`${salt}${canonical({ actor_name: actorName, ip, user_agent: userAgent })}`)
}

const sha256 = (text: string): string => hash('sha256', text, 'hex')

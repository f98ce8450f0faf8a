import type { auditRecorded } from '@wp/contracts'
import type { Row } from '@wp/database'
import type { z } from 'zod'
import type { AuditAnchor, AuditChain, AuditPersonalData } from '#db'

type AuditEventData = z.output<typeof auditRecorded.data>

/** The actor of a record; for a user also the session and, if one acted for the user, the application. */
export interface RecordActor {
  id: string
  type: string
  client_id?: string | undefined
  session_id?: string | undefined
}

/** The part of an audit record that its hash covers. */
export interface ChainedRecord {
  workspaceId: string
  /** Position in the chain, from 1. */
  seq: number
  id: string
  action: string
  /** RFC 3339, UTC, milliseconds. */
  occurredAt: string
  actor: RecordActor
  targets: AuditEventData['targets']
  requestId: string
  outcome: AuditEventData['outcome']
  changes: AuditEventData['changes']
  /** Salted hash of the personal data, which is stored outside the chain. */
  personalHash: string
  /** Hash of the record before; for the first record the genesis hash. */
  prevHash: string
}

/** The part of an audit record that can be erased. */
export type PersonalData = Row<AuditPersonalData, 'actorName' | 'ip' | 'userAgent'>

/** A record linked to its chain, ready to be inserted. */
export interface AppendedRecord {
  record: ChainedRecord
  hash: string
  personal: PersonalData & { salt: string }
}

/** A record as read from the database. */
export interface StoredRecord {
  record: ChainedRecord
  hash: string
  /** Null after erasure. */
  personal: (PersonalData & { salt: string }) | null
}

/** The last position of a chain and the hash of the record there. */
export type ChainHead = Row<AuditChain, 'seq' | 'hash'>

/** The beginning of a chain whose older records were cut: the last record that was cut, signed by the audit log. */
export type StoredAnchor = Row<AuditAnchor, 'seq' | 'hash' | 'cutAt' | 'token'>

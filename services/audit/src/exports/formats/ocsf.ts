import { isIP } from 'node:net'
import type { ExportFormat, RecordView } from './export-format.ts'

const schemaVersion = '1.3.0'
const categoryUid = 6
const classUid = 6003
const otherId = 99
/** Of the type `ip_t`. */
const maxIpLength = 40

/** Activities of the class, with the last words of the actions that they stand for. Any other action is `Other`. */
const activities = [
  { id: 1, name: 'Create', words: ['created', 'started', 'uploaded', 'invited', 'registered', 'seeded'] },
  { id: 2, name: 'Read', words: ['read', 'downloaded'] },
  { id: 3, name: 'Update', words: ['updated', 'changed', 'rotated', 'set', 'cancelled', 'disabled'] },
  { id: 4, name: 'Delete', words: ['deleted', 'removed', 'revoked', 'withdrawn'] },
] as const

const userTypes: Readonly<Record<string, { type_id: number; type: string }>> = { user: { type_id: 1, type: 'User' } }

/**
 * Open Cybersecurity Schema Framework 1.3.0, one event of the class API Activity (6003) a line
 * (https://schema.ocsf.io/1.3.0/classes/api_activity). What the class has no attribute for is in `unmapped`.
 */
export const ocsf: ExportFormat = {
  contentType: 'application/x-ndjson',
  extension: '.ocsf.jsonl',
  header: '',
  line: (record, workspaceId) => `${JSON.stringify(toApiActivity(record, workspaceId))}\n`,
}

function toApiActivity(record: RecordView, workspaceId: string) {
  const { context, actor, action, targets } = record
  const activity = activityOf(action)
  return {
    category_uid: categoryUid,
    category_name: 'Application Activity',
    class_uid: classUid,
    class_name: 'API Activity',
    activity_id: activity.id,
    activity_name: activity.name,
    type_uid: classUid * 100 + activity.id,
    type_name: `API Activity: ${activity.name}`,
    severity_id: 1,
    severity: 'Informational',
    time: Date.parse(record.occurred_at),
    ...statusOf(record.outcome),
    metadata: {
      version: schemaVersion,
      product: { name: 'Audit log', vendor_name: 'Workspace platform' },
      uid: record.id,
      sequence: record.seq,
      event_code: action,
      correlation_uid: context.request_id,
      original_time: record.occurred_at,
      tenant_uid: workspaceId,
    },
    actor: {
      user: userOf(actor),
      ...(actor.client_id === undefined ? {} : { app_uid: actor.client_id }),
      ...(actor.session_id === undefined ? {} : { session: { uid: actor.session_id } }),
    },
    api: { operation: action, request: { uid: context.request_id } },
    src_endpoint: endpointOf(context.ip),
    ...(context.user_agent === null ? {} : { http_request: { user_agent: context.user_agent } }),
    resources: targets.map(({ type, id }) => ({ uid: id, type })),
    unmapped: { changes: record.changes, prev_hash: record.prev_hash, hash: record.hash },
  }
}

function activityOf(action: string): { id: number; name: string } {
  const word = /[a-z]*$/.exec(action)?.[0] ?? ''
  const known = activities.find(({ words }) => (words as readonly string[]).includes(word)) // widened for the lookup only
  return known ?? { id: otherId, name: action.slice(action.lastIndexOf('.') + 1) }
}

/** The schema has success and failure; the outcome itself is the detail. */
const statusOf = (outcome: RecordView['outcome']) =>
  outcome === 'success'
    ? { status_id: 1, status: 'Success' }
    : { status_id: 2, status: 'Failure', status_detail: outcome }

/**
 * An endpoint needs an address or a name; the address is unknown, was erased, or is none in the sense of the schema.
 */
const endpointOf = (ip: string | null) =>
  ip !== null && isIP(ip) > 0 && ip.length <= maxIpLength ? { ip } : { name: ip || 'unknown' }

const userOf = ({ id, type, name }: RecordView['actor']) => ({
  uid: id,
  ...(name === undefined ? {} : { name }),
  ...(userTypes[type] ?? { type_id: otherId, type }),
})

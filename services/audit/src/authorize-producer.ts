import { auditActionOwners, auditRecorded, type DomainEvent, id, isSigner, timestamp } from '@wp/contracts'
import { parseSubject } from '@wp/events'

/**
 * Producers that may record events outside any workspace: the edge before one is known, the global services, and the
 * audit log, whose retention cuts the chain of these events too.
 */
const producersWithoutWorkspace: ReadonlySet<string> = new Set(['gateway', 'auth', 'system', 'audit'])

const eventId = id('evt')
const workspaceId = id('ws')
const time = timestamp()

/**
 * Returns why the audit log rejects an event; undefined if it is accepted. The broker's permissions bind a producer to
 * its subjects, so the subject tells who published the event and for which workspace; the event itself must agree.
 *
 * @param subject null if it is unknown; the event is then rejected
 */
export function rejectionReason(subject: string | null, event: DomainEvent): string | undefined {
  const parsed = parseSubject(subject ?? '')
  if (parsed === undefined) return 'the subject is unknown'
  const { producer } = parsed
  if (parsed.kind !== auditRecorded.kind || event.kind !== parsed.kind) return 'the event is not an audit event'
  if (parsed.workspace_id !== event.workspace_id) return 'the subject names another workspace'
  if (!eventId.safeParse(event.id).success) return 'the event id is malformed'
  if (!time.safeParse(event.occurred_at).success) return 'the event time is malformed'
  const data = auditRecorded.data.safeParse(event.data)
  if (!data.success) return `the event data are invalid: ${data.error.issues[0]?.path.join('.')}`
  return workspaceRejection(producer, event.workspace_id) ?? actionRejection(producer, data.data)
}

function workspaceRejection(producer: string, workspace: string): string | undefined {
  if (workspace !== '') return workspaceId.safeParse(workspace).success ? undefined : 'the workspace id is malformed'
  return producersWithoutWorkspace.has(producer) ? undefined : `${producer} may not record events without a workspace`
}

function actionRejection(producer: string, { action, outcome }: { action: string; outcome: string }) {
  if (!isSigner(producer) || auditActionOwners.get(action)?.has(producer) !== true)
    return `${producer} may not record ${action}`
  // The edge changes nothing itself: it can only record requests that it denied.
  if (producer === 'gateway' && outcome !== 'denied') return 'gateway may only record denied requests'
  return undefined
}

import { auditActionOwners, auditRecorded, type DomainEvent, id, isSigner, timestamp } from '@wp/contracts'
import { parseSubject } from '@wp/events'

/** Who may say what happened in no workspace: who is asked before there is one, and who keeps them. */
const mayWriteToPlatform: ReadonlySet<string> = new Set(['gateway', 'auth', 'system'])

const eventId = id('evt')
const workspace = id('ws')
const time = timestamp()

/**
 * Why the audit log does not take an event; undefined: it does. The subject, to which the broker's permissions bind the
 * producer, says who speaks and of which workspace; what the event says of that must agree.
 *
 * @param subject null where it is not known; then nobody vouches for the event
 */
export function whyRefused(subject: string | null, event: DomainEvent): string | undefined {
  const said = parseSubject(subject ?? '')
  if (said === undefined) return 'it is not known who said it'
  const { producer } = said
  if (said.kind !== auditRecorded.kind || event.kind !== said.kind) return 'it is no audit event'
  if (said.workspace_id !== event.workspace_id) return 'its subject names another workspace'
  if (!eventId.safeParse(event.id).success) return 'its identifier is not one of ours'
  if (!time.safeParse(event.occurred_at).success) return 'its time is not one of ours'
  const data = auditRecorded.data.safeParse(event.data)
  if (!data.success) return `it does not say what an audit event says: ${data.error.issues[0]?.path.join('.')}`
  return whyNotFrom(producer, event.workspace_id) ?? whyNotSaidBy(producer, data.data)
}

function whyNotFrom(producer: string, workspaceId: string): string | undefined {
  if (workspaceId !== '') return workspace.safeParse(workspaceId).success ? undefined : 'it names no workspace'
  return mayWriteToPlatform.has(producer) ? undefined : `${producer} may not write of no workspace`
}

function whyNotSaidBy(producer: string, { action, outcome }: { action: string; outcome: string }): string | undefined {
  if (!isSigner(producer) || auditActionOwners.get(action)?.has(producer) !== true)
    return `${producer} may not say of ${action}`
  // The edge changes nothing: all it can tell is what it did not let through.
  if (producer === 'gateway' && outcome !== 'denied') return 'gateway may only say what was denied'
  return undefined
}

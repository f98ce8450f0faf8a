import { auditInternal, invalidField } from '@wp/contracts'
import { enforceQuota } from '@wp/database'
import { requireScope } from '@wp/service'
import type { Operation } from '../../context.ts'
import { checkAddresses, requireSecrets, sealDestination, splitSecrets } from '../../destinations/config-secrets.ts'
import { destinationView } from '../../destinations/view.ts'
import { createDestinationId, destinationQuota, insertDestination } from '../../store/destinations/destinations.ts'
import { checkEventKinds } from '../../subscriptions/check-event-kinds.ts'

export const createDestination: Operation<'createDestination'> = async (context, caller, { body }) => {
  const { database, sealer, internal, now } = context
  const { name, content, filter, format, metadata, external_id: externalId } = body
  const events = checkEventKinds(body.events)
  checkContent(body)
  const { config, secrets } = requireSecrets(splitSecrets(body.config))
  await checkAddresses(context, config)
  const input = { params: {}, query: {}, body: undefined }
  const { head: auditHead } =
    content === 'audit'
      ? await internal.callForCaller(caller, 'audit:read', auditInternal.findPosition, input)
      : { head: 0 }
  const destinationId = createDestinationId()
  return database.transact(caller, async (tx) => {
    const row = await insertDestination(tx, {
      destinationId,
      name,
      content,
      events,
      filter,
      format,
      config,
      metadata,
      externalId,
      auditHead,
      workspaceId: caller.workspaceId,
      secretsSealed: sealDestination(sealer, destinationId, secrets),
      createdBy: caller.principal.id,
    })
    await enforceQuota(tx.query, caller.workspaceId, destinationQuota)
    return destinationView(row, now())
  })
}

/** The settings that must fit the content. */
interface ContentSettings {
  content: string
  events: readonly string[]
  filter: object | null
  format: string
}

/** @throws Problem `validation_failed` with a pointer to a setting of the other content */
export function checkContent({ content, events, filter, format }: ContentSettings): void {
  if (content === 'events') {
    if (format === 'ocsf') throw invalidField('/format', '`ocsf` is for the content `audit` only')
    return
  }
  if (events.some((kind) => kind !== '*')) throw invalidField('/events', 'must be `*` for the content `audit`')
  if (filter !== null) throw invalidField('/filter', 'is for the content `events` only')
}

/** Whoever directs the audit log must be allowed to read it. @throws Problem `missing_scope` */
export function requireContentScope(caller: Parameters<typeof requireScope>[0], content: string): void {
  if (content === 'audit') requireScope(caller, 'audit:read')
}

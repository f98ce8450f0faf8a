import type { DestinationConfig, EventFilter, eventDestinations, InputOf } from '@wp/contracts'
import { definedFields, mergeMetadata } from '@wp/database'
import type { Context, Operation } from '../../context.ts'
import {
  checkAddresses,
  mergeConfig,
  openDestination,
  sealDestination,
  splitSecrets,
} from '../../destinations/config-secrets.ts'
import { destinationView } from '../../destinations/view.ts'
import {
  type DestinationChange,
  type EventDestination,
  lockDestination,
  updateDestinationRow,
} from '../../store/destinations/destinations.ts'
import { checkEventKinds } from '../../subscriptions/check-event-kinds.ts'
import { toStringRecord } from '../../views.ts'
import { checkContent, requireContentScope } from './create-destination.ts'

type Patch = InputOf<typeof eventDestinations.updateDestination>['body']

export const updateDestination: Operation<'updateDestination'> = async (context, caller, { params, body }) => {
  const { database, now } = context
  const events = body.events === undefined ? undefined : checkEventKinds(body.events)
  if (body.config !== undefined) await checkAddresses(context, splitSecrets(body.config).config)
  return database.transact(caller, async (tx) => {
    const row = await lockDestination(tx, caller.workspaceId, params.destination_id)
    requireContentScope(caller, row.content)
    const change: DestinationChange = {
      ...definedFields({ events, name: body.name, filter: body.filter, format: body.format }),
      ...definedFields({ externalId: body.external_id }),
      ...definedFields({ metadata: mergeMetadata(toStringRecord(row.metadata), body.metadata) }),
      ...configChange(context, row, body.config),
      ...statusChange(row, body.status, now()),
    }
    const filter = row.filter as EventFilter | null // only written in this shape
    checkContent({ content: row.content, events: row.events, filter, format: row.format, ...pickSettings(change) })
    tx.audit({ changes: { fields: Object.keys(body) } })
    const isRetried = body.config !== undefined || body.status !== undefined
    return destinationView(await updateDestinationRow(tx, row, change, isRetried), now())
  })
}

/** Returns the changed settings that must fit the content. */
const pickSettings = ({ events, filter, format }: DestinationChange) => definedFields({ events, filter, format })

function configChange(
  { sealer }: Pick<Context, 'sealer'>,
  { destinationId, config: stored, secretsSealed }: EventDestination,
  given: Patch['config'],
): DestinationChange {
  if (given === undefined) return {}
  const secrets = openDestination(sealer, destinationId, secretsSealed)
  const merged = mergeConfig({ config: stored as DestinationConfig, secrets }, given) // only written in this shape
  return { config: merged.config, secretsSealed: sealDestination(sealer, destinationId, merged.secrets) }
}

function statusChange(row: EventDestination, status: Patch['status'], nowMs: number): DestinationChange {
  if (status === undefined || status === row.status) return {}
  return status === 'active'
    ? { status, disabledReason: null, disabledAt: null }
    : { status, disabledReason: 'requested', disabledAt: new Date(nowMs) }
}

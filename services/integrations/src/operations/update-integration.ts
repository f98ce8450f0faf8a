import { type InputOf, type integrations, invalidField, type Operation } from '@wp/contracts'
import { mergeMetadata } from '@wp/database'
import { checkAddresses } from '../connections/check-addresses.ts'
import { mergePatch } from '../connections/merge-patch.ts'
import { openSecrets, sealSecrets } from '../connections/secrets.ts'
import type { Context } from '../context.ts'
import { providers } from '../providers/index.ts'
import type { Connection } from '../providers/provider.ts'
import {
  changeIntegration,
  findIntegration,
  type Integration,
  type IntegrationChange,
  jsonOf,
  lockIntegration,
} from '../store/integrations.ts'
import { integrationView } from '../views.ts'

type Patch = InputOf<typeof integrations.updateIntegration>['body']

export const updateIntegration: Operation<typeof integrations.updateIntegration, Context> = async (
  context,
  caller,
  { params: { integration_id: id }, body },
) => {
  const { database, outside } = context
  if (body.config !== undefined || body.secrets !== undefined) {
    // Before the transaction, which waits for nothing outside: an address is the same by the time it is written, as a
    // change of it in between is judged by its own request, and every connection judges it again.
    const row = await database.read(caller, (db) => findIntegration(db, caller.workspaceId, id))
    await checkAddresses(outside, connectionAfter(context, row, body).addresses)
  }
  return database.transact(caller, async (tx) => {
    const row = await lockIntegration(tx, caller.workspaceId, id)
    const change: IntegrationChange = {
      ...(body.name === undefined ? {} : { name: body.name }),
      ...(body.metadata === undefined ? {} : { metadata: mergeMetadata(row.metadata, body.metadata) }),
      ...(body.external_id === undefined ? {} : { externalId: body.external_id }),
      ...connectionChange(context, row, body),
      updatedAt: new Date(context.now()),
    }
    tx.audit({ changes: { fields: Object.keys(body), ...namesOf(body) } })
    return integrationView(await changeIntegration(tx.db, row, change))
  })
}

/** Which settings and secrets a change is about; not what they are. */
const namesOf = ({ config, secrets }: Patch) => ({
  ...(config === undefined ? {} : { config: Object.keys(config) }),
  ...(secrets === undefined ? {} : { secrets: Object.keys(secrets) }),
})

/** What was learnt of it before says nothing of what it is now. */
function connectionChange(context: Context, row: Integration, body: Patch): IntegrationChange {
  const isTouched = body.config !== undefined || body.secrets !== undefined
  if (!isTouched && (body.status === undefined || body.status === row.status)) return {}
  const status = body.status ?? (row.status === 'disconnected' ? 'disconnected' : 'pending')
  const anew = { status, revision: { increment: 1 }, lastError: null }
  if (!isTouched) return anew
  const { config, secrets } = connectionAfter(context, row, body)
  const given = Object.fromEntries(Object.entries(secrets).filter(([name]) => typeof body.secrets?.[name] === 'string'))
  const kept = Object.fromEntries(Object.entries(row.secrets).filter(([name]) => name in secrets))
  const sealed = { ...kept, ...sealSecrets(context.sealer, row.integrationId, given) }
  return { ...anew, config: jsonOf(config), secrets: sealed }
}

/** @throws Problem `validation_failed`, also where kept secrets would be sent elsewhere than before */
function connectionAfter({ sealer, outside }: Context, row: Integration, { config, secrets = {} }: Patch): Connection {
  const provider = providers[row.provider]
  const kept = openSecrets(sealer, row.integrationId, row.secrets)
  const after = provider.read(
    config === undefined ? row.config : mergePatch(row.config, config),
    mergePatch(kept, secrets),
    outside,
  )
  const left = Object.keys(kept).filter((name) => !(name in secrets))
  if (left.length > 0 && after.destination !== provider.read(row.config, kept, outside).destination)
    throw invalidField(
      '/secrets',
      `must be given anew with another address: ${left.toSorted().join(', ')} would be sent there`,
    )
  return after
}

import { type InputOf, type integrations, invalidField } from '@wp/contracts'
import { definedFields, mergeMetadata } from '@wp/database'
import { mergePatch } from '@wp/service'
import { checkAddresses } from '../connections/check-addresses.ts'
import { openSecrets, sealSecrets } from '../connections/seal-secrets.ts'
import type { Context, Operation } from '../context.ts'
import { providers } from '../providers/index.ts'
import type { Connection } from '../providers/provider.ts'
import {
  findIntegration,
  type Integration,
  type IntegrationChange,
  lockIntegration,
  toJson,
  updateIntegration as updateRow,
} from '../store/integrations.ts'
import { integrationView } from './read-integrations.ts'

type Patch = InputOf<typeof integrations.updateIntegration>['body']

export const updateIntegration: Operation<'updateIntegration'> = async (context, caller, { params, body }) => {
  const { database, providerAccess } = context
  if (body.config !== undefined || body.secrets !== undefined) {
    // Addresses are checked before the transaction, which must not wait for DNS. A concurrent change checks its own
    // addresses, and every connection checks them again.
    const row = await database.read(caller, (db) => findIntegration(db, caller.workspaceId, params.integration_id))
    await checkAddresses(providerAccess, patchedConnection(context, row, body).addresses)
  }
  return database.transact(caller, async (tx) => {
    const row = await lockIntegration(tx, caller.workspaceId, params.integration_id)
    const change: IntegrationChange = {
      ...definedFields({ name: body.name, externalId: body.external_id }),
      ...definedFields({ metadata: mergeMetadata(row.metadata, body.metadata) }),
      ...connectionChange(context, row, body),
      updatedAt: new Date(context.now()),
    }
    tx.audit({ changes: { fields: Object.keys(body), ...changedNames(body) } })
    return integrationView(await updateRow(tx.db, row, change))
  })
}

/** Returns the names of changed settings and secrets for the audit log, without their values. */
const changedNames = ({ config, secrets }: Patch) => ({
  ...(config === undefined ? {} : { config: Object.keys(config) }),
  ...(secrets === undefined ? {} : { secrets: Object.keys(secrets) }),
})

/** Returns the new connection with a new revision. Status and last error of the previous revision are reset. */
function connectionChange(context: Context, row: Integration, body: Patch): IntegrationChange {
  const isConnectionChanged = body.config !== undefined || body.secrets !== undefined
  if (!isConnectionChanged && (body.status === undefined || body.status === row.status)) return {}
  const status = body.status ?? (row.status === 'disconnected' ? 'disconnected' : 'pending')
  const reset = { status, revision: { increment: 1 }, lastError: null }
  if (!isConnectionChanged) return reset
  const { config, secrets } = patchedConnection(context, row, body)
  const newSecrets = Object.entries(secrets).filter(([name]) => typeof body.secrets?.[name] === 'string')
  const keptSecrets = Object.entries(row.secrets).filter(([name]) => name in secrets)
  const sealed = {
    ...Object.fromEntries(keptSecrets),
    ...sealSecrets(context.sealer, row.integrationId, Object.fromEntries(newSecrets)),
  }
  return { ...reset, config: toJson(config), secrets: sealed }
}

/**
 * Applies a patch to configuration and secrets.
 * @throws Problem `validation_failed`, also if kept secrets would be sent to a new destination
 */
function patchedConnection(
  { sealer, providerAccess }: Context,
  row: Integration,
  { config, secrets = {} }: Patch,
): Connection {
  const provider = providers[row.provider]
  const currentSecrets = openSecrets(sealer, row.integrationId, row.secrets)
  const patched = provider.parse(
    config === undefined ? row.config : mergePatch(row.config, config),
    mergePatch(currentSecrets, secrets),
    providerAccess,
  )
  const kept = Object.keys(currentSecrets).filter((name) => !(name in secrets))
  const { destination } = provider.parse(row.config, currentSecrets, providerAccess)
  if (kept.length > 0 && patched.destination !== destination)
    throw invalidField(
      '/secrets',
      `must be set again when the address changes: ${kept.toSorted().join(', ')} would be sent to the new address`,
    )
  return patched
}

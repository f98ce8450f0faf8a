import { problem } from '@wp/contracts'
import { requireWorkspaceId } from '../connections/require-workspace.ts'
import { openSecrets } from '../connections/seal-secrets.ts'
import type { Operation } from '../context.ts'
import { findIntegration } from '../store/integrations.ts'

/** Returns configuration and secrets. A transaction, because the access is recorded in the audit log. */
export const resolveSecret: Operation<'resolveSecret'> = ({ database, sealer }, caller, { params }) =>
  database.transact(caller, async (tx) => {
    const row = await findIntegration(tx.db, requireWorkspaceId(caller), params.integration_id)
    if (row.status === 'disconnected') throw problem('integration_disconnected')
    return {
      integration_id: params.integration_id,
      provider: row.provider,
      name: row.name,
      config: row.config,
      secrets: openSecrets(sealer, params.integration_id, row.secrets),
      revision: row.revision,
    }
  })

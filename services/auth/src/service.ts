import { surfaces, systemWorkspaces } from '@wp/contracts'
import { createMailSender, sealedMails } from '@wp/mail'
import { bindSurface, type Service } from '@wp/service'
import type { Context } from './context.ts'
import { identityLogSchedule, publishInvalidation } from './identity-log.ts'
import * as operations from './operations/index.ts'
import { samlMetadataSchedule } from './sso/saml/metadata-source.ts'
import { sealedSsoSecrets } from './store/directory/sso-connections.ts'
import { expiryRules } from './store/expired-rows.ts'
import { signingKeySchedule } from './tokens/signing-keys.ts'
import { createReportCollector, deletionPolicy, deletionSchedule } from './workspaces/workspace-deletion.ts'

/** Creates the auth service: its endpoints and workers. */
export function createService(context: Context): Service {
  const { database, bus, cells, log, metrics, signingKeys, lastUsed, sealer, mailTransport } = context
  const mail = createMailSender({ database, bus, service: 'auth', sealer, transport: mailTransport, log, metrics })
  return {
    surfaces: [bindSurface(surfaces.auth, operations, context), bindSurface(systemWorkspaces, operations, context)],
    database,
    bus,
    cells,
    sealing: { sealer, stores: [sealedMails(database.worker), sealedSsoSecrets(database.worker)] },
    workspaceDeletion: deletionPolicy,
    retention: expiryRules,
    schedules: [
      identityLogSchedule(context),
      deletionSchedule(context),
      signingKeySchedule(signingKeys),
      samlMetadataSchedule(context),
    ],
    workers: [lastUsed, mail, ...[bus, ...cells].map((each) => createReportCollector(context, each))],
    onPlanLimitsChanged: (tx, workspaceId) => publishInvalidation(context, tx, { workspace_id: workspaceId }),
    onMeterLimitChanged: (tx, workspaceId) => publishInvalidation(context, tx, { workspace_id: workspaceId }),
    close: context.close,
  }
}

import { surfaces, systemWorkspaces } from '@wp/contracts'
import { createLoop, createRelay, createRetention } from '@wp/events'
import { bindSurface, createRotateEncryptionPass, type Service } from '@wp/service'
import type { Context } from './context.ts'
import { createMailSender } from './mail/mail-sender.ts'
import { operations, workspaceOperations } from './operations/index.ts'
import { createExpiredRowCleanup } from './sessions/expired-row-cleanup.ts'
import { sealedMails } from './store/mails/sealed-mails.ts'

/** What the auth service serves and works at. */
export function createService(context: Context): Service {
  const { database, bus, cells, log, metrics, signingKeys, lastUsed, sealer, mailTransport } = context
  const mail = createMailSender({ database, bus, sealer, transport: mailTransport, log, metrics })
  const reseal = createRotateEncryptionPass({ sealer, stores: [sealedMails(database.worker)], log, metrics })
  const common = { database, service: 'auth', log, metrics }
  return {
    surfaces: [
      bindSurface(surfaces.auth, operations, context),
      bindSurface(systemWorkspaces, workspaceOperations, context),
    ],
    workers: [
      createRelay({ ...common, bus, cells }),
      createRetention(common),
      signingKeys,
      lastUsed,
      mail,
      createExpiredRowCleanup(context),
      createLoop({ name: 'resealing', pass: reseal, pollMs: 600_000, log }),
    ],
    ready: database.hasSchema,
    close: context.close,
  }
}

import { surfaces } from '@wp/contracts'
import { createLoop, createRelay, createRetention } from '@wp/events'
import { bind, createResealPass, type Service } from '@wp/service'
import type { Context } from './context.ts'
import { createMailSender } from './mail/sender.ts'
import { operations } from './operations/index.ts'
import { createSessionSweep } from './sessions/sweep.ts'
import { sealedMails } from './store/sealed-mails.ts'

/** What the auth service serves and works at. */
export function createService(context: Context): Service {
  const { database, bus, cells, log, metrics, signingKeys, lastUsed, sealer, mailTransport } = context
  const mail = createMailSender({ database, bus, sealer, transport: mailTransport, log, metrics })
  const reseal = createResealPass({ sealer, stores: [sealedMails(database.worker)], log, metrics })
  const common = { database, service: 'auth', log, metrics }
  return {
    surfaces: [bind(surfaces.auth, operations, context)],
    workers: [
      createRelay({ ...common, bus, cells }),
      createRetention(common),
      signingKeys,
      lastUsed,
      mail,
      createSessionSweep(context),
      createLoop({ name: 'resealing', pass: reseal, pollMs: 600_000, log }),
    ],
    ready: database.hasSchema,
    close: context.close,
  }
}

import { send } from '../../harness/workspace.ts'
import type { NameOf } from '../../names.ts'
import { type Attack, flood } from './attack.ts'
import { forecasts } from './forecasts.ts'
import { filters, phrases } from './search.ts'
import { drip, uploads } from './sources.ts'
import { replays, slowReceivers } from './webhooks.ts'

const tokens: Attack = {
  probe: 'authentication',
  run: (hostile, outcome, signal) =>
    flood(16, signal, outcome, (serial) => {
      const clientId = `sp_01h455vb4pex5vsknk${String(serial).padStart(8, '0')}`
      const body = { client_id: clientId, client_secret: 'x'.repeat(43) }
      return send(hostile, 'POST', '/v1/auth/token', { body, token: null, signal })
    }),
}

/** The attacks, by name. */
export const attacks: Readonly<Record<NameOf<'neighbours'>, Attack>> = {
  phrases,
  filters,
  drip,
  forecasts,
  'slow-receivers': slowReceivers,
  uploads,
  replays,
  tokens,
}

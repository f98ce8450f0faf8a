import { send } from '../workspace.ts'
import { type Attack, flood } from './attack.ts'

export const tokens: Attack = {
  description: '16 token requests at a time with invented clients',
  probe: 'authentication',
  run(hostile, outcome, signal) {
    let serial = 0
    return flood(16, signal, outcome, () => {
      serial += 1
      const clientId = `sp_01h455vb4pex5vsknk${String(serial).padStart(8, '0')}`
      const body = { client_id: clientId, client_secret: 'x'.repeat(43) }
      return send(hostile, 'POST', '/v1/auth/token', { body, token: null, signal })
    })
  },
}

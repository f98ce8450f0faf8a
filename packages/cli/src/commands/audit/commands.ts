import { buildCommand, buildRouteMap } from '@stricli/core'
import { switchFlag, textFlag } from '../../flag-types.ts'
import { listFlags, outputFlags } from '../../output/flags.ts'

const tail = buildCommand({
  loader: async () => (await import('./tail.ts')).tailAudit,
  parameters: {
    flags: {
      follow: switchFlag('Wait for further records, until Ctrl-C'),
      action: textFlag('action', 'Only this action, such as api_key.created'),
      actor: textFlag('id', 'Only this actor'),
      ...listFlags,
    },
  },
  docs: { brief: 'Print the last audit records, oldest first' },
})

const verify = buildCommand({
  loader: async () => (await import('./verify.ts')).verifyAudit,
  parameters: {
    flags: {
      head: textFlag('token', 'A signed head that was kept, which the chain must contain'),
      ...outputFlags,
    },
  },
  docs: { brief: 'Verify the hash chain of the audit log; exit code 1 if it is broken' },
})

export const audit = buildRouteMap({ routes: { tail, verify }, docs: { brief: 'The audit log' } })

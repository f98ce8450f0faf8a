import { buildCommand } from '@stricli/core'
import { outputFlags } from '../../output/flags.ts'

export const usage = buildCommand({
  loader: async () => (await import('./usage.ts')).usage,
  parameters: { flags: outputFlags },
  docs: { brief: 'Show the quotas and meters of the workspace and their use' },
})

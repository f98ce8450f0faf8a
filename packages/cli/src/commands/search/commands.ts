import { buildCommand } from '@stricli/core'
import { textFlag, textsFlag } from '../../flag-types.ts'
import { listFlags } from '../../output/flags.ts'

export const search = buildCommand({
  loader: async () => (await import('./search.ts')).search,
  parameters: {
    flags: {
      source: textsFlag('ids', 'Search these data sources only'),
      mode: textFlag('mode', 'lexical (default), semantic or hybrid'),
      ...listFlags,
    },
    positional: {
      kind: 'array',
      minimum: 1,
      parameter: {
        parse: String,
        placeholder: 'query',
        brief: 'Words to search; a phrase in double quotes must match',
      },
    },
  },
  docs: { brief: 'Search the records of the workspace' },
})

import { buildCommand, buildRouteMap } from '@stricli/core'
import { textFlag } from '../../flag-types.ts'
import { listFlags, outputFlags } from '../../output/flags.ts'

const list = buildCommand({
  loader: async () => (await import('./agents.ts')).listAgents,
  parameters: { flags: listFlags },
  docs: { brief: 'List agents' },
})

const run = buildCommand({
  loader: async () => (await import('./agents.ts')).runAgent,
  parameters: {
    flags: {
      conversation: textFlag('id', 'Continue this conversation'),
      ...outputFlags,
    },
    positional: {
      kind: 'tuple',
      parameters: [
        { parse: String, placeholder: 'agent-id', brief: 'Id of the agent' },
        { parse: String, placeholder: 'input', brief: 'The question; - for standard input' },
      ],
    },
  },
  docs: {
    brief: 'Run an agent and print its answer as it is written',
    fullDescription:
      'Prints the answer on standard output and the calls of tools on standard error. After a lost connection, continues ' +
      'where it was. Asks before a call that needs an approval. Ctrl-C cancels the run.',
  },
})

export const agents = buildRouteMap({ routes: { list, run }, docs: { brief: 'Agents and their runs' } })

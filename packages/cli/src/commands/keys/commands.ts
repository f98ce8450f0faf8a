import { buildCommand, buildRouteMap } from '@stricli/core'
import { connectionFlags, onePositional, textFlag, textsFlag } from '../../flag-types.ts'
import { listFlags, outputFlags } from '../../output/flags.ts'

const list = buildCommand({
  loader: async () => (await import('./keys.ts')).listKeys,
  parameters: { flags: listFlags },
  docs: { brief: 'List API keys' },
})

const create = buildCommand({
  loader: async () => (await import('./keys.ts')).createKey,
  parameters: {
    flags: {
      name: textFlag('name', 'Name of the key'),
      scope: textsFlag('scopes', 'Scopes of the key, separated by commas (default: all of yours)'),
      expires: textFlag('time', 'Expiry (RFC 3339)'),
      ...outputFlags,
    },
  },
  docs: { brief: 'Create an API key and print it: it is shown once' },
})

const revoke = buildCommand({
  loader: async () => (await import('./keys.ts')).revokeKey,
  parameters: { flags: connectionFlags, positional: onePositional('key-id', 'Id of the key') },
  docs: { brief: 'Delete an API key; it stops working within a second' },
})

export const keys = buildRouteMap({ routes: { list, create, revoke }, docs: { brief: 'API keys' } })

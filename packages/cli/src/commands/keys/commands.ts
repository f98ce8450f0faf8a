import { buildCommand, buildRouteMap } from '@stricli/core'
import { connectionFlags } from '../../connection.ts'
import { listFlags, outputFlags } from '../../output/flags.ts'

const list = buildCommand({
  loader: async () => (await import('./list.ts')).listKeys,
  parameters: { flags: { ...connectionFlags, ...listFlags } },
  docs: { brief: 'List API keys' },
})

const create = buildCommand({
  loader: async () => (await import('./create.ts')).createKey,
  parameters: {
    flags: {
      name: { kind: 'parsed', parse: String, optional: true, placeholder: 'name', brief: 'Name of the key' },
      scope: {
        kind: 'parsed',
        parse: String,
        optional: true,
        variadic: ',',
        placeholder: 'scopes',
        brief: 'Scopes of the key, separated by commas (default: all of yours)',
      },
      expires: { kind: 'parsed', parse: String, optional: true, placeholder: 'time', brief: 'Expiry (RFC 3339)' },
      ...connectionFlags,
      ...outputFlags,
    },
  },
  docs: { brief: 'Create an API key and print it: it is shown once' },
})

const revoke = buildCommand({
  loader: async () => (await import('./revoke.ts')).revokeKey,
  parameters: {
    flags: connectionFlags,
    positional: { kind: 'tuple', parameters: [{ parse: String, placeholder: 'key-id', brief: 'Id of the key' }] },
  },
  docs: { brief: 'Delete an API key; it stops working within a second' },
})

export const keys = buildRouteMap({ routes: { list, create, revoke }, docs: { brief: 'API keys' } })

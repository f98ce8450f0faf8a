import { buildCommand, buildRouteMap } from '@stricli/core'
import { connectionFlags, onePositional, textsFlag } from '../../flag-types.ts'
import { listFlags, outputFlags } from '../../output/flags.ts'

const list = buildCommand({
  loader: async () => (await import('./principals.ts')).listPrincipals,
  parameters: { flags: listFlags },
  docs: { brief: 'List service principals' },
})

const create = buildCommand({
  loader: async () => (await import('./principals.ts')).createPrincipal,
  parameters: {
    flags: {
      scope: { ...textsFlag('scopes', 'Scopes, separated by commas'), optional: false },
      ...outputFlags,
    },
    positional: onePositional('name', 'Name of the service principal'),
  },
  docs: { brief: 'Create a service principal and print its credentials: the secret is shown once' },
})

const remove = buildCommand({
  loader: async () => (await import('./principals.ts')).deletePrincipal,
  parameters: { flags: connectionFlags, positional: onePositional('client-id', 'Id of the service principal') },
  docs: { brief: 'Delete a service principal; its tokens stop working within a second' },
})

export const principals = buildRouteMap({
  routes: { list, create, delete: remove },
  docs: { brief: 'Service principals' },
})

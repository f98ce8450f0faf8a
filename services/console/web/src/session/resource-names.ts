import { useQueries } from '@tanstack/react-query'
import type { Client } from '@wp/client/browser'
import type { Scope } from '@wp/contracts'
import { useApi, useCan, useWorkspaceId } from './workspace-context.tsx'

interface NameReader {
  scope: Scope
  /** Reads the newest resources of a kind: pairs of id and name. */
  read: (api: Client, options: { signal: AbortSignal }) => Promise<readonly (readonly [id: string, name: string])[]>
}

const query = { limit: 100 }

/** Readers of names, by the prefix of the ids. */
const readers: Readonly<Record<string, NameReader>> = {
  usr: {
    scope: 'auth:read',
    read: async (api, options) =>
      (await api.auth.listUsers({ query }, options)).items.map(({ user_id, name, email }) => [user_id, name ?? email]),
  },
  sp: {
    scope: 'auth:admin',
    read: async (api, options) =>
      (await api.auth.listServicePrincipals({ query }, options)).items.map(({ client_id, name }) => [client_id, name]),
  },
  akey: {
    scope: 'auth:keys',
    read: async (api, options) =>
      (await api.auth.listApiKeys({ query }, options)).items.map(({ key_id, name }) => [key_id, name ?? 'API key']),
  },
  role: {
    scope: 'auth:read',
    read: async (api, options) =>
      (await api.auth.listRoles({ query }, options)).items.map(({ role_id, name }) => [role_id, name]),
  },
  src: {
    scope: 'data:read',
    read: async (api, options) =>
      (await api.data.listSources({ query }, options)).items.map(({ data_source_id, name }) => [data_source_id, name]),
  },
  int: {
    scope: 'integrations:read',
    read: async (api, options) =>
      (await api.integrations.listIntegrations({ query }, options)).items.map((item) => [
        item.integration_id,
        item.name,
      ]),
  },
  wh: {
    scope: 'webhooks:read',
    read: async (api, options) =>
      (await api.webhooks.listSubscriptions({ query }, options)).items.map((item) => [
        item.webhook_id,
        item.description ?? URL.parse(item.endpoint ?? '')?.host ?? 'Webhook',
      ]),
  },
  agt: {
    scope: 'agents:read',
    read: async (api, options) =>
      (await api.agents.listAgents({ query }, options)).items.map(({ agent_id, name }) => [agent_id, name]),
  },
  ds: {
    scope: 'solutions:read',
    read: async (api, options) =>
      (await api.solutions.listDatasets({ query }, options)).items.map(({ id, name }) => [id, name]),
  },
  spc: {
    scope: 'solutions:read',
    read: async (api, options) =>
      (await api.solutions.listSpaces({ query }, options)).items.map(({ id, name }) => [id, name]),
  },
  team: {
    scope: 'solutions:read',
    read: async (api, options) =>
      (await api.solutions.listTeams({ query }, options)).items.map(({ id, name }) => [id, name]),
  },
  scn: {
    scope: 'solutions:read',
    read: async (api, options) =>
      (await api.solutions.listScenarios({ query }, options)).items.map(({ id, name }) => [id, name]),
  },
}

const prefixOf = (id: string): string => id.slice(0, id.lastIndexOf('_'))

/**
 * Returns a function from the id of a resource to its name, undefined while or where it is not known. The names of the
 * kinds among the ids are read, as far as the user may read them.
 */
export function useResourceNames(ids: readonly string[]): (id: string) => string | undefined {
  const api = useApi()
  const workspaceId = useWorkspaceId()
  const can = useCan()
  const kinds = [...new Set(ids.map(prefixOf))].flatMap((prefix) => {
    const reader = readers[prefix]
    return reader === undefined ? [] : [{ prefix, ...reader }]
  })
  const lists = useQueries({
    queries: kinds.map(({ prefix, scope, read }) => ({
      queryKey: [workspaceId, 'names', prefix],
      queryFn: ({ signal }: { signal: AbortSignal }) => read(api, { signal }),
      enabled: can(scope),
      staleTime: 60_000,
    })),
  })
  const names = new Map(lists.flatMap(({ data }) => data ?? []))
  return (id) => names.get(id)
}

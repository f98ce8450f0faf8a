import { useQueries } from '@tanstack/react-query'
import type { Client } from '@wp/client/browser'
import type { Scope } from '@wp/contracts'
import { useApi, useCan, useWorkspaceId } from './workspace-context.tsx'

interface NameReader {
  scope: Scope
  /** Reads a page of the resources of a kind, the newest first. */
  read: (api: Client, query: PageQuery, options: { signal: AbortSignal }) => Promise<NamePage>
  /** The list can be asked for certain ids. */
  hasIds?: true
}

interface PageQuery {
  limit: number
  cursor?: string
  ids?: string
}

interface NamePage {
  names: readonly (readonly [id: string, name: string])[]
  nextCursor: string | null
}

/** Rows of a request, and requests for the names of a kind whose list cannot be asked for ids. */
const [pageSize, maxPages] = [100, 5]

/** Returns a page with the id and the name of each row. */
const pageOf = <Item>(
  { items, nextCursor }: { items: readonly Item[]; nextCursor: string | null },
  nameOf: (item: Item) => readonly [id: string, name: string],
): NamePage => ({ names: items.map(nameOf), nextCursor })

/** Readers of names, by the prefix of the ids. */
const readers: Readonly<Record<string, NameReader>> = {
  usr: {
    scope: 'auth:read',
    read: async (api, query, options) =>
      pageOf(await api.auth.listUsers({ query }, options), ({ user_id, name, email }) => [user_id, name ?? email]),
  },
  sp: {
    scope: 'auth:admin',
    read: async (api, query, options) =>
      pageOf(await api.auth.listServicePrincipals({ query }, options), ({ client_id, name }) => [client_id, name]),
  },
  akey: {
    scope: 'auth:keys',
    read: async (api, query, options) =>
      pageOf(await api.auth.listApiKeys({ query }, options), ({ key_id, name }) => [key_id, name ?? 'API key']),
  },
  role: {
    scope: 'auth:read',
    read: async (api, query, options) =>
      pageOf(await api.auth.listRoles({ query }, options), ({ role_id, name }) => [role_id, name]),
  },
  src: {
    scope: 'data:read',
    read: async (api, query, options) =>
      pageOf(await api.data.listSources({ query }, options), ({ data_source_id, name }) => [data_source_id, name]),
  },
  int: {
    scope: 'integrations:read',
    read: async (api, query, options) =>
      pageOf(await api.integrations.listIntegrations({ query }, options), (item) => [item.integration_id, item.name]),
  },
  wh: {
    scope: 'webhooks:read',
    read: async (api, query, options) =>
      pageOf(await api.webhooks.listSubscriptions({ query }, options), (item) => [
        item.webhook_id,
        item.description ?? URL.parse(item.endpoint ?? '')?.host ?? 'Webhook',
      ]),
  },
  agt: {
    scope: 'agents:read',
    read: async (api, query, options) =>
      pageOf(await api.agents.listAgents({ query }, options), ({ agent_id, name }) => [agent_id, name]),
  },
  ds: {
    scope: 'solutions:read',
    read: async (api, query, options) =>
      pageOf(await api.solutions.listDatasets({ query }, options), ({ id, name }) => [id, name]),
  },
  spc: {
    scope: 'solutions:read',
    hasIds: true,
    read: async (api, query, options) =>
      pageOf(await api.solutions.listSpaces({ query }, options), ({ id, name }) => [id, name]),
  },
  team: {
    scope: 'solutions:read',
    hasIds: true,
    read: async (api, query, options) =>
      pageOf(await api.solutions.listTeams({ query }, options), ({ id, name }) => [id, name]),
  },
  scn: {
    scope: 'solutions:read',
    read: async (api, query, options) =>
      pageOf(await api.solutions.listScenarios({ query }, options), ({ id, name }) => [id, name]),
  },
}

const prefixOf = (id: string): string => id.slice(0, id.lastIndexOf('_'))

/** Reads the names of the newest resources of a kind, or of the ids where the list can be asked for them. */
async function readNames(
  { read }: NameReader,
  ids: readonly string[] | undefined,
  api: Client,
  options: { signal: AbortSignal },
): Promise<NamePage['names']> {
  const names: (readonly [id: string, name: string])[] = []
  let cursor: string | null = null
  for (let page = 0; page < maxPages; page++) {
    const query: PageQuery = {
      limit: pageSize,
      ...(cursor !== null && { cursor }),
      ...(ids !== undefined && { ids: ids.slice(0, pageSize).join() }),
    }
    const { names: more, nextCursor } = await read(api, query, options)
    names.push(...more)
    if (nextCursor === null) break
    cursor = nextCursor
  }
  return names
}

/**
 * Returns a function from the id of a resource to its name, undefined while or where it is not known. The names of the
 * kinds among the ids are read, as far as the user may read them.
 */
export function useResourceNames(ids: readonly string[]): (id: string) => string | undefined {
  const api = useApi()
  const workspaceId = useWorkspaceId()
  const can = useCan()
  const kinds = [...Map.groupBy(new Set(ids), prefixOf)].flatMap(([prefix, ofKind]) => {
    const reader = readers[prefix]
    return reader === undefined ? [] : [{ prefix, reader, asked: reader.hasIds && ofKind.toSorted() }]
  })
  const lists = useQueries({
    queries: kinds.map(({ prefix, reader, asked }) => ({
      queryKey: [workspaceId, 'names', prefix, asked],
      queryFn: ({ signal }: { signal: AbortSignal }) => readNames(reader, asked, api, { signal }),
      enabled: can(reader.scope),
      staleTime: 60_000,
    })),
  })
  const names = new Map(lists.flatMap(({ data }) => data ?? []))
  return (id) => names.get(id)
}

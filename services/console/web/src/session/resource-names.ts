import { useQueries } from '@tanstack/react-query'
import type { Client } from '@wp/client/browser'
import type { Scope } from '@wp/contracts'
import { useApi, useCan, useWorkspaceId } from './workspace-context.tsx'

interface NameReader {
  scope: Scope
  /** Reads a page of the resources of a kind, the newest first. */
  read: (api: Client, query: PageQuery, options: { signal: AbortSignal }) => Promise<NamePage>
  /** Reads the name of one resource; absent if the list can be asked for certain ids. */
  one?: (api: Client, id: string, options: { signal: AbortSignal }) => Promise<string>
}

interface PageQuery {
  limit: number
  ids?: string
}

interface NamePage {
  names: readonly (readonly [id: string, name: string])[]
  nextCursor: string | null
}

/** Rows of a request. */
const pageSize = 100

/** Resources of a kind that are read one by one, because they are not among the newest. */
const maxSingle = 25

/** Returns a page with the id and the name of each row. */
const pageOf = <Item>(
  { items, nextCursor }: { items: readonly Item[]; nextCursor: string | null },
  nameOf: (item: Item) => readonly [id: string, name: string],
): NamePage => ({ names: items.map(nameOf), nextCursor })

const nameOfWebhook = ({ description, endpoint }: { description?: string | null; endpoint?: string | null }) =>
  description ?? URL.parse(endpoint ?? '')?.host ?? 'Webhook'

const nameOfLink = ({ customer_name, customer_id }: { customer_name?: string | null; customer_id: string }) =>
  `of ${customer_name ?? customer_id}`

/** Readers of names, by the prefix of the ids. */
const readers: Readonly<Record<string, NameReader>> = {
  usr: {
    scope: 'auth:read',
    read: async (api, query, options) =>
      pageOf(await api.auth.listUsers({ query }, options), ({ user_id, name, email }) => [user_id, name ?? email]),
    one: async (api, user_id, options) => {
      const { name, email } = await api.auth.getUser({ params: { user_id } }, options)
      return name ?? email
    },
  },
  sp: {
    scope: 'auth:admin',
    read: async (api, query, options) =>
      pageOf(await api.auth.listServicePrincipals({ query }, options), ({ client_id, name }) => [client_id, name]),
    one: async (api, client_id, options) =>
      (await api.auth.getServicePrincipal({ params: { client_id } }, options)).name,
  },
  akey: {
    scope: 'auth:keys',
    read: async (api, query, options) =>
      pageOf(await api.auth.listApiKeys({ query }, options), ({ key_id, name }) => [key_id, name ?? 'API key']),
    one: async (api, key_id, options) => (await api.auth.getApiKey({ params: { key_id } }, options)).name ?? 'API key',
  },
  role: {
    scope: 'auth:read',
    read: async (api, query, options) =>
      pageOf(await api.auth.listRoles({ query }, options), ({ role_id, name }) => [role_id, name]),
    one: async (api, role_id, options) => (await api.auth.getRole({ params: { role_id } }, options)).name,
  },
  src: {
    scope: 'data:read',
    read: async (api, query, options) =>
      pageOf(await api.data.listSources({ query }, options), ({ data_source_id, name }) => [data_source_id, name]),
    one: async (api, id, options) => (await api.data.getSource({ params: { data_source_id: id } }, options)).name,
  },
  int: {
    scope: 'integrations:read',
    read: async (api, query, options) =>
      pageOf(await api.integrations.listIntegrations({ query }, options), (item) => [item.integration_id, item.name]),
    one: async (api, id, options) =>
      (await api.integrations.getIntegration({ params: { integration_id: id } }, options)).name,
  },
  wh: {
    scope: 'webhooks:read',
    read: async (api, query, options) =>
      pageOf(await api.webhooks.listSubscriptions({ query }, options), (item) => [
        item.webhook_id,
        nameOfWebhook(item),
      ]),
    one: async (api, webhook_id, options) =>
      nameOfWebhook(await api.webhooks.getSubscription({ params: { webhook_id } }, options)),
  },
  dest: {
    scope: 'webhooks:read',
    read: async (api, query, options) =>
      pageOf(await api.webhooks.listDestinations({ query }, options), (item) => [item.destination_id, item.name]),
    one: async (api, id, options) =>
      (await api.webhooks.getDestination({ params: { destination_id: id } }, options)).name,
  },
  plink: {
    scope: 'webhooks:read',
    read: async (api, query, options) =>
      pageOf(await api.webhooks.listPortalLinks({ query }, options), (link) => [link.portal_link_id, nameOfLink(link)]),
    one: async (api, id, options) =>
      nameOfLink(await api.webhooks.getPortalLink({ params: { portal_link_id: id } }, options)),
  },
  agt: {
    scope: 'agents:read',
    read: async (api, query, options) =>
      pageOf(await api.agents.listAgents({ query }, options), ({ agent_id, name }) => [agent_id, name]),
    one: async (api, agent_id, options) => (await api.agents.getAgent({ params: { agent_id } }, options)).name,
  },
  ds: {
    scope: 'solutions:read',
    read: async (api, query, options) =>
      pageOf(await api.solutions.listDatasets({ query }, options), ({ id, name }) => [id, name]),
    one: async (api, id, options) => (await api.solutions.getDataset({ params: { id } }, options)).name,
  },
  spc: {
    scope: 'solutions:read',
    read: async (api, query, options) =>
      pageOf(await api.solutions.listSpaces({ query }, options), ({ id, name }) => [id, name]),
  },
  team: {
    scope: 'solutions:read',
    read: async (api, query, options) =>
      pageOf(await api.solutions.listTeams({ query }, options), ({ id, name }) => [id, name]),
  },
  scn: {
    scope: 'solutions:read',
    read: async (api, query, options) =>
      pageOf(await api.solutions.listScenarios({ query }, options), ({ id, name }) => [id, name]),
    one: async (api, id, options) => (await api.solutions.getScenario({ params: { id } }, options)).name,
  },
}

const prefixOf = (id: string): string => id.slice(0, id.lastIndexOf('_'))

/**
 * Reads the names of resources of a kind: where the list cannot be asked for ids, of the newest, and of the others one
 * by one. A resource that was deleted has no name.
 */
async function readNames(
  { read, one }: NameReader,
  ids: readonly string[],
  api: Client,
  options: { signal: AbortSignal },
): Promise<NamePage['names']> {
  const asked = one === undefined ? { ids: ids.slice(0, pageSize).join() } : {}
  const { names, nextCursor } = await read(api, { limit: pageSize, ...asked }, options)
  if (one === undefined || nextCursor === null) return names
  const newest = new Set(names.map(([id]) => id))
  const others = ids.filter((id) => !newest.has(id)).slice(0, maxSingle)
  const single = await Promise.allSettled(others.map(async (id) => [id, await one(api, id, options)] as const))
  return [...names, ...single.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))]
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
    return reader === undefined ? [] : [{ prefix, reader, asked: ofKind.toSorted() }]
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

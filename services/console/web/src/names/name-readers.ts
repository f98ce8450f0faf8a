import type { Client } from '@wp/client/browser'
import type { Scope } from '@wp/contracts'
import type { ForecastRun } from '../solutions/forecasts/run-input.ts'
import { runName, subjectIdOf } from '../solutions/forecasts/run-names.ts'
import { formatInWords } from '../ui/format/format-time.ts'
import type { Reader } from '../ui/format/reader.ts'
import { isolate } from '../ui/format/untrusted-text.ts'

interface NameReader {
  scope: Scope
  /** Reads a page of the resources of a kind, the newest first. */
  read: (api: Client, query: PageQuery, options: { signal: AbortSignal }, reader: Reader) => Promise<NamePage>
  /** Reads the name of one resource; absent if the list can be asked for certain ids. */
  one?: (api: Client, id: string, options: { signal: AbortSignal }, reader: Reader) => Promise<string>
  /** Resources are found by ids too that they had before, which the list does not have. */
  hasFormerIds?: true
}

interface PageQuery {
  limit: number
  ids?: string
}

export interface NamePage {
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

/** Returns what to call an API key: its name, or the end of its secret. */
export const nameOfKey = ({ name, last4 }: { name: string | null; last4: string }): string =>
  name ?? `Unnamed key …${last4}`

const nameOfLink = ({ customer_name, customer_id }: { customer_name?: string | null; customer_id: string }) =>
  `of ${isolate(customer_name ?? customer_id)}`

const nameOfPlan = ({ space_name, date }: { space_name: string; date: string }, { locale }: Reader) =>
  `${isolate(space_name)}, ${formatInWords('longDay', date, { locale, timeZone: 'UTC' })}`

/** Names runs by the building, teams or file that they forecast, as their list does. */
async function nameRuns(
  api: Client,
  runs: readonly Pick<ForecastRun, 'id' | 'input'>[],
  options: { signal: AbortSignal },
): Promise<NamePage['names']> {
  const subjects = runs.map(subjectIdOf).filter((id) => id !== undefined)
  const names = await Promise.all(
    [...Map.groupBy(new Set(subjects), prefixOf)].map(async ([prefix, ids]) => {
      const reader = readers[prefix]
      return reader === undefined ? [] : readNames(reader, ids, api, options, {})
    }),
  )
  const byId = new Map(names.flat())
  return runs.map((run) => [run.id, runName(run, byId)])
}

/** Readers of names, by the prefix of the ids. */
export const readers: Readonly<Record<string, NameReader>> = {
  usr: {
    scope: 'auth:read',
    read: async (api, query, options) =>
      pageOf(await api.auth.listUsers({ query }, options), (user) => [user.user_id, user.name ?? user.email]),
    hasFormerIds: true,
    one: (api, user_id, options) =>
      api.auth.getUser({ params: { user_id } }, options).then(({ name, email }) => name ?? email),
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
      pageOf(await api.auth.listApiKeys({ query }, options), (key) => [key.key_id, nameOfKey(key)]),
    one: async (api, key_id, options) => nameOfKey(await api.auth.getApiKey({ params: { key_id } }, options)),
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
  fr: {
    scope: 'solutions:read',
    read: async (api, query, options) => {
      const { items, nextCursor } = await api.solutions.listForecastRuns({ query }, options)
      return { names: await nameRuns(api, items, options), nextCursor }
    },
    one: async (api, id, options) => {
      const [named] = await nameRuns(api, [await api.solutions.getForecastRun({ params: { id } }, options)], options)
      return named?.[1] ?? ''
    },
  },
  dpl: {
    scope: 'solutions:read',
    read: async (api, query, options, reader) =>
      pageOf(await api.solutions.listPlans({ query }, options), (plan) => [plan.id, nameOfPlan(plan, reader)]),
    one: async (api, id, options, reader) =>
      nameOfPlan(await api.solutions.getPlan({ params: { id } }, options), reader),
  },
  pls: {
    scope: 'solutions:read',
    read: async (api, query, options) =>
      pageOf(await api.solutions.listPlanSchedules({ query }, options), ({ id, name }) => [id, name]),
    one: async (api, id, options) => (await api.solutions.getPlanSchedule({ params: { id } }, options)).name,
  },
  rcm: {
    scope: 'solutions:read',
    read: async (api, query, options) =>
      pageOf(await api.solutions.listRecommendations({ query }, options), ({ id, title }) => [id, title]),
    one: async (api, id, options) => (await api.solutions.getRecommendation({ params: { id } }, options)).title,
  },
  evs: {
    scope: 'agents:read',
    read: async (api, query, options) =>
      pageOf(await api.agents.listEvaluationSets({ query }, options), (set) => [set.id, set.name]),
    one: async (api, id, options) => (await api.agents.getEvaluationSet({ params: { id } }, options)).name,
  },
  bp: {
    scope: 'agents:read',
    read: async (api, query, options) =>
      pageOf(await api.agents.listBlueprints({ query }, options), ({ id, name }) => [id, name]),
    one: async (api, id, options) => (await api.agents.getBlueprint({ params: { id } }, options)).name,
  },
}

export const prefixOf = (id: string): string => id.slice(0, id.lastIndexOf('_'))

/**
 * Reads the names of resources of a kind: where the list cannot be asked for ids, of the newest, and of the others one
 * by one. A resource that was deleted has no name.
 */
export async function readNames(
  { read, one, hasFormerIds }: NameReader,
  ids: readonly string[],
  api: Client,
  options: { signal: AbortSignal },
  reader: Reader,
): Promise<NamePage['names']> {
  const asked = one === undefined ? { ids: ids.slice(0, pageSize).join() } : {}
  const { names, nextCursor } = await read(api, { limit: pageSize, ...asked }, options, reader)
  if (one === undefined || (nextCursor === null && !hasFormerIds)) return names
  const newest = new Set(names.map(([id]) => id))
  const others = ids.filter((id) => !newest.has(id)).slice(0, maxSingle)
  const single = await Promise.allSettled(others.map(async (id) => [id, await one(api, id, options, reader)] as const))
  return [...names, ...single.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))]
}

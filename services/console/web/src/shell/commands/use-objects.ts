import { useQueries } from '@tanstack/react-query'
import type { Client } from '@wp/client/browser'
import type { Scope } from '@wp/contracts'
import { useEffect, useState } from 'react'
import { readAll } from '../../api/read-all.ts'
import { useCan, useIsCallerKnown, useWorkspace } from '../../session/workspace-context.tsx'
import type { IconName } from '../../ui/button/button.tsx'
import type { ListPage } from '../../ui/table/paged-table.tsx'

/** Something in the workspace that the palette opens. */
interface FoundObject {
  id: string
  label: string
  group: string
  icon: IconName
  keywords?: string
  /** Within the workspace. */
  path: string
}

interface ListQuery {
  limit: number
  search?: string
}

interface ObjectPage {
  objects: readonly FoundObject[]
  hasMore: boolean
}

interface List {
  name: string
  scope: Scope
  /** The API finds these objects by a part of a text, so that those beyond the newest are found too. */
  isSearchable?: boolean
  read: (api: Client, query: ListQuery, signal: AbortSignal) => Promise<ObjectPage>
}

const pageSize = 100

const pageOf = <Item>({ items, nextCursor }: ListPage<Item>, describe: (item: Item) => FoundObject): ObjectPage => ({
  objects: items.map(describe),
  hasMore: nextCursor !== null,
})

const lists: readonly List[] = [
  {
    name: 'spaces',
    scope: 'solutions:read',
    isSearchable: true,
    read: async (api, query, signal) =>
      pageOf(
        await api.solutions.listSpaces({ query: { ...query, kind: 'site,building,floor' } }, { signal }),
        ({ id, name, kind }) => ({
          id,
          label: name,
          group: kind === 'floor' ? 'Floor' : 'Building',
          icon: 'building',
          path: `buildings/${id}`,
        }),
      ),
  },
  {
    name: 'teams',
    scope: 'solutions:read',
    isSearchable: true,
    read: async (api, query, signal) =>
      pageOf(await api.solutions.listTeams({ query }, { signal }), ({ id, name }) => ({
        id,
        label: name,
        group: 'Team',
        icon: 'people',
        path: `teams/${id}`,
      })),
  },
  {
    name: 'forecasts',
    scope: 'solutions:read',
    read: async (api, query, signal) =>
      pageOf(await api.solutions.listForecastRuns({ query }, { signal }), ({ id, input, created_at: made }) => ({
        id,
        label: nameForecast(input, made),
        group: 'Forecast',
        icon: 'chart',
        path: `forecasts/${id}`,
      })),
  },
  {
    name: 'scenarios',
    scope: 'solutions:read',
    isSearchable: true,
    read: async (api, { limit, search }, signal) =>
      pageOf(
        await api.solutions.listScenarios({ query: { limit, ...(search && { name: search }) } }, { signal }),
        ({ id, name }) => ({ id, label: name, group: 'Scenario', icon: 'layers', path: `scenarios/${id}` }),
      ),
  },
  {
    name: 'sources',
    scope: 'data:read',
    isSearchable: true,
    read: async (api, query, signal) =>
      pageOf(await api.data.listSources({ query }, { signal }), ({ data_source_id: id, name, provider }) => ({
        id,
        label: name,
        group: 'Data',
        icon: 'data',
        keywords: `source file ${provider}`,
        path: `data/${id}`,
      })),
  },
  {
    name: 'agents',
    scope: 'agents:read',
    isSearchable: true,
    read: async (api, query, signal) =>
      pageOf(await api.agents.listAgents({ query }, { signal }), ({ agent_id: id, name }) => ({
        id,
        label: name,
        group: 'Assistant',
        icon: 'robot',
        path: `agents/${id}`,
      })),
  },
  {
    name: 'webhooks',
    scope: 'webhooks:read',
    isSearchable: true,
    read: async (api, query, signal) =>
      pageOf(
        await api.webhooks.listSubscriptions({ query }, { signal }),
        ({ webhook_id: id, description, endpoint }) => ({
          id,
          label: description ?? endpoint ?? 'Polled webhook',
          group: 'Webhook',
          icon: 'webhooks',
          keywords: endpoint ?? '',
          path: `webhooks/${id}`,
        }),
      ),
  },
  {
    name: 'event destinations',
    scope: 'webhooks:read',
    isSearchable: true,
    read: async (api, query, signal) =>
      pageOf(await api.webhooks.listDestinations({ query }, { signal }), ({ destination_id: id, name, config }) => ({
        id,
        label: name,
        group: 'Event destination',
        icon: 'webhooks',
        keywords: `siem log ${config.type}`,
        path: `webhooks/destinations/${id}`,
      })),
  },
  {
    name: 'members',
    scope: 'auth:read',
    isSearchable: true,
    read: async (api, query, signal) =>
      pageOf(await api.auth.listUsers({ query }, { signal }), ({ user_id: id, name, email }) => ({
        id,
        label: name ?? email,
        group: 'Member',
        icon: 'people',
        keywords: email,
        path: `members?email=${encodeURIComponent(email)}`,
      })),
  },
  {
    name: 'keys',
    scope: 'auth:keys',
    read: async (api, _query, signal) =>
      pageOf(
        { items: await readAll((query) => api.auth.listApiKeys({ query }, { signal })), nextCursor: null },
        ({ key_id: id, name, last4 }) => ({
          id,
          label: name ?? `Unnamed key …${last4}`,
          group: 'API key',
          icon: 'key',
          keywords: 'rotate secret',
          path: `developer/keys/${id}`,
        }),
      ),
  },
]

const minCharacters = 2
/** Those that a search of the API may have. */
const maxCharacters = 200
const debounceMs = 200
const freshMs = 60_000

/**
 * Returns the objects of the workspace once a person has begun to type. The newest of each kind are read at most once a
 * minute, and found despite typing errors; of a kind with more, the API is asked for the text. A kind that cannot be
 * read is left out.
 */
export function useObjects(text: string): FoundObject[] {
  const { api, workspaceId } = useWorkspace()
  const can = useCan()
  const isKnown = useIsCallerKnown()
  const [wanted, setWanted] = useState('')
  const trimmed = text.trim().slice(0, maxCharacters)
  const hasText = trimmed.length >= minCharacters
  useEffect(() => {
    if (!hasText) return
    const timer = setTimeout(() => setWanted(trimmed), debounceMs)
    return () => clearTimeout(timer)
  }, [hasText, trimmed])
  const optionsFor = ({ name, read }: List, search?: string) => ({
    queryKey: [workspaceId, 'palette', name, search],
    queryFn: ({ signal }: { signal: AbortSignal }) =>
      read(api, { limit: pageSize, ...(search !== undefined && { search }) }, signal),
    staleTime: freshMs,
  })
  const newest = useQueries({
    queries: lists.map((list) => ({ ...optionsFor(list), enabled: wanted !== '' && isKnown && can(list.scope) })),
  })
  const found = useQueries({
    queries: lists
      .filter(({ isSearchable }, at) => isSearchable && newest[at]?.data?.hasMore)
      .map((list) => optionsFor(list, wanted)),
  })
  if (!hasText) return []
  const objects = [...newest, ...found].flatMap(({ data }) => data?.objects ?? [])
  return [...new Map(objects.map((object) => [object.id, object])).values()]
}

/** Names a forecast by what it is of: forecasts have no names of their own. */
function nameForecast({ workplace, value_field: value }: Record<string, unknown>, made: string): string {
  const { level } = (workplace ?? {}) as { level?: unknown } // the input of a run is as the contract of a new one says
  const subject = typeof level === 'string' ? `${level}s` : typeof value === 'string' ? value : 'series'
  return `Forecast of ${subject}, ${made.slice(0, 10)}`
}

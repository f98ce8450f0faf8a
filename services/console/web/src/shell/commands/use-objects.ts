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
  search: string | undefined
}

interface ObjectPage {
  objects: readonly FoundObject[]
  hasMore: boolean
}

interface Kind {
  group: string
  icon: IconName
  scope: Scope
  /** The API finds these objects by a part of a text, so that those beyond the newest are found too. */
  isSearchable?: boolean
}

interface List extends Kind {
  read: (api: Client, query: ListQuery, options: { signal: AbortSignal }) => Promise<ObjectPage>
}

const pageSize = 100

/** Declares a kind of objects: the list to read, and what to show of each. */
const listOf = <Item>(
  kind: Kind,
  list: (api: Client, query: ListQuery, options: { signal: AbortSignal }) => Promise<ListPage<Item>>,
  describe: (item: Item) => Pick<FoundObject, 'id' | 'label' | 'path'> & Partial<FoundObject>,
): List => ({
  ...kind,
  async read(api, query, options) {
    const { items, nextCursor } = await list(api, query, options)
    const objects = items.map((item) => ({ group: kind.group, icon: kind.icon, ...describe(item) }))
    return { objects, hasMore: nextCursor !== null }
  },
})

const lists: readonly List[] = [
  listOf(
    { group: 'Building', icon: 'building', scope: 'solutions:read', isSearchable: true },
    (api, query, options) => api.solutions.listSpaces({ query: { ...query, kind: 'site,building,floor' } }, options),
    ({ id, name, kind }) => ({
      id,
      label: name,
      path: `buildings/${id}`,
      group: kind === 'floor' ? 'Floor' : 'Building',
    }),
  ),
  listOf(
    { group: 'Team', icon: 'people', scope: 'solutions:read', isSearchable: true },
    (api, query, options) => api.solutions.listTeams({ query }, options),
    ({ id, name }) => ({ id, label: name, path: `teams/${id}` }),
  ),
  listOf(
    { group: 'Forecast', icon: 'chart', scope: 'solutions:read' },
    (api, query, options) => api.solutions.listForecastRuns({ query }, options),
    ({ id, input, created_at: made }) => ({ id, label: nameForecast(input, made), path: `forecasts/${id}` }),
  ),
  listOf(
    { group: 'Scenario', icon: 'layers', scope: 'solutions:read', isSearchable: true },
    (api, { limit, search: name }, options) => api.solutions.listScenarios({ query: { limit, name } }, options),
    ({ id, name }) => ({ id, label: name, path: `scenarios/${id}` }),
  ),
  listOf(
    { group: 'Data', icon: 'data', scope: 'data:read', isSearchable: true },
    (api, query, options) => api.data.listSources({ query }, options),
    ({ data_source_id: id, name, provider }) => ({
      id,
      label: name,
      path: `data/${id}`,
      keywords: `source file ${provider}`,
    }),
  ),
  listOf(
    { group: 'Assistant', icon: 'robot', scope: 'agents:read', isSearchable: true },
    (api, query, options) => api.agents.listAgents({ query }, options),
    ({ agent_id: id, name }) => ({ id, label: name, path: `agents/${id}` }),
  ),
  listOf(
    { group: 'Webhook', icon: 'webhooks', scope: 'webhooks:read', isSearchable: true },
    (api, query, options) => api.webhooks.listSubscriptions({ query }, options),
    ({ webhook_id: id, description, endpoint }) => ({
      id,
      label: description ?? endpoint ?? 'Polled webhook',
      path: `webhooks/${id}`,
      keywords: endpoint ?? '',
    }),
  ),
  listOf(
    { group: 'Event destination', icon: 'webhooks', scope: 'webhooks:read', isSearchable: true },
    (api, query, options) => api.webhooks.listDestinations({ query }, options),
    ({ destination_id: id, name, config }) => ({
      id,
      label: name,
      path: `webhooks/destinations/${id}`,
      keywords: `siem log ${config.type}`,
    }),
  ),
  listOf(
    { group: 'Member', icon: 'people', scope: 'auth:read', isSearchable: true },
    (api, query, options) => api.auth.listUsers({ query }, options),
    ({ user_id: id, name, email }) => ({
      id,
      label: name ?? email,
      path: `members?search=${encodeURIComponent(email)}`,
      keywords: email,
    }),
  ),
  listOf(
    { group: 'API key', icon: 'key', scope: 'auth:keys' },
    async (api, _query, options) => ({
      items: await readAll((query) => api.auth.listApiKeys({ query }, options)),
      nextCursor: null,
    }),
    ({ key_id: id, name, last4 }) => ({
      id,
      label: name ?? `Unnamed key …${last4}`,
      path: `developer/keys/${id}`,
      keywords: 'rotate secret',
    }),
  ),
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
  const optionsFor = ({ group, read }: List, search?: string) => ({
    queryKey: [workspaceId, 'palette', group, search],
    queryFn: ({ signal }: { signal: AbortSignal }) => read(api, { limit: pageSize, search }, { signal }),
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

import { useQueries } from '@tanstack/react-query'
import type { Client } from '@wp/client/browser'
import type { Scope } from '@wp/contracts'
import { useEffect, useState } from 'react'
import { useCan, useIsCallerKnown, useWorkspace } from '../../session/workspace-context.tsx'
import type { IconName } from '../../ui/button/button.tsx'

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

interface List {
  name: string
  scope: Scope
  read: (api: Client, signal: AbortSignal) => Promise<FoundObject[]>
}

/** Of each kind the newest. */
const query = { limit: 100 }

const lists: readonly List[] = [
  {
    ...{ name: 'spaces', scope: 'solutions:read' },
    read: async (api, signal) =>
      (await api.solutions.listSpaces({ query }, { signal })).items
        .filter(({ kind }) => kind !== 'zone' && kind !== 'room')
        .map(({ id, name, kind }) => ({
          ...{ id, label: name, group: kind === 'floor' ? 'Floor' : 'Building', icon: 'building' },
          path: `buildings/${id}`,
        })),
  },
  {
    ...{ name: 'forecasts', scope: 'solutions:read' },
    read: async (api, signal) =>
      (await api.solutions.listForecastRuns({ query }, { signal })).items.map(({ id, input, created_at: made }) => ({
        ...{ id, label: nameForecast(input, made), group: 'Forecast', icon: 'chart', path: `forecasts/${id}` },
      })),
  },
  {
    ...{ name: 'scenarios', scope: 'solutions:read' },
    read: async (api, signal) =>
      (await api.solutions.listScenarios({ query }, { signal })).items.map(({ id, name }) => ({
        ...{ id, label: name, group: 'Scenario', icon: 'layers', path: `scenarios/${id}` },
      })),
  },
  {
    ...{ name: 'sources', scope: 'data:read' },
    read: async (api, signal) =>
      (await api.data.listSources({ query }, { signal })).items.map(({ data_source_id: id, name, provider }) => ({
        ...{ id, label: name, group: 'Data', icon: 'data', keywords: `source file ${provider}`, path: `data/${id}` },
      })),
  },
  {
    ...{ name: 'agents', scope: 'agents:read' },
    read: async (api, signal) =>
      (await api.agents.listAgents({ query }, { signal })).items.map(({ agent_id: id, name }) => ({
        ...{ id, label: name, group: 'Assistant', icon: 'robot', path: `agents/${id}` },
      })),
  },
  {
    ...{ name: 'webhooks', scope: 'webhooks:read' },
    read: async (api, signal) =>
      (await api.webhooks.listSubscriptions({ query }, { signal })).items.map(
        ({ webhook_id: id, description, endpoint }) => ({
          ...{ id, label: description ?? endpoint ?? 'Polled webhook', group: 'Webhook', icon: 'webhooks' },
          ...{ keywords: endpoint ?? '', path: `webhooks/${id}` },
        }),
      ),
  },
  {
    ...{ name: 'event destinations', scope: 'webhooks:read' },
    read: async (api, signal) =>
      (await api.webhooks.listDestinations({ query }, { signal })).items.map(
        ({ destination_id: id, name, config }) => ({
          ...{ id, label: name, group: 'Event destination', icon: 'webhooks', keywords: `siem log ${config.type}` },
          path: `webhooks/destinations/${id}`,
        }),
      ),
  },
  {
    ...{ name: 'members', scope: 'auth:read' },
    read: async (api, signal) =>
      (await api.auth.listUsers({ query }, { signal })).items.map(({ user_id: id, name, email }) => ({
        ...{ id, label: name ?? email, group: 'Member', icon: 'people', keywords: email },
        path: `members?email=${encodeURIComponent(email)}`,
      })),
  },
  {
    ...{ name: 'keys', scope: 'auth:keys' },
    read: async (api, signal) =>
      (await api.auth.listApiKeys({ query }, { signal })).items.map(({ key_id: id, name }) => ({
        ...{
          id,
          label: name ?? 'Key without a name',
          group: 'API key',
          icon: 'key',
          keywords: 'rotate secret',
          path: `developer/keys/${id}`,
        },
      })),
  },
]

const minCharacters = 2
const debounceMs = 200
const freshMs = 60_000

/**
 * Returns the objects of the workspace once a person has begun to type: one request a kind, at most once a minute. A
 * kind that cannot be read is left out.
 */
export function useObjects(text: string): FoundObject[] {
  const { api, workspaceId } = useWorkspace()
  const can = useCan()
  const isKnown = useIsCallerKnown()
  const [isWanted, setWanted] = useState(false)
  const hasText = text.trim().length >= minCharacters
  useEffect(() => {
    if (!hasText) return
    const timer = setTimeout(() => setWanted(true), debounceMs)
    return () => clearTimeout(timer)
  }, [hasText])
  return useQueries({
    queries: lists.map(({ name, scope, read }) => ({
      queryKey: [workspaceId, 'palette', name],
      queryFn: ({ signal }: { signal: AbortSignal }) => read(api, signal),
      enabled: isWanted && isKnown && can(scope),
      staleTime: freshMs,
    })),
  }).flatMap(({ data }) => (hasText ? (data ?? []) : []))
}

/** Names a forecast by what it is of: forecasts have no names of their own. */
function nameForecast({ workplace, value_field: value }: Record<string, unknown>, made: string): string {
  const { level } = (workplace ?? {}) as { level?: unknown } // the input of a run is as the contract of a new one says
  const subject = typeof level === 'string' ? `${level}s` : typeof value === 'string' ? value : 'series'
  return `Forecast of ${subject}, ${made.slice(0, 10)}`
}

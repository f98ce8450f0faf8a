import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useId } from 'react'
import { changeSearch } from '../api/search-params.ts'
import { useResourceNames } from '../names/resource-names.ts'
import { useApiQuery, useCan } from '../session/workspace-context.tsx'
import { PeriodFilter } from '../ui/date/period-filter.tsx'
import { FilterBar, SelectFilter, TextFilter } from '../ui/filter/filter-bar.tsx'
import type { FilterPreset } from '../ui/filter/filter-chips.tsx'
import { actionOf, actionWords, auditOutcomes } from './audit-words.ts'

const route = getRouteApi('/$workspaceId/audit')

/** The filters of the audit log. */
export function LogFilters() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const listId = useId()
  const actions = useActions()
  const actors = useActors(search.actor)
  const { cursor: _cursor, ...filters } = search
  const set = (change: { [Name in keyof typeof filters]?: (typeof filters)[Name] | undefined }) =>
    void navigate({ search: changeSearch(search, { ...change, cursor: undefined }), replace: true })
  const clear = () =>
    set({
      actor: undefined,
      action: undefined,
      target: undefined,
      outcome: undefined,
      since: undefined,
      until: undefined,
    })
  return (
    <FilterBar onClear={Object.keys(filters).length > 0 ? clear : undefined} presets={presets}>
      <TextFilter
        label="Action"
        isSearch
        placeholder="Action, such as “Space created”"
        value={
          search.action !== undefined && actions.includes(search.action) ? actionWords(search.action) : search.action
        }
        list={listId}
        onChange={(text) => set({ action: text && actionOf(text, actions) })}
      />
      <datalist id={listId}>
        {actions.map((action) => (
          <option key={action} value={actionWords(action)} />
        ))}
      </datalist>
      <SelectFilter
        label="Actor"
        value={search.actor}
        options={actors}
        onChange={(actor) => set({ actor })}
        all="All"
      />
      {search.target !== undefined && (
        <TextFilter label="Target" value={search.target} onChange={(target) => set({ target })} />
      )}
      <SelectFilter
        label="Outcome"
        value={search.outcome}
        options={auditOutcomes}
        onChange={(value) => set({ outcome: auditOutcomes.find((outcome) => outcome === value) })}
      />
      <PeriodFilter since={search.since} until={search.until} onChange={set} />
    </FilterBar>
  )
}

const presets: readonly FilterPreset[] = [
  { label: 'Sign-ins', search: { action: 'user.signed_in' } },
  { label: 'Failed sign-ins', search: { action: 'user.sign_in_failed' } },
  { label: 'Denied', search: { outcome: 'denied' } },
  { label: 'Failures', search: { outcome: 'failure' } },
]

/** Returns the members to choose from, and the chosen actor, who may be another principal. */
function useActors(chosen: string | undefined): { value: string; label: string }[] {
  const { data } = useApiQuery(
    ['members', 'actors'],
    (api, options) => api.auth.listUsers({ query: { limit: 100 } }, options),
    { enabled: useCan()('auth:read'), staleTime: 60_000 },
  )
  const nameOf = useResourceNames(chosen === undefined ? [] : [chosen])
  const members = (data?.items ?? []).map(({ user_id, name, email }) => ({ value: user_id, label: name ?? email }))
  if (chosen === undefined || members.some(({ value }) => value === chosen)) return members
  return [{ value: chosen, label: nameOf(chosen) ?? chosen }, ...members]
}

/** Returns every action of the platform. The contracts are loaded after the page. */
function useActions(): readonly string[] {
  const { data = [] } = useQuery({
    queryKey: ['audit-actions'],
    queryFn: async () => [...(await import('@wp/contracts')).auditActionOwners.keys()].toSorted(),
    staleTime: Number.POSITIVE_INFINITY,
  })
  return data
}

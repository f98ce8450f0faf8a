import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useId } from 'react'
import { changeSearch } from '../api/search-params.ts'
import { FilterBar, SelectFilter, TextFilter } from '../ui/form/filter-bar.tsx'
import { PeriodFilter } from '../ui/form/period-filter.tsx'
import { auditOutcomes } from './audit-words.ts'

const route = getRouteApi('/$workspaceId/audit')

/** The filters of the audit log. */
export function LogFilters() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const listId = useId()
  const actions = useActions()
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
    <FilterBar onClear={Object.keys(filters).length > 0 ? clear : undefined}>
      <TextFilter
        label="Action"
        placeholder="api_key.created"
        value={search.action}
        list={listId}
        onChange={(action) => set({ action })}
      />
      <datalist id={listId}>
        {actions.map((action) => (
          <option key={action} value={action} />
        ))}
      </datalist>
      <TextFilter label="Actor" placeholder="usr_… or sp_…" value={search.actor} onChange={(actor) => set({ actor })} />
      <TextFilter
        label="Target"
        placeholder="Identifier"
        value={search.target}
        onChange={(target) => set({ target })}
      />
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

/** Returns every action of the platform. The contracts are loaded after the page. */
function useActions(): readonly string[] {
  const { data = [] } = useQuery({
    queryKey: ['audit-actions'],
    queryFn: async () => [...(await import('@wp/contracts')).auditActionOwners.keys()].toSorted(),
    staleTime: Number.POSITIVE_INFINITY,
  })
  return data
}

import { getRouteApi } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { readAll } from '../../api/read-all.ts'
import { useApiQuery, useCan } from '../../session/workspace-context.tsx'
import { ListPage } from '../../shell/list-page.tsx'
import { Button } from '../../ui/button/button.tsx'
import { ButtonLink } from '../../ui/button/button-link.tsx'
import { EmptyState } from '../../ui/message/message.tsx'
import { PrivacyButton } from '../buildings/privacy-button.tsx'
import { pageByName } from '../buildings/space-words.ts'
import { TeamTable } from '../buildings/team-figures/team-table.tsx'
import { TeamDrawer } from './team-form.tsx'

const route = getRouteApi('/$workspaceId/teams')

/** The teams of the workspace and how often they are in. */
export function TeamsPage() {
  const { cursor, search: text } = route.useSearch()
  const canWrite = useCan()('solutions:write')
  const [isAdding, setAdding] = useState(false)
  const {
    data: teams,
    error,
    refetch,
  } = useApiQuery(['teams', 'list', text], (api, options) =>
    readAll((page) => api.solutions.listTeams({ query: { ...page, search: text } }, options)),
  )
  // The figures are read of the teams that are shown.
  const data = useMemo(() => teams && pageByName(teams, cursor), [teams, cursor])
  const isFiltered = text !== undefined || cursor !== undefined
  const isEmpty = data?.items.length === 0 && !isFiltered
  return (
    <ListPage
      title="Teams"
      description="How often each team is in, on which days, and how many people can share a desk. Of the last four weeks with data, Monday to Friday."
      actions={
        <>
          <PrivacyButton />
          {canWrite && !isEmpty && (
            <Button icon="plus" variant="primary" onClick={() => setAdding(true)}>
              Add a team
            </Button>
          )}
        </>
      }
      filters={!isEmpty && [{ name: 'search', label: 'Find', placeholder: 'Part of the name', isSearch: true }]}
      after={<TeamDrawer isOpen={isAdding} onDone={() => setAdding(false)} />}
    >
      <TeamTable
        page={{ data, error, refetch }}
        empty={
          isFiltered ? (
            <EmptyState icon="filter" title="No team matches">
              Change the text.
            </EmptyState>
          ) : (
            <Empty onAdd={() => setAdding(true)} />
          )
        }
      />
    </ListPage>
  )
}

function Empty({ onAdd }: { onAdd: () => void }) {
  const can = useCan()
  return (
    <EmptyState
      icon="people"
      title="See which teams are in on which days"
      actions={
        can('data:write') && (
          <>
            <ButtonLink variant="primary" to="/$workspaceId/data/new">
              Add your data
            </ButtonLink>
            {can('solutions:write') && <Button onClick={onAdd}>Add a team by hand</Button>}
          </>
        )
      }
    >
      A list of people with their teams, and a file of badge events or days, tell how many desks each team needs. No
      page lists people: small teams have no figures.
    </EmptyState>
  )
}

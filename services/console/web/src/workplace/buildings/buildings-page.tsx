import { getRouteApi } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { readAll } from '../../api/read-all.ts'
import { useApiQuery, useCan } from '../../session/workspace-context.tsx'
import { ListPage } from '../../shell/list-page.tsx'
import { Button } from '../../ui/button/button.tsx'
import { ButtonLink } from '../../ui/button/button-link.tsx'
import { EmptyState, Skeleton } from '../../ui/message/message.tsx'
import styles from './buildings.module.css'
import { SpaceDrawer } from './edit/space-form.tsx'
import { PrivacyButton } from './privacy-button.tsx'
import { pageSize, useUtilizations } from './queries.ts'
import { SpaceTable } from './space-table.tsx'
import {
  describeList,
  isCounting,
  kindName,
  kinds,
  pageByName,
  type Space,
  type SpaceKind,
  stillCounting,
} from './space-words.ts'

const route = getRouteApi('/$workspaceId/buildings')
const outerKinds = 'site,building,floor'

/**
 * The sites and buildings of the workspace with their floors. Where there are more than one request returns, a list of
 * one kind with a search.
 */
export function BuildingsPage() {
  const { kind, cursor, search: text } = route.useSearch()
  const canWrite = useCan()('solutions:write')
  const [isAdding, setAdding] = useState(false)
  const page = useSpaceList(kind, text, cursor)
  const ids = page.data?.items.map(({ id }) => id)
  const figures = useUtilizations('space_ids', ids, 'range')
  const weekdays = useUtilizations('space_ids', ids, 'weekday')
  const isFiltered = kind !== undefined || text !== undefined || cursor !== undefined
  const isEmpty = page.data?.items.length === 0 && !isFiltered
  return (
    <ListPage
      title="Buildings"
      description={
        <span className={styles.lead}>
          <Sentence spaces={page.data?.items} figures={figures} isPart={isFiltered || page.data?.nextCursor !== null} />
        </span>
      }
      actions={
        <>
          <PrivacyButton />
          {canWrite && !isEmpty && (
            <>
              <ButtonLink to="/$workspaceId/datasets/new" search={{ kind: 'spaces' }}>
                Import a list
              </ButtonLink>
              <Button icon="plus" variant="primary" onClick={() => setAdding(true)}>
                Add a space
              </Button>
            </>
          )}
        </>
      }
      filters={
        !isEmpty && [
          { name: 'search', label: 'Find', placeholder: 'Part of the name', isSearch: true },
          {
            name: 'kind',
            label: 'Show',
            all: page.data?.isTree === false && text === undefined ? 'Buildings' : 'Down to floors',
            options: kinds.map((value) => ({ value, label: `${kindName(value)}s` })),
          },
        ]
      }
      after={<SpaceDrawer isOpen={isAdding} onDone={() => setAdding(false)} />}
    >
      <SpaceTable
        page={page}
        figures={figures}
        weekdays={weekdays}
        empty={isFiltered ? noMatch : <Empty onAdd={() => setAdding(true)} />}
      />
    </ListPage>
  )
}

/**
 * Reads sites, buildings and floors, or where they are more than one request returns, or a kind is asked for, one kind:
 * all of it, so that the pages go by name.
 */
function useSpaceList(kind: SpaceKind | undefined, search: string | undefined, cursor: string | undefined) {
  const list = useApiQuery(['spaces', 'list', { kind, search }], async (api, options) => {
    const query = search === undefined ? {} : { search }
    const readKind = (chosen: string) =>
      readAll((page) => api.solutions.listSpaces({ query: { ...query, ...page, kind: chosen } }, options))
    if (kind !== undefined || search !== undefined)
      return { items: await readKind(kind ?? kinds.join(',')), isTree: false }
    const outer = await api.solutions.listSpaces({ query: { kind: outerKinds, limit: pageSize } }, options)
    return outer.nextCursor === null
      ? { items: outer.items, isTree: true }
      : { items: await readKind('building'), isTree: false }
  })
  const { data } = list
  const page = useMemo(
    () => data && { ...data, ...(data.isTree ? { nextCursor: null } : pageByName(data.items, cursor)) },
    [data, cursor],
  )
  return { ...list, data: page }
}

function Sentence({
  spaces,
  figures: { data, error },
  isPart,
}: {
  spaces: readonly Space[] | undefined
  figures: Pick<ReturnType<typeof useUtilizations>, 'data' | 'error'>
  isPart: boolean
}) {
  if (spaces?.length === 0) return 'How full your buildings are, and which floors you need.'
  if (spaces === undefined || (data === undefined && !error)) return <Skeleton width="min(24rem, 100%)" height="2lh" />
  const text = describeList(spaces, data?.items ?? [], isPart)
  return isCounting(data) ? `${stillCounting} ${text}` : text
}

const noMatch = (
  <EmptyState icon="filter" title="No space matches">
    Change the text or the kind.
  </EmptyState>
)

function Empty({ onAdd }: { onAdd: () => void }) {
  const can = useCan()
  return (
    <EmptyState
      icon="building"
      title="See how full your buildings are"
      actions={
        can('data:write') && (
          <>
            <ButtonLink variant="primary" to="/$workspaceId/data/new">
              Add your data
            </ButtonLink>
            {can('solutions:write') && (
              <>
                <ButtonLink to="/$workspaceId/datasets/new" search={{ kind: 'spaces' }}>
                  Import a list of floors
                </ButtonLink>
                <Button onClick={onAdd}>Add a building by hand</Button>
              </>
            )}
          </>
        )
      }
    >
      Here you see each building and floor, how full it is on which day, and what it costs. Begin with a list of your
      floors, or with a file of badge events, bookings or people counters.
    </EmptyState>
  )
}

import { getRouteApi } from '@tanstack/react-router'
import { useCan, useWorkspaceId } from '../../session/workspace-context.tsx'
import { AreaTabs } from '../../shell/area-tabs.tsx'
import { ButtonLink, Link } from '../../ui/button/button-link.tsx'
import { ListFilters } from '../../ui/filter/list-filters.tsx'
import { EmptyState, ErrorMessage, Skeleton } from '../../ui/message/message.tsx'
import { Card, Page, Stack } from '../../ui/page/page.tsx'
import { JsonView } from '../../ui/values/code-block.tsx'
import { type EventKindView, groupByArea, sampleBody, searchKinds } from '../shared/event-kinds.ts'
import { useEventKinds } from '../shared/queries.ts'
import styles from '../shared/webhooks.module.css'

const route = getRouteApi('/$workspaceId/webhooks/events')

/** The event kinds, with the JSON Schema and an example of each. */
export function EventCataloguePage() {
  const search = route.useSearch()
  const { data, error, refetch } = useEventKinds()
  const found = searchKinds(data ?? [], search.q ?? '')
  const selected = found.find(({ kind }) => kind === search.kind) ?? found[0]
  return (
    <Page
      title="Webhooks"
      description="Every kind of event a subscription can name. New kinds and fields are added over time."
    >
      <AreaTabs area="Webhooks" />
      {error && <ErrorMessage error={error} onRetry={() => void refetch()} />}
      {data === undefined && !error && <Skeleton height="20rem" />}
      {data !== undefined && (
        <div className={styles.catalogue}>
          <Card isFlush>
            <ListFilters filters={[{ name: 'q', label: 'Search', placeholder: 'forecast, failed', isSearch: true }]} />
            <KindList kinds={found} selected={selected?.kind} />
          </Card>
          {selected ? (
            <KindDetails kind={selected} />
          ) : (
            <EmptyState icon="search" title="No event matches the search" />
          )}
        </div>
      )}
    </Page>
  )
}

function KindList({ kinds, selected }: { kinds: readonly EventKindView[]; selected: string | undefined }) {
  const { q } = route.useSearch()
  return (
    <nav className={styles.kinds} aria-label="Event kinds">
      {groupByArea(kinds).map(({ area, kinds: own }) => (
        <div key={area}>
          <div className={styles.groupName}>{area}</div>
          {own.map(({ kind }) => (
            <Link
              key={kind}
              to="/$workspaceId/webhooks/events"
              search={{ ...(q !== undefined && { q }), kind }}
              className={styles.kindLink}
              activeProps={{}}
              aria-current={kind === selected ? 'true' : undefined}
              resetScroll={false}
            >
              <span className={styles.kind}>{kind}</span>
            </Link>
          ))}
        </div>
      ))}
    </nav>
  )
}

function KindDetails({ kind: { kind, summary, schema, example } }: { kind: EventKindView }) {
  const workspaceId = useWorkspaceId()
  const canCreate = useCan()('webhooks:write')
  return (
    <Card
      title={kind}
      description={summary}
      actions={
        canCreate && (
          <ButtonLink to="/$workspaceId/webhooks/new" search={{ event: kind }}>
            Subscribe
          </ButtonLink>
        )
      }
    >
      <Stack>
        <h3>Body of a delivery</h3>
        <JsonView value={sampleBody({ kind, example }, workspaceId)} label="Example" />
        <h3>JSON Schema of the payload</h3>
        <JsonView value={schema} label="JSON Schema" />
      </Stack>
    </Card>
  )
}

import { useMutation } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { zoneOfCountry } from '@wp/contracts'
import { useCan, useWorkspace, useWorkspaceId } from '../../session/workspace-context.tsx'
import { Button } from '../../ui/button/button.tsx'
import { ButtonLink } from '../../ui/button/button-link.tsx'
import { formatAmount, formatCount, formatNumber } from '../../ui/format/format.ts'
import { formatDate, useClockTime } from '../../ui/format/format-time.ts'
import { useLocaleQuery, useReader } from '../../ui/format/reader.ts'
import { Segmented } from '../../ui/menu/tabs.tsx'
import { Callout, ErrorMessage, Skeleton } from '../../ui/message/message.tsx'
import { Card, Columns, Page, UnloadedPage } from '../../ui/page/page.tsx'
import { DownloadButton } from '../../ui/values/download-button.tsx'
import { Badge } from '../../ui/values/values.tsx'
import styles from './building/building.module.css'
import { FloorsCard, WeekdayBars } from './building/floors-card.tsx'
import { HeatMapCard } from './building/heat-map-card.tsx'
import { NoShowsCard } from './building/no-shows-card.tsx'
import { OutlookCard } from './building/outlook-card.tsx'
import { RecommendationsCard } from './building/recommendations-card.tsx'
import { TeamsCard } from './building/teams-card.tsx'
import { SpaceActions } from './edit/space-actions.tsx'
import { daysOf, periods, useSpace, useSpacesIn, useUtilization, type Weeks } from './queries.ts'
import { QueryCard } from './query-card.tsx'
import { describeUse, isCounting, kindName, type Space, stillCounting, type UtilizationPage } from './space-words.ts'

const route = getRouteApi('/$workspaceId/buildings/$spaceId')

/** A space: how full it is, its floors, teams and forecasts. */
export function BuildingPage() {
  const { spaceId } = route.useParams()
  const { data: space, error, refetch } = useSpace(spaceId)
  const parent = {
    label: 'Buildings',
    link: { to: '/$workspaceId/buildings', search: {} },
  } as const
  if (space === undefined)
    return <UnloadedPage title="Building" parent={parent} error={error} refetch={refetch} height="40rem" />
  return <LoadedPage key={space.id} space={space} />
}

function LoadedPage({ space }: { space: Space }) {
  const { weeks = '4' } = route.useSearch()
  const workspaceId = useWorkspaceId()
  const localeQuery = useLocaleQuery()
  const canWrite = useCan()('solutions:write')
  const navigate = route.useNavigate()
  const subject = { space_id: space.id }
  const hours = useUtilization(subject, 'weekday_hour', weeks)
  const days = useUtilization(subject, 'weekday', weeks)
  const inside = useSpacesIn(space.id)
  const around = space.path.at(-1)
  return (
    <Page
      title={space.name}
      status={<Badge>{kindName(space.kind)}</Badge>}
      description={<div className={styles.facts}>{factsOf(space, days.data)}</div>}
      parent={
        around === undefined
          ? { label: 'Buildings', link: { to: '/$workspaceId/buildings', search: {} } }
          : {
              label: space.path.map(({ name }) => name).join(' / '),
              link: {
                to: '/$workspaceId/buildings/$spaceId',
                params: { spaceId: around.id },
                search: { weeks },
              },
            }
      }
      actions={
        <>
          {canWrite && (
            <ButtonLink variant="primary" to="/$workspaceId/scenarios/new" search={{ space: space.id }}>
              Try a scenario
            </ButtonLink>
          )}
          <SpaceActions space={space} />
        </>
      }
    >
      <div className={styles.toolbar}>
        <Segmented
          label="Period"
          value={weeks}
          options={periods.map((value) => ({ value, label: value === '52' ? 'A year' : `${value} weeks` }))}
          onChange={(value) => void navigate({ search: { weeks: value }, replace: true })}
        />
        <span className="row-2">
          {(['xlsx', 'csv'] as const).map((format) => (
            <DownloadButton
              key={format}
              size="small"
              workspaceId={workspaceId}
              path={`${contentPath(space.id, weeks, inside.data?.spaces.length ?? 0)}&format=${format}&${localeQuery}`}
              fileName={`utilization.${format}`}
            >
              {format === 'xlsx' ? 'Excel' : 'CSV'}
            </DownloadButton>
          ))}
        </span>
      </div>
      <ZoneCallout space={space} canWrite={canWrite} />
      <Sentence hours={hours} days={days} />
      <HeatMapCard query={hours} isMeasured={days.data?.items.length !== 0} />
      <Columns>
        <FloorsCard space={space} weeks={weeks} />
        <QueryCard title="By weekday" query={days} height="16rem">
          {({ items }) =>
            items.length === 0 ? <p>Nothing was measured in this period.</p> : <WeekdayBars rows={items} />
          }
        </QueryCard>
      </Columns>
      <OutlookCard space={space} />
      <TeamsCard space={space} />
      <Columns>
        <NoShowsCard space={space} />
        <RecommendationsCard space={space} inside={inside.data?.spaces ?? []} />
      </Columns>
    </Page>
  )
}

/**
 * Says that days are those of UTC where the country of a space has another time zone, and sets it where UTC is stated.
 */
function ZoneCallout({ space: { id, path, timezone, effective }, canWrite }: { space: Space; canWrite: boolean }) {
  const { api, refresh } = useWorkspace()
  const stating = timezone === null ? (path[0]?.id ?? id) : id
  const zone = zoneOfCountry.get(effective.country ?? '')
  const change = useMutation({
    mutationFn: (zone: string) => api.solutions.updateSpace({ params: { id: stating }, body: { timezone: zone } }),
    onSuccess: () => Promise.all([refresh('spaces'), refresh('utilization')]),
  })
  if (zone === undefined || effective.timezone !== 'UTC') return null
  return (
    <Callout tone="warning" title={`Days and hours are those of UTC, not of ${zone.replaceAll('_', ' ')}`}>
      {change.error && <ErrorMessage error={change.error} />}
      {canWrite && (
        <div className="row-2 above-2">
          <Button size="small" isBusy={change.isPending} onClick={() => change.mutate(zone)}>
            Use {zone.replaceAll('_', ' ')} and count again
          </Button>
        </div>
      )}
    </Callout>
  )
}

/** Rows of one file, of the service. */
const maxRows = 10_000

/** Returns the path of a file of the days of a space, with the spaces in it if there are not too many. */
function contentPath(id: string, weeks: Weeks, inside: number): string {
  const children = (inside + 1) * daysOf(weeks) <= maxRows
  return `/v1/solutions/workplace/utilization/content?space_id=${id}&interval=day&days=${daysOf(weeks)}&children=${children}`
}

type Loading = Pick<ReturnType<typeof useUtilization>, 'data' | 'error' | 'refetch'>

/** The sentence that a director would remember, and the days that it is about. */
function Sentence({ hours, days }: { hours: Loading; days: Loading }) {
  const { locale } = useReader()
  const clock = useClockTime()
  const error = hours.error ?? days.error
  if (error)
    return (
      <Card>
        <ErrorMessage error={error} onRetry={() => void (hours.error ? hours : days).refetch()} />
      </Card>
    )
  return (
    <div className={styles.sentence}>
      {hours.data && days.data ? (
        <>
          <p>{describeUse(hours.data.items, days.data.items, clock)}</p>
          <small>{days.data.items.length > 0 && periodText(days.data, locale)}</small>
        </>
      ) : (
        <Skeleton height="3rem" />
      )}
    </div>
  )
}

const dayMs = 86_400_000

/** Describes the days of figures, the last one included. */
function periodText({ items, meta }: UtilizationPage, locale: string | undefined): string {
  const [since, until] = [Date.parse(meta.since), Date.parse(meta.until) - dayMs].map((day) =>
    formatDate(new Date(day), { locale, timeZone: 'UTC' }),
  )
  const leftOut = items.some(({ suppressed }) => suppressed)
    ? ' Withheld days and hours are left out of the averages.'
    : ''
  return `${since} to ${until}.${leftOut}${isCounting({ meta }) ? ` ${stillCounting}` : ''}`
}

function factsOf({ area_m2: area, annual_cost: cost, effective }: Space, days: UtilizationPage | undefined) {
  const places = days?.items[0]?.capacity ?? effective.capacity
  const currency = cost?.currency ?? effective.currency
  return [
    ...(places === null ? [] : [formatCount(places, 'place')]),
    ...(area === null ? [] : [`${formatNumber(area, 0)} m²`]),
    ...(cost === null || currency === null ? [] : [`${formatAmount(cost.amount, currency)} a year`]),
  ].join(' · ')
}

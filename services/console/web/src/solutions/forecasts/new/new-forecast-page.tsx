import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { MissingScopeNotice } from '../../../session/missing-scope-notice.tsx'
import { sessionQuery } from '../../../session/session.ts'
import { useApi, useCan, useWorkspaceId } from '../../../session/workspace-context.tsx'
import { Radio } from '../../../ui/form/controls.tsx'
import { FieldGroup } from '../../../ui/form/field.tsx'
import { Form } from '../../../ui/form/form.tsx'
import { useApiForm } from '../../../ui/form/use-api-form.ts'
import { ErrorMessage } from '../../../ui/message/error-message.tsx'
import { Skeleton } from '../../../ui/message/skeleton.tsx'
import { showSuccess } from '../../../ui/message/toast.ts'
import { Card, Page, Stack } from '../../../ui/page/page.tsx'
import { rememberSeries } from '../inline-series.ts'
import type { NewForecast } from '../run-input.ts'
import { CalendarFields } from './calendar-fields.tsx'
import { CapacityFields } from './capacity-fields.tsx'
import { emptyValues, type ForecastValues, forecastForm, valuesOfRun, valuesOfSearch } from './forecast-form.ts'
import { HorizonFields } from './horizon-fields.tsx'
import { PasteFields } from './paste-fields.tsx'
import { PastePreview, SourcePreview } from './preview.tsx'
import { SourceFields } from './source-fields.tsx'

const route = getRouteApi('/$workspaceId/forecasts/new')

/** Starts a forecast, from nothing or with the input of an earlier run. */
export function NewForecastPage() {
  const search = route.useSearch()
  const { from } = search
  const workspaceId = useWorkspaceId()
  const api = useApi()
  const session = useQuery(sessionQuery).data
  const earlier = useQuery({
    queryKey: [workspaceId, 'forecasts', 'run', from],
    queryFn: ({ signal }) => api.solutions.getForecastRun({ params: { id: from ?? '' } }, { signal }),
    enabled: from !== undefined,
  })
  const ownZone = (session?.authenticated && session.user.timezone) || Intl.DateTimeFormat().resolvedOptions().timeZone
  const isLoading = from !== undefined && earlier.data === undefined
  return (
    <Page
      title="New forecast"
      description="Forecasts each group by several models and keeps the one with the smallest error on its history."
      parent={{ label: 'Forecasts', link: { to: '/$workspaceId/forecasts', params: { workspaceId }, search: {} } }}
    >
      {earlier.error ? (
        <ErrorMessage error={earlier.error} onRetry={() => void earlier.refetch()} />
      ) : isLoading ? (
        <Skeleton height="20rem" />
      ) : (
        <ForecastForm
          initial={earlier.data ? valuesOfRun(earlier.data) : { ...emptyValues(ownZone), ...valuesOfSearch(search) }}
        />
      )}
    </Page>
  )
}

function ForecastForm({ initial }: { initial: ForecastValues }) {
  const workspaceId = useWorkspaceId()
  const api = useApi()
  const can = useCan()
  const client = useQueryClient()
  const navigate = route.useNavigate()
  const start = async (body: NewForecast) => {
    const run = await api.solutions.startForecastRun({ body })
    if (body.series) rememberSeries(client, workspaceId, run.id, body.series)
    void client.invalidateQueries({ queryKey: [workspaceId, 'forecasts', 'list'] })
    showSuccess('Forecast started')
    await navigate({ to: '/$workspaceId/forecasts/$runId', params: { workspaceId, runId: run.id }, search: {} })
  }
  const { form, ...state } = useApiForm<ForecastValues, NewForecast>({
    schema: forecastForm,
    defaultValues: initial,
    onSubmit: start,
    fieldOfCode: { series_too_short: 'series' },
  })
  if (!can('solutions:run')) return <MissingScopeNotice action="start forecasts" scope="solutions:run" />
  const isSource = form.watch('origin') === 'source'
  return (
    <Form {...state} submitLabel="Start forecast" align="start">
      <Card title="Data">
        <Stack>
          <FieldGroup label="Where the history comes from">
            <Radio {...form.register('origin')} value="source" label="A data source" />
            <Radio {...form.register('origin')} value="paste" label="Pasted rows" />
          </FieldGroup>
          {isSource ? <SourceFields form={form} /> : <PasteFields form={form} />}
        </Stack>
      </Card>
      <Card title="Steps and horizon">
        <HorizonFields form={form} />
      </Card>
      {isSource ? <SourcePreview form={form} /> : <PastePreview form={form} />}
      <Card title="Capacity" description="The upper bound of every value, for comparison and recommendations">
        <CapacityFields form={form} />
      </Card>
      <Card title="Special days" description="All optional, in the past and future">
        <CalendarFields form={form} />
      </Card>
    </Form>
  )
}

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { MissingScopeNotice } from '../../../session/missing-scope-notice.tsx'
import { sessionQuery } from '../../../session/session.ts'
import { useApi, useApiQuery, useCan, useWorkspaceId } from '../../../session/workspace-context.tsx'
import { Input, Radio, Textarea } from '../../../ui/form/controls.tsx'
import { FieldGroup } from '../../../ui/form/field.tsx'
import { Form, FormField } from '../../../ui/form/form.tsx'
import { useApiForm } from '../../../ui/form/use-api-form.ts'
import { ErrorMessage, Skeleton } from '../../../ui/message/message.tsx'
import { showSuccess } from '../../../ui/message/toast.ts'
import { Card, Page, Stack } from '../../../ui/page/page.tsx'
import { type NewForecast, rememberSeries } from '../run-input.ts'
import {
  emptyValues,
  type ForecastValues,
  type FormProps,
  forecastForm,
  valuesOfRun,
  valuesOfSearch,
} from './forecast-form.ts'
import { CapacityFields, HorizonFields } from './horizon-fields.tsx'
import { PastePreview, SourcePreview } from './preview.tsx'
import { SourceFields } from './source-fields.tsx'

const route = getRouteApi('/$workspaceId/forecasts/new')

/** Starts a forecast, from nothing or with the input of an earlier run. */
export function NewForecastPage() {
  const search = route.useSearch()
  const { from } = search
  const workspaceId = useWorkspaceId()
  const session = useQuery(sessionQuery).data
  const earlier = useApiQuery(
    ['forecasts', 'run', from],
    (api, options) => api.solutions.getForecastRun({ params: { id: from ?? '' } }, options),
    { enabled: from !== undefined },
  )
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

/** Rows that are pasted from a spreadsheet. */
const PasteFields = ({ form }: FormProps) => (
  <Stack>
    <FormField
      form={form}
      name="series"
      label="Rows"
      hint="One row a line: a time and a value, or a time, a group and a value; separated by comma, semicolon or tab."
    >
      <Textarea isMono rows={10} spellCheck={false} placeholder={'2026-11-02, 84\n2026-11-03, 97\n2026-11-04, 101'} />
    </FormField>
    <FormField form={form} name="timestamp_format" label="Time format if not ISO 8601" isOptional>
      <Input isMono placeholder="DD.MM.YYYY HH:mm" />
    </FormField>
  </Stack>
)

/** Holidays, closures, kinds of days whose effect is learned, and an id for later. */
const CalendarFields = ({ form }: FormProps) => (
  <Stack>
    <FormField
      form={form}
      name="holidays"
      label="Holidays"
      isOptional
      hint="Dates separated by commas or line breaks, as 2026-12-25."
    >
      <Textarea isMono rows={2} placeholder="2026-12-25, 2026-12-26" />
    </FormField>
    <FormField
      form={form}
      name="closures"
      label="Closures"
      isOptional
      hint="One a line: dates, and after a colon the groups that are closed. Without groups, all are."
    >
      <Textarea isMono rows={3} placeholder={'2026-12-24, 2026-12-31\n2026-11-27: north, south'} />
    </FormField>
    <FormField
      form={form}
      name="calendar"
      label="Kinds of days"
      isOptional
      hint="One a line: a name, a colon, and past and future dates. The effect is learned from the past ones."
    >
      <Textarea isMono rows={3} placeholder="bridge days: 2026-05-15, 2026-06-05" />
    </FormField>
    <FormField form={form} name="external_id" label="External id" isOptional hint="To find the run again by API.">
      <Input isMono style={{ maxWidth: '24rem' }} />
    </FormField>
  </Stack>
)

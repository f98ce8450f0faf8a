import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { MissingScopeNotice } from '../../../session/missing-scope-notice.tsx'
import { sessionQuery } from '../../../session/session.ts'
import { useApiQuery, useCan, useWorkspace } from '../../../session/workspace-context.tsx'
import { Radio, Textarea } from '../../../ui/form/controls.tsx'
import { FieldGroup } from '../../../ui/form/field.tsx'
import { Form, FormField } from '../../../ui/form/form.tsx'
import { useApiForm } from '../../../ui/form/use-api-form.ts'
import { Unloaded } from '../../../ui/message/message.tsx'
import { Card, Page, Stack } from '../../../ui/page/page.tsx'
import { columnsText, type NewForecast, rememberSeries } from '../run-input.ts'
import { useSpaces } from '../use-names.ts'
import { AdvancedFields } from './advanced-fields.tsx'
import { FileFields } from './file-fields.tsx'
import { type FormProps, forecastForm } from './forecast-form.ts'
import {
  emptyValues,
  type ForecastValues,
  type ForecastWhat,
  valuesOfRun,
  valuesOfSearch,
  workplaceDefaults,
} from './forecast-values.ts'
import styles from './new-forecast.module.css'
import { PeriodField } from './period-field.tsx'
import { useIsReadingFile } from './use-schema.ts'
import { BuildingFields, TeamFields } from './workplace-fields.tsx'

const route = getRouteApi('/$workspaceId/forecasts/new')

/** Starts a forecast, from nothing or with the input of an earlier run. */
export function NewForecastPage() {
  const search = route.useSearch()
  const { from, source, what } = search
  const session = useQuery(sessionQuery).data
  const earlier = useApiQuery(
    ['forecasts', 'run', from],
    (api, options) => api.solutions.getForecastRun({ params: { id: from ?? '' } }, options),
    { enabled: from !== undefined },
  )
  // A workspace with buildings most likely forecasts them.
  const asksForBuildings = from === undefined && source === undefined && what === undefined
  const spaces = useSpaces(asksForBuildings)
  const ownZone = (session?.authenticated && session.user.timezone) || Intl.DateTimeFormat().resolvedOptions().timeZone
  const isLoading = (from !== undefined && earlier.data === undefined) || (asksForBuildings && spaces.isLoading)
  const hasBuildings = asksForBuildings && (spaces.data?.items.length ?? 0) > 0
  const chosen = hasBuildings && search.team === undefined ? ({ what: 'building' } as const) : {}
  return (
    <Page
      title="New forecast"
      parent={{ label: 'Forecasts', link: { to: '/$workspaceId/forecasts', search: {} } }}
      isNarrow
    >
      {earlier.error || isLoading ? (
        <Unloaded error={earlier.error} refetch={earlier.refetch} height="28rem" />
      ) : (
        <ForecastForm
          initial={
            earlier.data ? valuesOfRun(earlier.data) : valuesOfSearch({ ...chosen, ...search }, emptyValues(ownZone))
          }
        />
      )}
    </Page>
  )
}

function ForecastForm({ initial }: { initial: ForecastValues }) {
  const { api, workspaceId } = useWorkspace()
  const can = useCan()
  const client = useQueryClient()
  const navigate = route.useNavigate()
  const start = async (body: NewForecast) => {
    const run = await api.solutions.startForecastRun({ body })
    if (body.series) rememberSeries(client, workspaceId, run.id, body.series)
    void client.invalidateQueries({ queryKey: [workspaceId, 'forecasts', 'list'] })
    await navigate({ to: '/$workspaceId/forecasts/$runId', params: { workspaceId, runId: run.id }, search: {} })
  }
  const { form, ...state } = useApiForm<ForecastValues, NewForecast>({
    schema: forecastForm,
    defaultValues: initial,
    onSubmit: start,
    fieldOfCode: { series_too_short: 'series' },
  })
  const [what, source, time, hour] = form.watch(['what', 'data_source_id', 'timestamp_field', 'hour_field'])
  // Started before, a forecast of daily numbers would be one by hour.
  const isReading = useIsReadingFile(what === 'file' ? source : '', hour === '' ? time : '')
  if (!can('solutions:run')) return <MissingScopeNotice action="start forecasts" scope="solutions:run" />
  const hasHiddenError = Object.keys(form.formState.errors).some((name) => !mainFields.has(name))
  return (
    <Form {...state} isBusy={state.isBusy || isReading} submitLabel="Start forecast">
      <Card>
        <Stack>
          <WhatField form={form} />
          {what === 'building' && <BuildingFields form={form} />}
          {what === 'teams' && <TeamFields form={form} />}
          {what === 'file' && <FileFields form={form} />}
          {what === 'paste' && <PasteFields form={form} />}
          <PeriodField form={form} />
          {what === 'file' && <FoundColumns form={form} />}
          <details className={styles.advanced} {...(hasHiddenError && { open: true })}>
            <summary>Advanced</summary>
            <Stack>
              <AdvancedFields form={form} />
            </Stack>
          </details>
        </Stack>
      </Card>
    </Form>
  )
}

/** Fields that stand outside of “Advanced”. */
const mainFields: ReadonlySet<string> = new Set(['data_source_id', 'value_field', 'horizon', 'frequency', 'series'])

const choices: readonly { value: ForecastWhat; label: string }[] = [
  { value: 'building', label: 'A building' },
  { value: 'teams', label: 'Teams' },
  { value: 'file', label: 'A file' },
  { value: 'paste', label: 'Pasted rows' },
]

function WhatField({ form }: FormProps) {
  const registered = form.register('what', {
    onChange: ({ target }) => {
      if (['building', 'teams'].includes(target.value) && form.getValues('frequency') !== 'day') {
        form.setValue('frequency', workplaceDefaults.frequency)
        form.setValue('horizon', workplaceDefaults.horizon)
      }
    },
  })
  return (
    <FieldGroup label="Forecast">
      {choices.map(({ value, label }) => (
        <Radio key={value} {...registered} value={value} label={label} />
      ))}
    </FieldGroup>
  )
}

/** Names the columns that were chosen for the person. */
function FoundColumns({ form }: FormProps) {
  const [time, hour, groups] = form.watch(['timestamp_field', 'hour_field', 'group_by'])
  if (time === '') return null
  return (
    <p className="secondary breakable">
      Times are in “{columnsText([time, hour].filter(Boolean))}”
      {groups.length > 0 && `, with a forecast for each “${groups.join(' / ')}”`}. Advanced changes that.
    </p>
  )
}

/** Rows that are pasted from a spreadsheet. */
const PasteFields = ({ form }: FormProps) => (
  <FormField
    form={form}
    name="series"
    label="Rows"
    hint="One row a line: a time and a value, or a time, a group and a value; separated by comma, semicolon or tab."
  >
    <Textarea isMono rows={8} spellCheck={false} placeholder={'2026-11-02, 84\n2026-11-03, 97\n2026-11-04, 101'} />
  </FormField>
)

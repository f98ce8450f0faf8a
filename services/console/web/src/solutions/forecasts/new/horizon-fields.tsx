import { useId } from 'react'
import { useApi, useWorkspaceId } from '../../../session/workspace-context.tsx'
import { Button } from '../../../ui/button/button.tsx'
import { Checkbox, Input, Radio, Select, Textarea } from '../../../ui/form/controls.tsx'
import { FieldGroup, FieldRow } from '../../../ui/form/field.tsx'
import { errorOf, FormField } from '../../../ui/form/form.tsx'
import { formatCount, formatPercent } from '../../../ui/format/format.ts'
import { Stack } from '../../../ui/page/page.tsx'
import { describeHorizon } from '../forecast-words.ts'
import type { Frequency } from '../run-input.ts'
import type { FormProps } from './forecast-form.ts'
import { useGroupValues } from './use-group-sample.ts'

const frequencies: readonly { value: Frequency; label: string }[] = [
  { value: 'hour', label: 'Hours' },
  { value: 'day', label: 'Days' },
  { value: 'week', label: 'Weeks' },
]
const aggregations = [
  { value: 'sum', label: 'Sum of the values' },
  { value: 'mean', label: 'Mean of the values' },
  { value: 'max', label: 'Highest value' },
  { value: 'last', label: 'Latest value' },
  { value: 'count', label: 'Number of rows with a value' },
]
const measures = [
  { value: '', label: 'Not stated' },
  { value: 'level', label: 'People or things present at a moment' },
  { value: 'flow', label: 'Arrivals or events in an interval' },
]
const levels = ['0.5', '0.8', '0.9', '0.95', '0.99']
const zones = Intl.supportedValuesOf('timeZone')
/** A horizon that suits the frequency. */
const usualHorizon: Readonly<Record<Frequency, string>> = { hour: '168', day: '14', week: '8' }

/** The length of a step and of the forecast, and the intervals. */
export function HorizonFields({ form }: FormProps) {
  const listId = useId()
  const frequency = frequencies.find(({ value }) => value === form.watch('frequency'))?.value ?? 'hour'
  const horizon = Number(form.watch('horizon'))
  const inWords = Number.isInteger(horizon) && horizon > 0 ? `The next ${describeHorizon(horizon, frequency)}` : ''
  return (
    <Stack>
      <FieldRow>
        <FormField form={form} name="frequency" label="Step">
          <Select
            options={frequencies}
            onInput={({ currentTarget }) => {
              const next = frequencies.find(({ value }) => value === currentTarget.value)?.value
              if (next && form.getValues('horizon') === usualHorizon[frequency])
                form.setValue('horizon', usualHorizon[next])
            }}
          />
        </FormField>
        <FormField form={form} name="horizon" label="Horizon in steps">
          <Input type="number" inputMode="numeric" min={1} max={2000} />
        </FormField>
      </FieldRow>
      <p role="status" style={{ color: 'var(--text-secondary)' }}>
        {inWords}
      </p>
      <FieldRow>
        <FormField form={form} name="measure" label="Kind of the values">
          <Select
            options={measures}
            onInput={({ currentTarget: { value } }) => {
              if (value !== '') form.setValue('aggregation', value === 'level' ? 'max' : 'sum')
            }}
          />
        </FormField>
        <FormField form={form} name="aggregation" label="Value of a step">
          <Select options={aggregations} />
        </FormField>
        <FormField form={form} name="timezone" label="Time zone">
          <Input list={listId} autoComplete="off" />
        </FormField>
      </FieldRow>
      <FieldGroup
        label="Intervals"
        hint="The share of future values that should be inside."
        error={errorOf(form, 'levels')}
      >
        <div style={{ display: 'flex', flexWrap: 'wrap', gap: 'var(--space-2) var(--space-5)' }}>
          {levels.map((level) => (
            <Checkbox key={level} {...form.register('levels')} value={level} label={formatPercent(Number(level))} />
          ))}
        </div>
      </FieldGroup>
      <datalist id={listId}>
        {zones.map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
    </Stack>
  )
}

/** No capacity, one for each group, or one a group. */
export function CapacityFields({ form }: FormProps) {
  const kind = form.watch('capacity_kind')
  const choose = form.register('capacity_kind', { onChange: () => form.setValue('capacity', '') })
  return (
    <Stack>
      <FieldGroup label="How full a group can be">
        <Radio {...choose} value="none" label="None: compare with the usual peak" />
        <Radio {...choose} value="all" label="One number for each group" />
        <Radio {...choose} value="groups" label="A number of its own for each group" />
      </FieldGroup>
      {kind === 'all' && (
        <FormField form={form} name="capacity" label="Number">
          <Input type="number" min={0} step="any" style={{ maxWidth: '12rem' }} />
        </FormField>
      )}
      {kind === 'groups' && (
        <>
          <FormField
            form={form}
            name="capacity"
            label="Numbers by group"
            hint="One group a line. The values of several columns are joined by a slash: house/1."
          >
            <Textarea isMono rows={6} spellCheck={false} placeholder={'north = 120\nsouth = 80'} />
          </FormField>
          {form.watch('origin') === 'source' && <InsertGroups form={form} />}
        </>
      )}
    </Stack>
  )
}

/** Writes a line for each group that the newest records have. */
function InsertGroups({ form }: FormProps) {
  const api = useApi()
  const workspaceId = useWorkspaceId()
  const [sourceId, groupBy] = form.watch(['data_source_id', 'group_by'])
  const field = groupBy.length === 1 ? groupBy[0] : undefined
  const { data: values = [] } = useGroupValues(api, workspaceId, sourceId, field)
  if (values.length === 0) return null
  return (
    <div>
      <Button
        size="small"
        onClick={() => {
          const text = form.getValues('capacity')
          const missing = values.filter((value) => !text.split('\n').some((line) => line.startsWith(`${value} =`)))
          form.setValue('capacity', [text.trim(), ...missing.map((value) => `${value} = `)].filter(Boolean).join('\n'))
        }}
      >
        Insert {formatCount(values.length, 'group')} of the data
      </Button>
    </div>
  )
}

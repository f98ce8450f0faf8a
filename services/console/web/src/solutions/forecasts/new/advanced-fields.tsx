import { useId } from 'react'
import { Checkbox, Input, Select, Textarea } from '../../../ui/form/controls.tsx'
import { FieldGroup, FieldRow } from '../../../ui/form/field.tsx'
import { errorOf, FormField } from '../../../ui/form/form.tsx'
import { formatPercent } from '../../../ui/format/format.ts'
import { Cluster } from '../../../ui/page/page.tsx'
import { aggregationWords } from '../forecast-words.ts'
import { CapacityTable } from './capacity-table.tsx'
import { detectColumns } from './detect-columns.ts'
import type { FormProps } from './forecast-form.ts'
import { useSchema } from './use-schema.ts'

const aggregations = Object.entries(aggregationWords).map(([value, label]) => ({ value, label }))
const levels = ['0.5', '0.8', '0.9', '0.95', '0.99']
const zones = Intl.supportedValuesOf('timeZone')

/** The fields that most forecasts leave as they are. */
export function AdvancedFields({ form }: FormProps) {
  const what = form.watch('what')
  const isOfWorkplace = what === 'building' || what === 'teams'
  return (
    <>
      {what === 'file' && <ColumnFields form={form} />}
      {what === 'paste' && <TimeFormat form={form} />}
      {!isOfWorkplace && (
        <FormField form={form} name="aggregation" label="Several values of one hour, day or week">
          <Select options={aggregations} />
        </FormField>
      )}
      <TimeZone form={form} />
      {!isOfWorkplace && <CapacityTable form={form} />}
      {isOfWorkplace ? <WorkplaceDays form={form} /> : <SpecialDays form={form} />}
      <FieldGroup
        label="Ranges"
        hint={'The share of the values that should be inside. The chart shows 80\u00a0% first.'}
        error={errorOf(form, 'levels')}
      >
        <Cluster>
          {levels.map((level) => (
            <Checkbox key={level} {...form.register('levels')} value={level} label={formatPercent(Number(level))} />
          ))}
        </Cluster>
      </FieldGroup>
      <FormField
        form={form}
        name="external_id"
        label="External id"
        isOptional
        hint="To find the forecast again by API."
      >
        <Input isMono />
      </FormField>
    </>
  )
}

/** The columns of the times and groups, which were found by their types and names. */
function ColumnFields({ form }: FormProps) {
  const { data: source } = useSchema(form.watch('data_source_id'))
  if (source === undefined) return null
  const { times, groups } = detectColumns(source.schema).choices
  const numbers = source.schema.filter(({ type }) => type === 'number').map(({ name }) => name)
  const options = (names: readonly string[], none: string) => [
    { value: '', label: none },
    ...names.map((name) => ({ value: name, label: name })),
  ]
  return (
    <>
      <FieldRow>
        <FormField form={form} name="timestamp_field" label="Time column">
          <Select options={options(times, 'Choose a column')} />
        </FormField>
        <FormField form={form} name="hour_field" label="Column of the hour, if apart" isOptional>
          <Select options={options(times, 'None')} />
        </FormField>
        <TimeFormat form={form} />
      </FieldRow>
      {groups.length > 0 && (
        <FieldGroup
          label="Forecast separately by"
          hint="Each combination of the chosen columns has a forecast of its own."
          error={errorOf(form, 'group_by')}
        >
          <Cluster>
            {groups.map((name) => (
              <Checkbox key={name} {...form.register('group_by')} value={name} label={name} />
            ))}
          </Cluster>
        </FieldGroup>
      )}
      {numbers.length > 1 && (
        <FieldGroup label="More values" hint="Each chosen column has a forecast of its own.">
          <Cluster>
            {numbers.map((name) => (
              <Checkbox key={name} {...form.register('more_values')} value={name} label={name} />
            ))}
          </Cluster>
        </FieldGroup>
      )}
    </>
  )
}

const TimeFormat = ({ form }: FormProps) => (
  <FormField form={form} name="timestamp_format" label="How times are written" isOptional>
    <Input isMono placeholder="DD.MM.YYYY HH:mm" />
  </FormField>
)

function TimeZone({ form }: FormProps) {
  const listId = useId()
  return (
    <>
      <FormField form={form} name="timezone" label="Time zone">
        <Input list={listId} autoComplete="off" />
      </FormField>
      <datalist id={listId}>
        {zones.map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
    </>
  )
}

/** Public holidays are known; these are the exceptions. */
const WorkplaceDays = ({ form }: FormProps) => (
  <>
    <FormField
      form={form}
      name="workplace.add"
      label="Further days off"
      isOptional
      hint="Public holidays are known. Dates separated by commas, as 2026-12-24."
    >
      <Input placeholder="2026-12-24, 2026-12-31" />
    </FormField>
    <FormField form={form} name="workplace.remove" label="Public holidays that are working days" isOptional>
      <Input placeholder="2026-11-18" />
    </FormField>
    <Checkbox
      {...form.register('workplace.use_bookings')}
      label="Use bookings"
      hint="Where they make the forecast of a building better"
    />
  </>
)

/** Holidays, closures, and kinds of days whose effect is learned. */
const SpecialDays = ({ form }: FormProps) => (
  <>
    <FormField form={form} name="holidays" label="Holidays" isOptional hint="Dates separated by commas, as 2026-12-25.">
      <Textarea isMono rows={2} placeholder="2026-12-25, 2026-12-26" />
    </FormField>
    <FormField
      form={form}
      name="closures"
      label="Closed days"
      isOptional
      hint="One a line: dates, and after a colon the groups that are closed. Without groups, all are."
    >
      <Textarea isMono rows={2} placeholder={'2026-12-24, 2026-12-31\n2026-11-27: north, south'} />
    </FormField>
    <FormField
      form={form}
      name="calendar"
      label="Other special days"
      isOptional
      hint="One kind a line: a name, a colon, and past and future dates. The effect is learned from the past ones."
    >
      <Textarea isMono rows={2} placeholder="bridge days: 2026-05-15, 2026-06-05" />
    </FormField>
  </>
)

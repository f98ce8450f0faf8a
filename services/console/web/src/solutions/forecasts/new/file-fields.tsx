import { useEffect } from 'react'
import { Link } from '../../../ui/button/button-link.tsx'
import { Radio, Select } from '../../../ui/form/controls.tsx'
import { FieldGroup } from '../../../ui/form/field.tsx'
import { FormField } from '../../../ui/form/form.tsx'
import { formatCount } from '../../../ui/format/format.ts'
import { isolate } from '../../../ui/format/untrusted-text.ts'
import { ErrorMessage, Skeleton } from '../../../ui/message/message.tsx'
import { useSources } from '../use-names.ts'
import { detectColumns, detectMeasure } from './detect-columns.ts'
import type { FormProps } from './forecast-form.ts'
import { useIsDaily, useSchema } from './use-schema.ts'

/** The file and its value. The only file is chosen, and its columns by their types and names. */
export function FileFields({ form }: FormProps) {
  const { data, error, refetch } = useSources()
  const sources = data?.items ?? []
  const sourceId = form.watch('data_source_id')
  const { data: source, isPending: isSchemaPending } = useSchema(sourceId)
  const schema = source?.schema
  const { setValue, getValues } = form
  const onlySource = data?.items.length === 1 ? data.items[0]?.data_source_id : undefined

  useEffect(() => {
    if (onlySource !== undefined && getValues('data_source_id') === '') setValue('data_source_id', onlySource)
  }, [onlySource, setValue, getValues])

  useEffect(() => {
    if (schema === undefined) return
    const has = (name: string) => schema.some((field) => field.name === name)
    const { timestamp_field: time, value_field: value, group_by: groups, ...others } = getValues()
    if (has(time) && (has(value) || others.aggregation === 'count')) return
    const detected = detectColumns(schema)
    const chosen = has(value) ? value : detected.value
    setValue('timestamp_field', has(time) ? time : detected.time)
    setValue('value_field', chosen)
    if (!has(others.hour_field)) setValue('hour_field', '')
    setValue('more_values', others.more_values.filter(has))
    setValue('group_by', groups.length > 0 && groups.every(has) ? groups : detected.groups)
    if (others.measure === '') chooseMeasure(form, detectMeasure(chosen))
  }, [schema, setValue, getValues, form])

  const [time, hour] = form.watch(['timestamp_field', 'hour_field'])
  const { data: isDaily } = useIsDaily(sourceId, hour === '' ? time : '')
  useEffect(() => {
    if (isDaily !== true || form.formState.dirtyFields.frequency || getValues('frequency') !== 'hour') return
    setValue('frequency', 'day')
    setValue('horizon', '30')
  }, [isDaily, form, setValue, getValues])

  if (error) return <ErrorMessage error={error} onRetry={() => void refetch()} />
  // The select must have the option of its value when it is first shown.
  if (data === undefined)
    return <Skeleton height={sourceId === '' ? fileHeight : `calc(${fileHeight} + ${valueHeight})`} />
  const isCounted = form.watch('aggregation') === 'count'
  return (
    <>
      <FormField
        form={form}
        name="data_source_id"
        label="File"
        hint={
          data.items.length === 0 && (
            <>
              There is no file yet. <Link to="/$workspaceId/data/new">Add a file</Link>
            </>
          )
        }
      >
        <Select
          options={[
            { value: '', label: 'Choose a file' },
            ...(source && !sources.some(({ data_source_id }) => data_source_id === sourceId)
              ? [{ value: sourceId, label: source.name }]
              : []),
            ...sources.map(({ data_source_id: value, name, record_count: count }) => ({
              value,
              label: `${isolate(name)} (${formatCount(count, 'row')})`,
            })),
          ]}
        />
      </FormField>
      {schema && (
        <FormField form={form} name="value_field" label="Value">
          <Select
            options={[
              { value: '', label: isCounted ? 'Number of rows' : 'Choose a column' },
              ...detectColumns(schema).choices.values.map((name) => ({ value: name, label: name })),
            ]}
            onInput={({ currentTarget }) => chooseMeasure(form, detectMeasure(currentTarget.value))}
          />
        </FormField>
      )}
      {schema && !isCounted && <MeasureField form={form} />}
      {sourceId !== '' && isSchemaPending && <Skeleton height={valueHeight} />}
    </>
  )
}

/** Heights of the fields of the file, and of its value, whose hints take more lines on narrow screens. */
const [fileHeight, valueHeight] = ['3.7rem', 'clamp(13.1rem, calc((40rem - 100vw) * 1000), 16.5rem)']

const measures = [
  { value: 'level', label: 'People present', hint: 'How many are there at a moment; the busiest moment counts' },
  { value: 'flow', label: 'People arriving', hint: 'How many come in an interval; the intervals are added up' },
  { value: '', label: 'Something else, or not sure', hint: undefined },
] as const

function MeasureField({ form }: FormProps) {
  const current = form.watch('measure')
  return (
    <FieldGroup label="The value counts">
      {measures.map(({ value, label, hint }) => (
        <Radio
          key={value}
          name="measure"
          value={value}
          label={label}
          hint={hint}
          checked={current === value}
          onChange={() => chooseMeasure(form, value)}
        />
      ))}
    </FieldGroup>
  )
}

/** Sets the kind of the values, and how several values of one step are combined, as the service does by default. */
function chooseMeasure(form: FormProps['form'], measure: '' | 'level' | 'flow'): void {
  form.setValue('measure', measure)
  if (form.getValues('aggregation') !== 'count') form.setValue('aggregation', measure === 'level' ? 'max' : 'sum')
}

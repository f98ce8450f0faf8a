import { Link } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useApiQuery, useWorkspaceId } from '../../../session/workspace-context.tsx'
import { Checkbox, Input, Select } from '../../../ui/form/controls.tsx'
import { FieldGroup, FieldRow } from '../../../ui/form/field.tsx'
import { errorOf, FormField } from '../../../ui/form/form.tsx'
import { formatCount } from '../../../ui/format/format.ts'
import { isolate } from '../../../ui/format/untrusted-text.ts'
import { ErrorMessage, Skeleton } from '../../../ui/message/message.tsx'
import { Stack } from '../../../ui/page/page.tsx'
import { useSources } from '../use-source-names.ts'
import { detectColumns } from './detect-columns.ts'
import type { FormProps } from './forecast-form.ts'

/** The data source and its columns, which are chosen by their types until the person chooses others. */
export function SourceFields({ form }: FormProps) {
  const workspaceId = useWorkspaceId()
  const { data, error, refetch } = useSources()
  const sources = data?.items ?? []
  const sourceId = form.watch('data_source_id')
  const { data: source } = useApiQuery(
    ['data', 'sources', sourceId, 'schema'],
    (api, options) => api.data.getSource({ params: { data_source_id: sourceId } }, options),
    { enabled: sourceId !== '' },
  )
  const schema = source?.schema
  const { setValue, getValues } = form

  useEffect(() => {
    if (schema === undefined) return
    const has = (name: string) => schema.some((field) => field.name === name)
    const { timestamp_field: time, value_field: value, group_by: groups, ...others } = getValues()
    if (has(time) && has(value)) return
    const detected = detectColumns(schema)
    setValue('timestamp_field', has(time) ? time : detected.time)
    setValue('value_field', has(value) ? value : detected.value)
    if (!has(others.hour_field)) setValue('hour_field', '')
    setValue('more_values', others.more_values.filter(has))
    setValue('group_by', groups.length > 0 && groups.every(has) ? groups : detected.groups)
  }, [schema, setValue, getValues])

  if (error) return <ErrorMessage error={error} onRetry={() => void refetch()} />
  // The select must have the option of its value when it is first shown.
  if (data === undefined) return <Skeleton height="4rem" />
  const { times, values, groups } = detectColumns(schema ?? []).choices
  const numbers = (schema ?? []).filter(({ type }) => type === 'number').map(({ name }) => name)
  const options = (names: readonly string[]) => [
    { value: '', label: 'Choose a column' },
    ...names.map((name) => ({ value: name, label: name })),
  ]
  return (
    <Stack>
      <FormField
        form={form}
        name="data_source_id"
        label="Data source"
        hint={
          data.items.length === 0 && (
            <>
              There is no data source yet.{' '}
              <Link to="/$workspaceId/data/new" params={{ workspaceId }}>
                Upload data
              </Link>
            </>
          )
        }
      >
        <Select
          options={[
            { value: '', label: 'Choose a data source' },
            ...(source && !sources.some(({ data_source_id }) => data_source_id === sourceId)
              ? [{ value: sourceId, label: source.name }]
              : []),
            ...sources.map(({ data_source_id: value, name, record_count: count }) => ({
              value,
              label: `${isolate(name)} (${formatCount(count, 'record')})`,
            })),
          ]}
        />
      </FormField>
      {schema && (
        <>
          <FieldRow>
            <FormField form={form} name="timestamp_field" label="Time column">
              <Select options={options(times)} />
            </FormField>
            <FormField form={form} name="hour_field" label="Column of the hour, if apart" isOptional>
              <Select options={[{ value: '', label: 'None' }, ...options(times).slice(1)]} />
            </FormField>
            <FormField form={form} name="value_field" label="Value column">
              <Select options={options(values)} />
            </FormField>
            <FormField form={form} name="timestamp_format" label="Time format if not ISO 8601" isOptional>
              <Input isMono placeholder="DD.MM.YYYY HH:mm" />
            </FormField>
          </FieldRow>
          {numbers.length > 1 && (
            <FieldGroup label="More value columns" hint="Each chosen column is forecast by itself.">
              {numbers.map((name) => (
                <Checkbox key={name} {...form.register('more_values')} value={name} label={name} />
              ))}
            </FieldGroup>
          )}
          {groups.length > 0 && (
            <FieldGroup
              label="Groups"
              hint="Each combination of the chosen columns is forecast by itself."
              error={errorOf(form, 'group_by')}
            >
              {groups.map((name) => (
                <Checkbox key={name} {...form.register('group_by')} value={name} label={name} />
              ))}
            </FieldGroup>
          )}
        </>
      )}
    </Stack>
  )
}

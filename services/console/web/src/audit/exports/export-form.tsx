import { type AuditDocFilters, auditDocFormats, auditOutcomes, NewAuditDoc } from '@wp/contracts'
import { Controller } from 'react-hook-form'
import type { z } from 'zod'
import { Input, Radio, Select } from '../../ui/form/controls.tsx'
import { Field, FieldGroup, FieldRow } from '../../ui/form/field.tsx'
import { Form } from '../../ui/form/form.tsx'
import { errorOf, FormField } from '../../ui/form/form-field.tsx'
import { useApiForm } from '../../ui/form/use-api-form.ts'
import { fromLocalInput, toLocalInput } from '../../ui/format/local-time.ts'
import { formatHints, formatNames } from './export-formats.ts'

type Filters = z.infer<typeof AuditDocFilters>

const defaultDays = 30
const dayMs = 86_400_000
const minuteMs = 60_000

/** Returns the next whole minute, so that the default range includes what has just happened. */
const nextMinute = (now: number): number => Math.ceil(now / minuteMs) * minuteMs

/** The form of a new export. Filters of the list that led here are filled in. */
export function ExportForm({
  filters: { since, until, ...filters },
  onSubmit,
  onCancel,
}: {
  filters: Filters & { since?: string; until?: string }
  onSubmit: (body: z.infer<typeof NewAuditDoc>) => Promise<unknown>
  onCancel: () => void
}) {
  const { form, ...state } = useApiForm({
    schema: NewAuditDoc,
    defaultValues: {
      format: 'csv',
      from: since ?? new Date(nextMinute(Date.now()) - defaultDays * dayMs).toISOString(),
      to: until ?? new Date(nextMinute(Date.now())).toISOString(),
      filters: { actor: undefined, action: undefined, target: undefined, outcome: undefined, ...filters },
    },
    onSubmit,
  })
  return (
    <Form {...state} submitLabel="Start export" onCancel={onCancel}>
      <FieldGroup label="Format" error={errorOf(form, 'format')}>
        {auditDocFormats.map((format) => (
          <Radio
            key={format}
            value={format}
            label={formatNames[format]}
            hint={formatHints[format]}
            {...form.register('format')}
          />
        ))}
      </FieldGroup>
      <FieldRow>
        {(['from', 'to'] as const).map((name) => (
          <Controller
            key={name}
            control={form.control}
            name={name}
            render={({ field: { value, onChange, ref } }) => (
              <Field label={name === 'from' ? 'From' : 'Before'} hint="In your time zone." error={errorOf(form, name)}>
                <Input
                  ref={ref}
                  type="datetime-local"
                  defaultValue={toLocalInput(value)}
                  onChange={({ target }) => onChange(fromLocalInput(target.value) ?? '')}
                />
              </Field>
            )}
          />
        ))}
      </FieldRow>
      <FieldRow>
        <FormField form={form} name="filters.action" label="Action" isOptional empty="omit">
          <Input isMono placeholder="api_key.created" />
        </FormField>
        <FormField form={form} name="filters.outcome" label="Outcome" isOptional empty="omit">
          <Select options={[{ value: '', label: 'All' }, ...auditOutcomes.map((value) => ({ value, label: value }))]} />
        </FormField>
      </FieldRow>
      <FieldRow>
        <FormField form={form} name="filters.actor" label="Actor" isOptional empty="omit">
          <Input isMono placeholder="usr_… or sp_…" />
        </FormField>
        <FormField form={form} name="filters.target" label="Target" isOptional empty="omit">
          <Input isMono placeholder="Identifier" />
        </FormField>
      </FieldRow>
    </Form>
  )
}

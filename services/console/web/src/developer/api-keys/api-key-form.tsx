import { NewApiKey } from '@wp/contracts'
import { useState } from 'react'
import type { z } from 'zod'
import { ScopePicker } from '../../scopes/scope-picker.tsx'
import { DateInput } from '../../ui/date/date-input.tsx'
import { fromLocalTime, toLocalTime } from '../../ui/date/local-time.ts'
import { Input, Select } from '../../ui/form/controls.tsx'
import { Field, FieldRow } from '../../ui/form/field.tsx'
import { errorOf, Form, FormField } from '../../ui/form/form.tsx'
import { useApiForm } from '../../ui/form/use-api-form.ts'
import { useReader } from '../../ui/format/reader.ts'

/** The fields of a new API key. */
export function ApiKeyForm({
  onSubmit,
  onCancel,
}: {
  onSubmit: (body: z.infer<typeof NewApiKey>) => Promise<unknown>
  onCancel: () => void
}) {
  const { form, ...state } = useApiForm({
    schema: NewApiKey,
    defaultValues: { name: undefined, scopes: [], expires_at: undefined },
    onSubmit,
    fieldOfCode: { scope_escalation: 'scopes' },
  })
  return (
    <Form {...state} submitLabel="Create API key" onCancel={onCancel}>
      <FieldRow>
        <FormField form={form} name="name" label="Name" empty="omit" isOptional>
          <Input autoFocus maxLength={100} autoComplete="off" placeholder="Report export" />
        </FormField>
        <ExpiryField
          error={errorOf(form, 'expires_at')}
          onChange={(expiresAt) => form.setValue('expires_at', expiresAt)}
        />
      </FieldRow>
      <ScopePicker
        isRequired
        value={form.watch('scopes') ?? []}
        onChange={(scopes) => form.setValue('scopes', scopes, { shouldDirty: true, shouldValidate: true })}
        error={errorOf(form, 'scopes')}
      />
    </Form>
  )
}

const dayMs = 86_400_000

const choices = [
  { value: 'never', label: 'Never' },
  { value: '7', label: 'In 7 days' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
  { value: 'custom', label: 'On another day' },
] as const

/** Chooses when a key expires. @param onChange gets RFC 3339 in UTC; undefined for never */
function ExpiryField({
  error,
  onChange,
}: {
  error: string | undefined
  onChange: (expiresAt: string | undefined) => void
}) {
  const reader = useReader()
  const [choice, setChoice] = useState<string>('never')
  const [day, setDay] = useState<string>()
  const choose = (value: string) => {
    setChoice(value)
    if (value === 'custom') return chooseDay(day)
    const days = Number(value)
    onChange(Number.isNaN(days) ? undefined : new Date(Date.now() + days * dayMs).toISOString())
  }
  const chooseDay = (value: string | undefined) => {
    setDay(value)
    // An empty text is refused by the form: a key without an end must be chosen.
    onChange(fromLocalTime(value && `${value}T23:59`, reader) ?? '')
  }
  return (
    <>
      <Field label="Expires" error={choice === 'custom' ? undefined : error}>
        <Select options={choices} value={choice} onChange={({ target }) => choose(target.value)} />
      </Field>
      {choice === 'custom' && (
        <Field label="Last day" hint="The key works until this day ends in your time zone." error={error}>
          <DateInput
            value={day}
            min={toLocalTime(new Date().toISOString(), reader)?.slice(0, 10)}
            onChange={chooseDay}
          />
        </Field>
      )}
    </>
  )
}

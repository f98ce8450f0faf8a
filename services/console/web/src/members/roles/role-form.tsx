import { NewRole } from '@wp/contracts'
import type { z } from 'zod'
import { ScopePicker } from '../../scopes/scope-picker.tsx'
import { Input, Textarea } from '../../ui/form/controls.tsx'
import { errorOf, Form, FormField } from '../../ui/form/form.tsx'
import { useApiForm } from '../../ui/form/use-api-form.ts'

export type RoleValues = z.output<typeof NewRole>

const noValues: RoleValues = { name: '', description: null, scopes: [] }

/** The fields of a custom role. */
export function RoleForm({
  values = noValues,
  submitLabel,
  onSubmit,
  onCancel,
}: {
  values?: RoleValues
  submitLabel: string
  onSubmit: (values: RoleValues) => Promise<unknown>
  onCancel: () => void
}) {
  const { form, ...state } = useApiForm({
    schema: NewRole,
    defaultValues: { name: values.name, description: values.description ?? null, scopes: values.scopes },
    onSubmit,
    fieldOfCode: { name_taken: 'name', scope_escalation: 'scopes' },
  })
  return (
    <Form {...state} submitLabel={submitLabel} onCancel={onCancel}>
      <FormField form={form} name="name" label="Name">
        <Input autoFocus maxLength={100} autoComplete="off" placeholder="Facility manager" />
      </FormField>
      <FormField form={form} name="description" label="Description" empty="null" isOptional>
        <Textarea rows={2} maxLength={500} />
      </FormField>
      <ScopePicker
        value={form.watch('scopes')}
        onChange={(scopes) => form.setValue('scopes', scopes, { shouldDirty: true, shouldValidate: true })}
        error={errorOf(form, 'scopes')}
      />
    </Form>
  )
}

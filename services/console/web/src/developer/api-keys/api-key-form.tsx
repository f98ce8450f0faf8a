import { NewApiKey } from '@wp/contracts'
import type { z } from 'zod'
import { ScopePicker } from '../../scopes/scope-picker.tsx'
import { Input } from '../../ui/form/controls.tsx'
import { FieldRow } from '../../ui/form/field.tsx'
import { Form } from '../../ui/form/form.tsx'
import { errorOf, FormField } from '../../ui/form/form-field.tsx'
import { useApiForm } from '../../ui/form/use-api-form.ts'
import { ExpiryField } from './expiry-field.tsx'

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
        value={form.watch('scopes') ?? []}
        onChange={(scopes) => form.setValue('scopes', scopes, { shouldDirty: true, shouldValidate: true })}
        error={errorOf(form, 'scopes')}
      />
    </Form>
  )
}

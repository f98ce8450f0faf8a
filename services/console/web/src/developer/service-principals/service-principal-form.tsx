import { environments, type Scope, scopeList } from '@wp/contracts'
import { z } from 'zod'
import { ScopePicker } from '../../scopes/scope-picker.tsx'
import { Input, Select } from '../../ui/form/controls.tsx'
import { FieldRow } from '../../ui/form/field.tsx'
import { errorOf, Form, FormField } from '../../ui/form/form.tsx'
import { useApiForm } from '../../ui/form/use-api-form.ts'

/** The fields that the contracts of creation and change have in common. */
const schema = z.object({
  name: z.string().min(1).max(100),
  environment: z.enum(environments).nullable(),
  scopes: scopeList,
})

export interface ServicePrincipalValues {
  name: string
  environment: (typeof environments)[number] | null
  scopes: Scope[]
}

/** The fields of a service principal. */
export function ServicePrincipalForm({
  values = { name: '', environment: null, scopes: [] },
  submitLabel,
  onSubmit,
  onCancel,
}: {
  values?: ServicePrincipalValues
  submitLabel: string
  onSubmit: (values: ServicePrincipalValues) => Promise<unknown>
  onCancel: () => void
}) {
  const { form, ...state } = useApiForm({
    schema,
    defaultValues: values,
    onSubmit,
    fieldOfCode: { scope_escalation: 'scopes' },
  })
  return (
    <Form {...state} submitLabel={submitLabel} onCancel={onCancel}>
      <FieldRow>
        <FormField form={form} name="name" label="Name" hint="The program that uses it, for example badge importer.">
          <Input autoFocus maxLength={100} autoComplete="off" />
        </FormField>
        <FormField
          form={form}
          name="environment"
          label="Environment"
          hint="A label only; it does not change what works."
          empty="null"
          isOptional
        >
          <Select
            options={[
              { value: '', label: 'None' },
              ...environments.map((environment) => ({ value: environment, label: environment })),
            ]}
          />
        </FormField>
      </FieldRow>
      <ScopePicker
        isRequired
        value={form.watch('scopes')}
        onChange={(scopes) => form.setValue('scopes', scopes, { shouldDirty: true, shouldValidate: true })}
        error={errorOf(form, 'scopes')}
      />
    </Form>
  )
}

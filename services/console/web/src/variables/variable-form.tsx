import { system } from '@wp/contracts'
import type { z } from 'zod'
import { Checkbox, Input, Textarea } from '../ui/form/controls.tsx'
import { Form, FormField } from '../ui/form/form.tsx'
import { useApiForm } from '../ui/form/use-api-form.ts'

const schema = system.putVariable.body

export type VariableValues = z.output<typeof schema>

/**
 * The fields of a variable. The name of an existing one is fixed, and the value of a secret one has to be entered
 * again.
 */
export function VariableForm({
  existing,
  submitLabel,
  onSubmit,
  onCancel,
}: {
  existing?: { name: string; value: string | null; secret: boolean }
  submitLabel: string
  onSubmit: (values: VariableValues) => Promise<unknown>
  onCancel: () => void
}) {
  const { form, ...state } = useApiForm({
    schema,
    defaultValues: { name: existing?.name ?? '', value: existing?.value ?? '', secret: existing?.secret ?? false },
    onSubmit,
  })
  const isSecret = form.watch('secret') ?? false
  return (
    <Form {...state} submitLabel={submitLabel} onCancel={onCancel}>
      {existing === undefined && (
        <FormField form={form} name="name" label="Name" hint="A to Z, 0 to 9 and _, beginning with a letter.">
          <Input isMono autoFocus maxLength={64} autoComplete="off" spellCheck={false} placeholder="ESCALATION_MAIL" />
        </FormField>
      )}
      <FormField
        form={form}
        name="value"
        label="Value"
        hint={existing?.secret ? 'The present value is secret and not shown. Enter a new one.' : 'At most 32 KiB.'}
      >
        <Textarea isMono rows={5} autoComplete="off" spellCheck={false} autoFocus={existing !== undefined} />
      </FormField>
      <Checkbox
        label="Secret"
        hint="Its value is encrypted and never shown again, neither here nor by the API."
        {...form.register('secret')}
      />
      {existing?.secret && !isSecret && (
        <p>The new value will be readable by everyone with the scope workspace:read.</p>
      )}
    </Form>
  )
}

import { type NotificationSettings, NotificationSettingsPatch } from '@wp/contracts'
import { TimeField } from '../../ui/date/time-field.tsx'
import { Select } from '../../ui/form/controls.tsx'
import { FieldRow } from '../../ui/form/field.tsx'
import { Form, FormField } from '../../ui/form/form.tsx'
import { useApiForm } from '../../ui/form/use-api-form.ts'
import { showSuccess } from '../../ui/message/toast.ts'
import { Card } from '../../ui/page/page.tsx'
import { ZoneInput } from './zone-input.tsx'

const schema = NotificationSettingsPatch.pick({ digest: true })

/** Collects mails into one a day or a week. */
export function DigestCard({
  settings: { digest },
  onSave,
}: {
  settings: NotificationSettings
  onSave: (patch: NotificationSettingsPatch) => Promise<void>
}) {
  const { form, ...state } = useApiForm({
    schema,
    defaultValues: { digest },
    onSubmit: async (body) => {
      await onSave(body)
      showSuccess('Saved the digest')
    },
  })
  const isOn = form.watch('digest.frequency') !== 'off'
  return (
    <Card title="Digest" description="One mail instead of many, for everything that is not critical.">
      <Form {...state} submitLabel="Save digest">
        <FieldRow>
          <FormField form={form} name="digest.frequency" label="Frequency">
            <Select
              options={[
                { value: 'off', label: 'Off: a mail for each' },
                { value: 'daily', label: 'Every day' },
                { value: 'weekly', label: 'Every Monday' },
              ]}
            />
          </FormField>
          {isOn && (
            <>
              <TimeField form={form} name="digest.at" label="At" />
              <FormField form={form} name="digest.timezone" label="Time zone" isOptional empty="null">
                <ZoneInput />
              </FormField>
            </>
          )}
        </FieldRow>
      </Form>
    </Card>
  )
}

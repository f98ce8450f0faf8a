import { type NotificationSettings, NotificationSettingsPatch } from '@wp/contracts'
import { Checkbox, Input } from '../../ui/form/controls.tsx'
import { FieldRow } from '../../ui/form/field.tsx'
import { Form } from '../../ui/form/form.tsx'
import { FormField } from '../../ui/form/form-field.tsx'
import { useApiForm } from '../../ui/form/use-api-form.ts'
import { showSuccess } from '../../ui/message/toast.ts'
import { Card } from '../../ui/page/page.tsx'
import { browserZone, ZoneInput } from './zone-input.tsx'

const schema = NotificationSettingsPatch.pick({ quiet_hours: true })

/** Hours in which mails and Slack messages wait. */
export function QuietHoursCard({
  settings: { quiet_hours },
  onSave,
}: {
  settings: NotificationSettings
  onSave: (patch: NotificationSettingsPatch) => Promise<void>
}) {
  const { form, ...state } = useApiForm({
    schema,
    defaultValues: { quiet_hours },
    onSubmit: async (body) => {
      await onSave(body)
      showSuccess('Saved the quiet hours')
    },
  })
  const isOn = Boolean(form.watch('quiet_hours'))
  const toggle = (value: boolean) =>
    form.setValue(
      'quiet_hours',
      value ? (quiet_hours ?? { start: '20:00', end: '07:00', timezone: browserZone() }) : null,
    )
  return (
    <Card title="Quiet hours" description="Mails and Slack messages wait for their end, unless they are critical.">
      <Form {...state} submitLabel="Save quiet hours" align="start">
        <Checkbox label="Use quiet hours" checked={isOn} onChange={({ target }) => toggle(target.checked)} />
        {isOn && (
          <FieldRow>
            <FormField form={form} name="quiet_hours.start" label="From">
              <Input type="time" />
            </FormField>
            <FormField form={form} name="quiet_hours.end" label="To">
              <Input type="time" />
            </FormField>
            <FormField form={form} name="quiet_hours.timezone" label="Time zone">
              <ZoneInput />
            </FormField>
          </FieldRow>
        )}
      </Form>
    </Card>
  )
}

import { solutions } from '@wp/contracts'
import { useState } from 'react'
import { z } from 'zod'
import { useApiQuery, useBaseUrl, useCan, useWorkspace } from '../../session/workspace-context.tsx'
import { Button } from '../../ui/button/button.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { Input } from '../../ui/form/controls.tsx'
import { Form, FormField } from '../../ui/form/form.tsx'
import { numberText } from '../../ui/form/number-text.ts'
import { useApiForm } from '../../ui/form/use-api-form.ts'
import { Unloaded } from '../../ui/message/message.tsx'
import { showSuccess } from '../../ui/message/toast.ts'
import { Stack } from '../../ui/page/page.tsx'
import { SafeLink } from '../../ui/values/values.tsx'

/** Explains which figures are withheld, and lets those who may change from how many people on they are shown. */
export function PrivacyButton() {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button icon="lock" onClick={() => setOpen(true)}>
        Privacy
      </Button>
      <Dialog isOpen={isOpen} onClose={() => setOpen(false)} title="Privacy of the figures">
        {isOpen && <Privacy onDone={() => setOpen(false)} />}
      </Dialog>
    </>
  )
}

function Privacy({ onDone }: { onDone: () => void }) {
  const canWrite = useCan()('solutions:write')
  const baseUrl = useBaseUrl()
  const { data, error, refetch } = useApiQuery(['workplace-settings'], (api, options) =>
    api.solutions.getWorkplaceSettings({}, options),
  )
  return (
    <Stack>
      <p>
        A figure that could tell about a few people only is withheld, with enough others that it cannot be computed from
        them. Small teams and quiet hours therefore have no figures.
      </p>
      <p>
        Agree on the number with your works council before others get access.{' '}
        <SafeLink address={`${baseUrl}/docs/works-council`}>What to tell the works council</SafeLink>
      </p>
      {error || data === undefined ? (
        <Unloaded error={error} refetch={refetch} height="6rem" />
      ) : canWrite ? (
        <ThresholdForm threshold={data.privacy_threshold} onDone={onDone} />
      ) : (
        <p>Figures of fewer than {data.privacy_threshold} people are withheld.</p>
      )}
    </Stack>
  )
}

const schema = z.object({
  privacy_threshold: numberText(solutions.updateWorkplaceSettings.body.shape.privacy_threshold.unwrap()),
})

function ThresholdForm({ threshold, onDone }: { threshold: number; onDone: () => void }) {
  const { api, refresh } = useWorkspace()
  const { form, ...state } = useApiForm({
    schema,
    defaultValues: { privacy_threshold: String(threshold) },
    onSubmit: async (body) => {
      await api.solutions.updateWorkplaceSettings({ body })
      await Promise.all([refresh('workplace-settings'), refresh('utilization')])
      showSuccess('Saved. All days are counted again.')
      onDone()
    },
  })
  return (
    <Form {...state} submitLabel="Save" onCancel={onDone}>
      <FormField
        form={form}
        name="privacy_threshold"
        label="Withhold figures of fewer people than"
        hint="5 to 100. A change counts all days again."
      >
        <Input inputMode="numeric" style={{ maxWidth: '8rem' }} />
      </FormField>
    </Form>
  )
}

import { useWorkspace } from '../../session/workspace-context.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { Input, Select, Textarea } from '../../ui/form/controls.tsx'
import { FieldRow } from '../../ui/form/field.tsx'
import { Form, FormField } from '../../ui/form/form.tsx'
import { type ApiForm, useApiForm } from '../../ui/form/use-api-form.ts'
import { Segmented } from '../../ui/menu/tabs.tsx'
import { showSuccess } from '../../ui/message/toast.ts'
import { TimedScheduleEditor } from '../../ui/schedule/schedule-editor.tsx'
import { autonomyWords, lowerLevels } from './autonomy-words.ts'
import { ConditionsField } from './conditions-field.tsx'
import {
  hasOtherFilter,
  type TriggerBody,
  type TriggerValues,
  toTriggerValues,
  triggerSchema,
} from './trigger-values.ts'
import { type AgentOfTriggers, eventChoices, type TriggerView } from './trigger-words.ts'

/** Adds an automatic run of an assistant, or changes one. */
export function TriggerDialog({
  agent,
  trigger,
  onClose,
}: {
  agent: AgentOfTriggers
  trigger: TriggerView | undefined
  onClose: () => void
}) {
  const { api, refresh } = useWorkspace()
  const apiForm = useApiForm({
    schema: triggerSchema(trigger),
    defaultValues: toTriggerValues(trigger, Intl.DateTimeFormat().resolvedOptions().timeZone),
    onSubmit: async (body) => {
      const params = { agent_id: agent.agent_id }
      if (trigger !== undefined) await api.agents.updateTrigger({ params: { ...params, id: trigger.id }, body })
      else if (body.on !== undefined && body.input !== undefined)
        await api.agents.createTrigger({ params, body: { ...body, on: body.on, input: body.input } })
      await refresh('agents', agent.agent_id, 'triggers')
      showSuccess(trigger === undefined ? 'The assistant now runs by itself' : 'Automatic run saved')
      onClose()
    },
  })
  const { form, ...state } = apiForm
  const kind = form.watch('kind')
  return (
    <Dialog
      isOpen
      onClose={onClose}
      size="wide"
      title={trigger === undefined ? 'Run by itself' : 'Change the automatic run'}
      description="The assistant gets the same question at each time or event, and its runs act for you."
    >
      <Form {...state} submitLabel={trigger === undefined ? 'Add' : 'Save'} onCancel={onClose}>
        <Segmented
          label="When"
          value={kind}
          options={[
            { value: 'schedule', label: 'At times' },
            { value: 'event', label: 'When something happens' },
          ]}
          onChange={(value) => form.setValue('kind', value)}
        />
        {kind === 'schedule' ? (
          <TimedScheduleEditor
            noun="runs"
            value={form.watch('schedule')}
            onChange={(schedule) => form.setValue('schedule', schedule)}
          />
        ) : (
          <EventFields form={form} trigger={trigger} />
        )}
        <FormField form={form} name="input" label="Question" hint={inputHint(kind, agent.input_schema !== null)}>
          <Textarea rows={3} placeholder="What needs attention today?" />
        </FormField>
        <FieldRow>
          <FormField
            form={form}
            name="budget.runs_per_day"
            label="Runs a day"
            hint="At most. Empty for no limit."
            isOptional
          >
            <Input inputMode="numeric" />
          </FormField>
          <FormField form={form} name="autonomy" label="Approvals" hint="Never fewer than the assistant asks for.">
            <Select
              options={[
                { value: '', label: `As the assistant: ${autonomyWords[agent.autonomy].label}` },
                ...lowerLevels(agent.autonomy).map((value) => ({ value, label: autonomyWords[value].label })),
              ]}
            />
          </FormField>
        </FieldRow>
      </Form>
    </Dialog>
  )
}

function inputHint(kind: TriggerValues['kind'], hasSchema: boolean): string {
  const shape = hasSchema ? 'An object as JSON, as the input schema of the assistant asks for it.' : ''
  return kind === 'event' ? `What happened is added to it. ${shape}` : shape
}

type TriggerForm = ApiForm<TriggerValues, TriggerBody>['form']

function EventFields({ form, trigger }: { form: TriggerForm; trigger: TriggerView | undefined }) {
  const event = form.watch('event')
  if (trigger !== undefined && hasOtherFilter(trigger) && 'event' in trigger.on)
    return <p>Its filter was set by the API, and stays as it is.</p>
  return (
    <>
      <FormField form={form} name="event" label="When">
        <Select options={eventChoices} />
      </FormField>
      <ConditionsField
        event={event}
        value={form.watch('conditions')}
        onChange={(conditions) => form.setValue('conditions', conditions)}
      />
    </>
  )
}

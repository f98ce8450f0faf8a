import { useQueryClient } from '@tanstack/react-query'
import type { Agent } from '@wp/contracts'
import { useState } from 'react'
import { z } from 'zod'
import { useCan, useWorkspace } from '../../session/workspace-context.tsx'
import { Button } from '../../ui/button/button.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { Checkbox, Input, Select } from '../../ui/form/controls.tsx'
import { Form, FormField } from '../../ui/form/form.tsx'
import { numberText } from '../../ui/form/number-text.ts'
import { useApiForm } from '../../ui/form/use-api-form.ts'
import { showSuccess } from '../../ui/message/toast.ts'
import { Card } from '../../ui/page/page.tsx'
import { agentQuery } from '../shared/queries.ts'
import { percentOf, useEvaluationSets } from './evaluation-queries.ts'

type AgentDetail = z.input<typeof Agent>

/** The condition for another version of an assistant to become active. */
export function GateCard({ agent }: { agent: AgentDetail }) {
  const can = useCan()
  const [isOpen, setOpen] = useState(false)
  const { data: sets } = useEvaluationSets()
  const { gate } = agent
  const name = sets?.find(({ id }) => id === gate?.evaluation_set_id)?.name ?? 'a test set'
  return (
    <Card
      title="Condition for new versions"
      actions={
        can('agents:gate') && (
          <Button onClick={() => setOpen(true)}>{gate === null ? 'Set a condition' : 'Change'}</Button>
        )
      }
    >
      {gate === null ? (
        <p>Every change of the assistant is active at once.</p>
      ) : (
        <p>
          A version becomes active when{' '}
          {gate.min_pass_rate === 1 ? 'all' : `at least ${percentOf(gate.min_pass_rate)} of the`} answers to{' '}
          <bdi>{name}</bdi> are good
          {gate.no_regressions && gate.min_pass_rate < 1 ? ', and none that is good now becomes wrong' : ''}.
        </p>
      )}
      {isOpen && <GateDialog agent={agent} onClose={() => setOpen(false)} />}
    </Card>
  )
}

const GateForm = z.object({
  set: z.string(),
  percent: numberText(z.number().min(0).max(100)),
  no_regressions: z.boolean(),
})

function GateDialog({ agent, onClose }: { agent: AgentDetail; onClose: () => void }) {
  const { api, workspaceId } = useWorkspace()
  const queryClient = useQueryClient()
  const { data: sets } = useEvaluationSets()
  const { gate, agent_id: agentId } = agent
  const { form, ...rest } = useApiForm({
    schema: GateForm,
    defaultValues: {
      set: gate?.evaluation_set_id ?? '',
      percent: String(Math.round((gate?.min_pass_rate ?? 1) * 100)),
      no_regressions: gate?.no_regressions ?? true,
    },
    onSubmit: async ({ set, percent, no_regressions }) => {
      const changed = await api.agents.updateAgent({
        params: { agent_id: agentId },
        body: {
          gate: set === '' ? null : { evaluation_set_id: set, min_pass_rate: percent / 100, no_regressions },
        },
      })
      queryClient.setQueryData(agentQuery(api, workspaceId, agentId).queryKey, changed)
      showSuccess(set === '' ? 'The condition was removed' : 'The condition was set')
      onClose()
    },
  })
  return (
    <Dialog isOpen onClose={onClose} title="Condition for new versions">
      <Form {...rest} submitLabel="Save" onCancel={onClose}>
        <FormField form={form} name="set" label="Test set">
          <Select
            options={[
              { value: '', label: 'No condition' },
              ...(sets ?? []).map(({ id, name }) => ({ value: id, label: name })),
            ]}
          />
        </FormField>
        <FormField form={form} name="percent" label="Good answers, at least (%)">
          <Input inputMode="decimal" />
        </FormField>
        <Checkbox
          {...form.register('no_regressions')}
          label="No answer that is good now may become wrong"
          hint="Compares with the last test of the active version"
        />
      </Form>
    </Dialog>
  )
}

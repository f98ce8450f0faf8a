import { useMutation } from '@tanstack/react-query'
import { useCan, useWorkspace } from '../../session/workspace-context.tsx'
import { Select } from '../../ui/form/controls.tsx'
import { DropZone } from '../../ui/form/drop-zone.tsx'
import { Field } from '../../ui/form/field.tsx'
import { formatCount } from '../../ui/format/format.ts'
import { ErrorMessage } from '../../ui/message/message.tsx'
import { showError, showSuccess } from '../../ui/message/toast.ts'
import { Card } from '../../ui/page/page.tsx'
import { modelName, namesById } from '../shared/agent-values.ts'
import { useIntegrations, useModels } from '../shared/queries.ts'
import type { SetRow } from './evaluation-queries.ts'

/** Adds the questions of a file to a set. */
export function ImportCard({ set: { id } }: { set: SetRow }) {
  const { api, refresh } = useWorkspace()
  const { mutate, error, reset } = useMutation({
    mutationFn: async (file: File) => {
      const format = file.name.endsWith('.jsonl') ? 'jsonl' : 'csv'
      return api.agents.importEvaluationCases({ params: { id }, body: { format, content: await file.text() } })
    },
    onSuccess: async ({ imported }) => {
      await refresh('evaluation-sets')
      showSuccess(`Added ${formatCount(imported, 'question')}`)
    },
  })
  return (
    <Card
      title="From a file"
      description="A CSV file with the columns input and contains (facts, separated by |), or answer; or JSON lines."
    >
      <DropZone
        isCompact
        label="Drop a CSV or JSONL file"
        accept=".csv,.jsonl,text/csv"
        onFiles={([file]) => {
          reset()
          if (file !== undefined) mutate(file)
        }}
      />
      {error !== null && <ErrorMessage error={error} />}
    </Card>
  )
}

/** The choice of the model that judges the answers of a set. */
export function GraderCard({ set }: { set: SetRow }) {
  const { api, refresh } = useWorkspace()
  const can = useCan()
  const { data: models = [] } = useModels()
  const { data: integrations } = useIntegrations()
  const options = models.filter(({ provider }) => provider !== 'local')
  const value = set.grader === null ? '' : `${set.grader.provider} ${set.grader.id ?? ''}`
  const change = async (chosen: string) => {
    const [provider = '', id = ''] = chosen.split(' ')
    try {
      const grader = provider === '' ? null : { provider, ...(id !== '' && { id }) }
      await api.agents.updateEvaluationSet({ params: { id: set.id }, body: { grader } })
      await refresh('evaluation-sets')
      showSuccess('The test set was changed')
    } catch (error) {
      showError(error)
    }
  }
  return (
    <Card title="Judgement by a model" description="For answers that no list of facts can check.">
      <Field label="Model that judges" hint="Another model than that of the assistant judges more fairly">
        <Select
          value={value}
          disabled={!can('agents:write')}
          onChange={(event) => void change(event.target.value)}
          options={[
            { value: '', label: 'None' },
            ...(set.grader !== null && !options.some((each) => keyOf(each) === value)
              ? [{ value, label: modelName(set.grader, namesById(integrations)) }]
              : []),
            ...options.map((model) => ({ value: keyOf(model), label: model.name, disabled: !model.available })),
          ]}
        />
      </Field>
    </Card>
  )
}

const keyOf = ({ provider, id }: { provider: string; id: string }): string =>
  provider === 'default' ? 'default ' : `${provider} ${id}`

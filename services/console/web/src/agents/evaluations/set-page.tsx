import { keepPreviousData, useMutation } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import type { EvaluationExpectation } from '@wp/contracts'
import { useState } from 'react'
import { useApi, useApiQuery, useCan, useRefresh, useWorkspaceId } from '../../session/workspace-context.tsx'
import { Button, Icon } from '../../ui/button/button.tsx'
import { ConfirmDialog } from '../../ui/dialog/confirm-dialog.tsx'
import { Select } from '../../ui/form/controls.tsx'
import { DropZone } from '../../ui/form/drop-zone.tsx'
import { Field } from '../../ui/form/field.tsx'
import { formatCount } from '../../ui/format/format.ts'
import { isolate } from '../../ui/format/untrusted-text.ts'
import { ActionMenu } from '../../ui/menu/menu.tsx'
import { EmptyState, ErrorMessage } from '../../ui/message/message.tsx'
import { showError, showSuccess } from '../../ui/message/toast.ts'
import { Card, Page, UnloadedPage } from '../../ui/page/page.tsx'
import { BulkTable } from '../../ui/table/bulk-table.tsx'
import type { Column } from '../../ui/table/data-table.tsx'
import { DownloadButton } from '../../ui/values/download-button.tsx'
import { Time } from '../../ui/values/values.tsx'
import { modelName, namesById } from '../shared/agent-values.ts'
import styles from '../shared/agents.module.css'
import { useIntegrations, useModels } from '../shared/queries.ts'
import { CaseDialog, type CaseRow } from './case-dialog.tsx'
import { type SetRow, titleOf } from './evaluation-queries.ts'

const route = getRouteApi('/$workspaceId/agents/evaluation-sets/$setId')

/** One test set: its questions, which can be changed, and files in and out. */
export function EvaluationSetPage() {
  const { workspaceId, setId } = route.useParams()
  const set = useApiQuery(['evaluation-sets', setId], (api, options) =>
    api.agents.getEvaluationSet({ params: { id: setId } }, options),
  )
  const parent = {
    label: 'Test sets',
    link: { to: '/$workspaceId/agents/evaluation-sets', params: { workspaceId } },
  } as const
  if (set.data === undefined) return <UnloadedPage title="Test set" parent={parent} {...set} />
  const { name, description } = set.data
  return (
    <Page title={name} description={description} parent={parent} actions={<SetActions set={set.data} />}>
      <Cases set={set.data} />
    </Page>
  )
}

function SetActions({ set: { id, name } }: { set: SetRow }) {
  const workspaceId = useWorkspaceId()
  const api = useApi()
  const refresh = useRefresh()
  const navigate = useNavigate()
  const can = useCan()
  const [isDeleting, setDeleting] = useState(false)
  const remove = async () => {
    await api.agents.deleteEvaluationSet({ params: { id } })
    await navigate({ to: '/$workspaceId/agents/evaluation-sets', params: { workspaceId } })
    await refresh('evaluation-sets', 'list')
    showSuccess('The test set was deleted')
  }
  return (
    <>
      <DownloadButton
        workspaceId={workspaceId}
        path={`/v1/agents/evaluation-sets/${id}/export?format=csv`}
        fileName="questions.csv"
      >
        Download
      </DownloadButton>
      {can('agents:write') && (
        <ActionMenu
          label={`Actions of ${name}`}
          entries={[{ label: 'Delete', icon: 'trash', isDangerous: true, onSelect: () => setDeleting(true) }]}
        />
      )}
      <ConfirmDialog
        isOpen={isDeleting}
        onClose={() => setDeleting(false)}
        title={`Delete ${isolate(name)}?`}
        confirmLabel="Delete the test set"
        onConfirm={remove}
      >
        Its questions and the results of its tests are deleted. This cannot be undone.
      </ConfirmDialog>
    </>
  )
}

/** The questions of a set, and under them, once their number is known, what depends on where they end. */
function Cases({ set }: { set: SetRow }) {
  const api = useApi()
  const workspaceId = useWorkspaceId()
  const can = useCan()
  const mayWrite = can('agents:write')
  const { cursor } = route.useSearch()
  const [edited, setEdited] = useState<CaseRow | 'new'>()
  const cases = useApiQuery(
    ['evaluation-sets', set.id, 'cases', cursor],
    (api_, options) =>
      api_.agents.listEvaluationCases(
        { params: { evaluation_set_id: set.id }, query: { limit: 25, ...(cursor !== undefined && { cursor }) } },
        options,
      ),
    { placeholderData: keepPreviousData },
  )
  const add = mayWrite && (
    <Button variant="primary" onClick={() => setEdited('new')}>
      <Icon name="plus" size={16} />
      Add a question
    </Button>
  )
  return (
    <>
      <Card title="Questions" description={formatCount(set.cases, 'question')} actions={add} isFlush>
        <BulkTable
          label="Questions"
          columns={columns}
          page={cases}
          cursor={cursor}
          noun="questions"
          rowKey={({ id }) => id}
          rowName={titleOf}
          {...(mayWrite && { onPreview: (row: CaseRow) => setEdited(row) })}
          action={
            mayWrite
              ? {
                  ...{ verb: 'Delete', past: 'Deleted', noun: 'question', describe: titleOf },
                  consequences: 'Results of earlier tests keep them.',
                  call: (id) => api.agents.deleteEvaluationCase({ params: { evaluation_set_id: set.id, id } }),
                  queryKey: [workspaceId, 'evaluation-sets'],
                }
              : undefined
          }
          empty={
            <EmptyState icon="chat" title="Add the first question" actions={add}>
              Write a question and the facts that a good answer states, drop a file below, or add an answer of an
              assistant by one click.
            </EmptyState>
          }
        />
      </Card>
      {edited !== undefined && (
        <CaseDialog set={set} row={edited === 'new' ? undefined : edited} onClose={() => setEdited(undefined)} />
      )}
      {!cases.isLoading && (
        <>
          {mayWrite && <ImportCard set={set} />}
          <GraderCard set={set} />
        </>
      )}
    </>
  )
}

const columns: readonly Column<CaseRow>[] = [
  { header: 'Question', cell: (row) => <span className={styles.clamp}>{titleOf(row)}</span> },
  { header: 'A good answer', cell: ({ expected }) => <span className={styles.clamp}>{describe(expected)}</span> },
  { header: 'Changed', cell: ({ updated_at }) => <Time value={updated_at} />, isNarrow: true },
]

/** Returns what is expected in words. */
export function describe({ answer, contains, not_contains, matches, fields, grader }: EvaluationExpectation): string {
  return [
    answer !== undefined && `is “${answer}”`,
    contains !== undefined && `states ${contains.map((fact) => `“${fact}”`).join(', ')}`,
    not_contains !== undefined && `does not state ${not_contains.map((fact) => `“${fact}”`).join(', ')}`,
    matches !== undefined && `matches ${matches}`,
    fields !== undefined && `has ${formatCount(fields.length, 'value')} as JSON`,
    grader !== undefined && `is judged: ${grader.instructions}`,
  ]
    .filter(Boolean)
    .join('; ')
}

function ImportCard({ set: { id } }: { set: SetRow }) {
  const api = useApi()
  const refresh = useRefresh()
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

/** The choice of what depends on where they end. */
function GraderCard({ set }: { set: SetRow }) {
  const api = useApi()
  const refresh = useRefresh()
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

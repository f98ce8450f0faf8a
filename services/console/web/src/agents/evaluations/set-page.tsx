import { keepPreviousData } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import type { EvaluationExpectation } from '@wp/contracts'
import { useState } from 'react'
import { useApiQuery, useCan, useWorkspace } from '../../session/workspace-context.tsx'
import { Button } from '../../ui/button/button.tsx'
import { ConfirmedAction } from '../../ui/dialog/confirm-dialog.tsx'
import { formatCount } from '../../ui/format/format.ts'
import { isolate } from '../../ui/format/untrusted-text.ts'
import { ActionMenu } from '../../ui/menu/menu.tsx'
import { EmptyState } from '../../ui/message/message.tsx'
import { showSuccess } from '../../ui/message/toast.ts'
import { Card, Page, UnloadedPage } from '../../ui/page/page.tsx'
import { BulkTable } from '../../ui/table/bulk-table.tsx'
import type { Column } from '../../ui/table/data-table.tsx'
import { DownloadButton } from '../../ui/values/download-button.tsx'
import { Time } from '../../ui/values/values.tsx'
import styles from '../shared/agents.module.css'
import { CaseDialog, type CaseRow } from './case-dialog.tsx'
import { type SetRow, titleOf } from './evaluation-queries.ts'
import { GraderCard, ImportCard } from './set-cards.tsx'

const route = getRouteApi('/$workspaceId/agents/evaluation-sets/$setId')

/** One test set: its questions, which can be changed, and files in and out. */
export function EvaluationSetPage() {
  const { setId } = route.useParams()
  const set = useApiQuery(['evaluation-sets', setId], (api, options) =>
    api.agents.getEvaluationSet({ params: { id: setId } }, options),
  )
  const parent = {
    label: 'Test sets',
    link: { to: '/$workspaceId/agents/evaluation-sets' },
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
  const { api, workspaceId, refresh } = useWorkspace()
  const navigate = useNavigate()
  const can = useCan()
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
        <ConfirmedAction
          control={(ask) => (
            <ActionMenu
              label={`Actions of ${name}`}
              entries={[{ label: 'Delete', icon: 'trash', isDangerous: true, onSelect: ask }]}
            />
          )}
          title={`Delete ${isolate(name)}?`}
          confirmLabel="Delete the test set"
          onConfirm={remove}
        >
          Its questions and the results of its tests are deleted. This cannot be undone.
        </ConfirmedAction>
      )}
    </>
  )
}

/** The questions of a set, and under them, once their number is known, what depends on where they end. */
function Cases({ set }: { set: SetRow }) {
  const { api, workspaceId } = useWorkspace()
  const can = useCan()
  const mayWrite = can('agents:write')
  const { cursor } = route.useSearch()
  const [edited, setEdited] = useState<CaseRow | 'new'>()
  const cases = useApiQuery(
    ['evaluation-sets', set.id, 'cases', cursor],
    (api_, options) =>
      api_.agents.listEvaluationCases({ params: { evaluation_set_id: set.id }, query: { limit: 25, cursor } }, options),
    { placeholderData: keepPreviousData },
  )
  const add = mayWrite && (
    <Button icon="plus" variant="primary" onClick={() => setEdited('new')}>
      Add a question
    </Button>
  )
  return (
    <>
      <Card title="Questions" description={formatCount(set.cases, 'question')} actions={add} isFlush>
        <BulkTable
          columns={columns}
          page={cases}
          noun="questions"
          rowKey={({ id }) => id}
          rowName={titleOf}
          {...(mayWrite && { onPreview: (row: CaseRow) => setEdited(row) })}
          action={
            mayWrite
              ? {
                  verb: 'Delete',
                  past: 'Deleted',
                  noun: 'question',
                  describe: titleOf,
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

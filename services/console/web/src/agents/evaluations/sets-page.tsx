import { keepPreviousData } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { NewEvaluationSet } from '@wp/contracts'
import { useState } from 'react'
import { useApiQuery, useCan, useWorkspace } from '../../session/workspace-context.tsx'
import { Button } from '../../ui/button/button.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { Input, Textarea } from '../../ui/form/controls.tsx'
import { Form, FormField } from '../../ui/form/form.tsx'
import { useApiForm } from '../../ui/form/use-api-form.ts'
import { EmptyState } from '../../ui/message/message.tsx'
import type { Column } from '../../ui/table/data-table.tsx'
import { Time } from '../../ui/values/values.tsx'
import styles from '../shared/agents.module.css'
import { SearchedList } from '../shared/searched-list.tsx'
import type { SetRow } from './evaluation-queries.ts'

const route = getRouteApi('/$workspaceId/agents/evaluation-sets')

/** The test sets of the workspace: questions with what a good answer says. */
export function EvaluationSetsPage() {
  const can = useCan()
  const search = route.useSearch()
  const [isCreating, setCreating] = useState(false)
  const sets = useApiQuery(
    ['evaluation-sets', 'list', search],
    (api, options) => api.agents.listEvaluationSets({ query: { ...search, limit: 25 } }, options),
    { placeholderData: keepPreviousData },
  )
  const create = can('agents:write') && (
    <Button icon="plus" variant="primary" onClick={() => setCreating(true)}>
      New test set
    </Button>
  )
  return (
    <SearchedList
      description="Questions with what a good answer says. A test asks them all and shows which answers are wrong."
      actions={create}
      columns={columns}
      page={sets}
      noun="test sets"
      rowKey={({ id }) => id}
      rowLink={({ id: setId }) => ({
        to: '/$workspaceId/agents/evaluation-sets/$setId',
        params: { setId },
      })}
      empty={
        <EmptyState icon="check" title="Create the first test set" actions={create}>
          Collect questions whose answers you know. Before a change of an assistant goes live, its answers to them are
          checked.
        </EmptyState>
      }
    >
      <NewSetDialog isOpen={isCreating} onClose={() => setCreating(false)} />
    </SearchedList>
  )
}

const columns: readonly Column<SetRow>[] = [
  { header: 'Name', cell: ({ name }) => <span className={styles.name}>{name}</span> },
  { header: 'Description', cell: ({ description }) => <span className={styles.clamp}>{description || '–'}</span> },
  { header: 'Questions', cell: ({ cases }) => cases, align: 'end', isNarrow: true },
  { header: 'Changed', cell: ({ updated_at }) => <Time value={updated_at} />, isNarrow: true },
]

function NewSetDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const { api, workspaceId, refresh } = useWorkspace()
  const navigate = useNavigate()
  const { form, ...rest } = useApiForm({
    schema: NewEvaluationSet,
    defaultValues: { name: '', description: '' },
    onSubmit: async (body) => {
      const { id: setId } = await api.agents.createEvaluationSet({ body })
      await refresh('evaluation-sets')
      await navigate({ to: '/$workspaceId/agents/evaluation-sets/$setId', params: { workspaceId, setId } })
    },
  })
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title="New test set">
      <Form {...rest} submitLabel="Create the test set" onCancel={onClose}>
        <FormField form={form} name="name" label="Name">
          <Input />
        </FormField>
        <FormField form={form} name="description" label="Description" isOptional>
          <Textarea rows={3} />
        </FormField>
      </Form>
    </Dialog>
  )
}

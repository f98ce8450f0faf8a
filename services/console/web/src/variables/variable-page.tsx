import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { isNotFound } from '../api/describe-error.ts'
import { useApiQuery, useCan, useWorkspace } from '../session/workspace-context.tsx'
import { Button } from '../ui/button/button.tsx'
import { ConfirmDialog } from '../ui/dialog/confirm-dialog.tsx'
import { Dialog } from '../ui/dialog/dialog.tsx'
import { Callout, Unloaded } from '../ui/message/message.tsx'
import { showSuccess } from '../ui/message/toast.ts'
import { Card, Page } from '../ui/page/page.tsx'
import { CodeBlock } from '../ui/values/code-block.tsx'
import { Badge } from '../ui/values/values.tsx'
import { VariableForm, type VariableValues } from './variable-form.tsx'
import { VariableHistory } from './variable-history.tsx'

const route = getRouteApi('/$workspaceId/variables/$name')

/** One variable: its value, its history, change and deletion. A deleted one shows its history. */
export function VariablePage() {
  const { name } = route.useParams()
  const { api, refresh } = useWorkspace()
  const canWrite = useCan()('workspace:write')
  const [dialog, setDialog] = useState<'edit' | 'delete'>()
  const { data, error, refetch } = useApiQuery(['variables', 'one', name], (api, options) =>
    api.system.getVariable({ params: { name } }, options),
  )
  const close = () => setDialog(undefined)
  const put = async (body: VariableValues) => {
    await api.system.putVariable({ body })
    await refresh('variables')
    showSuccess(`Changed ${name}`)
    close()
  }
  const remove = async () => {
    await api.system.deleteVariable({ params: { name } })
    await refresh('variables')
    showSuccess(`Deleted ${name}`)
  }
  const isDeleted = isNotFound(error)
  return (
    <Page
      title={name}
      status={data?.secret && <Badge tone="warning">secret</Badge>}
      parent={{ label: 'Variables', link: { to: '/$workspaceId/variables' } }}
      actions={
        canWrite &&
        !error && (
          <>
            <Button disabled={data === undefined} onClick={() => setDialog('delete')}>
              Delete
            </Button>
            <Button variant="primary" disabled={data === undefined} onClick={() => setDialog('edit')}>
              Change value
            </Button>
          </>
        )
      }
    >
      {isDeleted ? (
        <Callout tone="warning" title="This variable does not exist">
          If it was deleted, its history is below.
        </Callout>
      ) : (
        <Card title="Value">
          {error || data === undefined ? (
            <Unloaded error={error} refetch={refetch} height="2.9375rem" />
          ) : data.secret ? (
            <p>The value is secret. It can be replaced, but not shown.</p>
          ) : (
            <CodeBlock code={data.value ?? ''} label="Value" wrap />
          )}
        </Card>
      )}
      <VariableHistory
        name={name}
        {...(canWrite && { onRestore: (value: string) => put({ name, value, secret: false }) })}
      />
      <Dialog isOpen={dialog === 'edit'} onClose={close} title={`Change ${name}`}>
        {data && <VariableForm existing={data} submitLabel="Save value" onSubmit={put} onCancel={close} />}
      </Dialog>
      <ConfirmDialog
        isOpen={dialog === 'delete'}
        onClose={close}
        title={`Delete ${name}`}
        confirmLabel="Delete variable"
        onConfirm={remove}
      >
        What reads it by name gets an error from then on. Its history remains readable.
      </ConfirmDialog>
    </Page>
  )
}

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useApi, useWorkspaceId } from '../../session/workspace-context.tsx'
import { Input } from '../../ui/form/controls.tsx'
import { Field } from '../../ui/form/field.tsx'
import { ErrorMessage } from '../../ui/message/error-message.tsx'
import { Card, Stack } from '../../ui/page/page.tsx'
import { dataKey } from '../shared/queries.ts'
import { FileDrop } from './file-drop.tsx'
import { nameFromFile } from './file-types.ts'
import { startUploads } from './uploads.ts'

/** Creates an upload source named after the first file, and uploads the files at once. */
export function UploadNewSource() {
  const api = useApi()
  const workspaceId = useWorkspaceId()
  const navigate = useNavigate()
  const client = useQueryClient()
  const [key, setKey] = useState('')
  const create = useMutation({
    mutationFn: (files: readonly File[]) =>
      api.data.createSource({
        body: {
          provider: 'upload',
          name: nameFromFile(files[0]?.name ?? 'Upload'),
          ...(key.trim() !== '' && { config: { key: key.trim() } }),
        },
      }),
    onSuccess: async ({ data_source_id: sourceId }, files) => {
      startUploads({ workspaceId, sourceId, mode: 'incremental' }, files)
      await client.invalidateQueries({ queryKey: dataKey(workspaceId) })
      await navigate({ to: '/$workspaceId/data/$sourceId', params: { workspaceId, sourceId } })
    },
  })
  return (
    <Card title="Upload files" description="The source is named after the first file; rename it at any time.">
      <Stack>
        <FileDrop onFiles={(files) => create.mutate(files)} isBusy={create.isPending} />
        {create.error && <ErrorMessage error={create.error} />}
        <Field
          label="Key field"
          hint="The column that identifies a row, such as id: a row uploaded again replaces the one before. Without it, rows are told apart by their whole content."
          isOptional
        >
          <Input value={key} onChange={(event) => setKey(event.target.value)} maxLength={200} spellCheck={false} />
        </Field>
      </Stack>
    </Card>
  )
}

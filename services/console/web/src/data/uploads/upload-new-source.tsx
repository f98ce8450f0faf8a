import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useApi, useWorkspaceId } from '../../session/workspace-context.tsx'
import { Input, Select } from '../../ui/form/controls.tsx'
import { Field, FieldRow } from '../../ui/form/field.tsx'
import { ErrorMessage } from '../../ui/message/message.tsx'
import { Card } from '../../ui/page/page.tsx'
import { nameFromFile } from './file-types.ts'
import type { ChosenFiles } from './review/preview/preview-values.ts'
import type { AcceptedReading } from './review/review-props.ts'
import { UploadReview } from './review/upload-review.tsx'
import { useFocusOnChange } from './review/use-focus-on-change.ts'
import { UploadList, useSourceUploads } from './upload-list.tsx'
import { UploadStatus } from './upload-status.tsx'
import { dismissUpload, hasStoredNothing, isActive, startUploads, type Upload } from './uploads.ts'

/**
 * Reviews chosen files, creates an upload source with the accepted format, and uploads the files to it. The source is
 * created with the upload and deleted if that stores nothing, so that no empty source is left.
 */
export function UploadNewSource({ chosen, onCancel }: { chosen: ChosenFiles; onCancel: () => void }) {
  const api = useApi()
  const workspaceId = useWorkspaceId()
  const navigate = useNavigate()
  const fallbackName = nameFromFile(chosen.files[0].name)
  const [draft, setDraft] = useState<Draft>({ name: fallbackName, key: '' })
  const [sourceId, setSourceId] = useState<string>()
  const list = useSourceUploads(workspaceId, sourceId)
  const phase = phaseOf(list)
  const create = useMutation({
    mutationFn: ({ format }: AcceptedReading) =>
      api.data.createSource({
        body: {
          provider: 'upload',
          name: draft.name.trim() || fallbackName,
          config: { ...(draft.key !== '' && { key: draft.key }), ...(format && { format }) },
        },
      }),
    onSuccess: ({ data_source_id: created }, { isDocument, suggestions }) => {
      for (const { id } of list) dismissUpload(id)
      setSourceId(created)
      startUploads(
        { workspaceId, sourceId: created, isNewSource: true, mode: 'incremental', isDocument, suggestions },
        chosen.files,
      )
    },
  })
  useEffect(() => {
    if (phase === 'stored' && sourceId !== undefined)
      void navigate({ to: '/$workspaceId/data/$sourceId', params: { workspaceId, sourceId } })
  }, [phase, sourceId, workspaceId, navigate])
  const heading = useFocusOnChange(phase === 'uploading')
  const failure = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (phase === 'nothing stored') failure.current?.focus()
  }, [phase])
  const isUploading = phase === 'uploading' || phase === 'stored'
  return (
    <>
      {isUploading && (
        <Card title="Upload" headingRef={heading}>
          <UploadList list={list} recordCount={undefined} />
        </Card>
      )}
      <div hidden={isUploading}>
        <UploadReview
          chosen={chosen}
          onCancel={onCancel}
          onUpload={create.mutate}
          isBusy={create.isPending}
          renderFields={(columns) => <SourceFields columns={columns} draft={draft} onChange={setDraft} />}
          uploadError={
            <div ref={failure} tabIndex={-1}>
              {create.error && <ErrorMessage error={create.error} />}
              {phase === 'nothing stored' && list.map((upload) => <UploadStatus key={upload.id} upload={upload} />)}
            </div>
          }
        />
      </div>
    </>
  )
}

/** Returns where the uploads of a new source stand. A source in which nothing was stored is deleted before the end. */
function phaseOf(list: readonly Upload[]): 'review' | 'uploading' | 'stored' | 'nothing stored' {
  if (list.length === 0) return 'review'
  if (list.every(({ removal }) => removal !== undefined)) return 'nothing stored'
  const hasEnded = list.every((upload) => !isActive(upload) && upload.state !== 'interrupted')
  return hasEnded && !list.every(hasStoredNothing) ? 'stored' : 'uploading'
}

interface Draft {
  name: string
  /** Column whose values identify rows; empty for none. */
  key: string
}

function SourceFields({
  columns,
  draft: { name, key },
  onChange,
}: {
  columns: readonly string[]
  draft: Draft
  onChange: (draft: Draft) => void
}) {
  return (
    <FieldRow>
      <Field label="Name">
        <Input
          value={name}
          onChange={(event) => onChange({ name: event.target.value, key })}
          maxLength={200}
          autoComplete="off"
        />
      </Field>
      {columns.length > 0 && (
        <Field label="Column that identifies a row" isOptional>
          <Select
            value={key}
            options={[
              { value: '', label: 'None: every row counts' },
              ...columns.map((column) => ({ value: column, label: column })),
            ]}
            onChange={(event) => onChange({ name, key: event.target.value })}
          />
        </Field>
      )}
    </FieldRow>
  )
}

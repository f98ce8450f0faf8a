import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useApiQuery, useWorkspace } from '../../session/workspace-context.tsx'
import { Button } from '../../ui/button/button.tsx'
import { FormActions } from '../../ui/form/field.tsx'
import { ErrorMessage } from '../../ui/message/message.tsx'
import { Card, Stack } from '../../ui/page/page.tsx'
import { DefinitionList } from '../../ui/values/values.tsx'
import { type Dataset, missingRoles, roleWords } from './dataset-words.ts'
import { MappingFields } from './mapping-fields.tsx'
import { readSamples } from './sampled-columns.ts'

/** The columns of a file and what they mean. A change reads all rows again. */
export function MappingCard({ dataset, canWrite }: { dataset: Dataset; canWrite: boolean }) {
  const { id, kind, data_source_id: sourceId } = dataset
  const { api, refresh } = useWorkspace()
  const [mapping, setMapping] = useState<Dataset['mapping']>()
  const { data, error } = useApiQuery(['data', 'source', sourceId, 'samples'], readSamples(sourceId), {
    enabled: mapping !== undefined,
  })
  const save = useMutation({
    mutationFn: () => api.solutions.updateDataset({ params: { id }, body: { mapping: mapping ?? {} } }),
    onSuccess: () => refresh('workplace', 'dataset', id),
  })
  return (
    <Card
      title="Columns"
      description="If figures look wrong, a column may mean something else."
      actions={
        canWrite &&
        mapping === undefined && (
          <Button size="small" onClick={() => setMapping(dataset.mapping)}>
            Change columns
          </Button>
        )
      }
    >
      {mapping === undefined ? (
        <DefinitionList
          items={Object.entries(roleWords[kind]).map(([role, { label }]) => {
            const column = dataset.mapping[role]
            return column !== undefined && [label, column]
          })}
        />
      ) : (
        <Stack>
          {(error ?? save.error) && <ErrorMessage error={error ?? save.error} />}
          {data && (
            <MappingFields
              columns={data.columns}
              kind={kind}
              mapping={mapping}
              onChange={(changed) => setMapping({ ...changed })}
            />
          )}
          <FormActions>
            <Button
              variant="primary"
              isBusy={save.isPending}
              disabled={missingRoles(kind, mapping).length > 0}
              onClick={() => save.mutate()}
            >
              Save and count again
            </Button>
            <Button onClick={() => setMapping(undefined)}>Cancel</Button>
          </FormActions>
        </Stack>
      )}
    </Card>
  )
}

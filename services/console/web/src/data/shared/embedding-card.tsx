import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useApiQuery, useCan, useWorkspace } from '../../session/workspace-context.tsx'
import { Button } from '../../ui/button/button.tsx'
import { Link } from '../../ui/button/button-link.tsx'
import { Select } from '../../ui/form/controls.tsx'
import { Field, FormActions } from '../../ui/form/field.tsx'
import { formatCount, formatNumber } from '../../ui/format/format.ts'
import { ErrorMessage } from '../../ui/message/message.tsx'
import { showSuccess } from '../../ui/message/toast.ts'
import { Card, Stack } from '../../ui/page/page.tsx'
import { StatusBadge } from '../../ui/values/values.tsx'

/** Reads which model embeds the records of the workspace. */
export function useEmbedding() {
  return useApiQuery(['data', 'embedding'], (api, options) => api.data.getEmbedding({}, options))
}

/** The choice of the integration that embeds records for search by meaning. */
export function EmbeddingCard() {
  const { api, refresh } = useWorkspace()
  const can = useCan()
  const { data: embedding, error } = useEmbedding()
  const { data: models } = useApiQuery(
    ['integrations', 'openai_compatible'],
    (api, options) =>
      api.integrations.listIntegrations({ query: { provider: 'openai_compatible', limit: 100 } }, options),
    { enabled: can('integrations:read') },
  )
  const [chosen, setChosen] = useState<string>()
  const save = useMutation({
    mutationFn: (integrationId: string) =>
      api.data.updateEmbedding({ body: { integration_id: integrationId === '' ? null : integrationId } }),
    onSuccess: () => {
      setChosen(undefined)
      showSuccess('Search by meaning changed')
      return refresh('data')
    },
  })
  if (error) return <ErrorMessage error={error} />
  if (embedding === undefined) return null
  const current = embedding.integration_id ?? ''
  const value = chosen ?? current
  return (
    <Card
      title="Search by meaning"
      description="Search finds rows with other words for the same thing. A language model compares what texts mean."
      actions={<StatusBadge status={embedding.status} />}
    >
      <Stack>
        {embedding.status !== 'off' && (
          <p>
            {formatNumber(embedding.records.embedded)} rows can be found by meaning,{' '}
            {formatNumber(embedding.records.pending)} are waiting, of{' '}
            {formatCount(embedding.sources, 'file or system', 'files and systems')}.
          </p>
        )}
        {models && models.items.length === 0 ? (
          <p>
            No language model is connected that can do this.{' '}
            <Link to="/$workspaceId/integrations/new" search={{ provider: 'openai_compatible' }}>
              Connect one
            </Link>
          </p>
        ) : (
          <>
            <Field
              label="Integration"
              hint="Titles and texts of sources with embedding, and queries by meaning, are sent to it."
            >
              <Select
                value={value}
                disabled={!can('data:write')}
                onChange={(event) => setChosen(event.target.value)}
                options={[
                  { value: '', label: 'None: nothing is embedded' },
                  ...(models?.items ?? []).map(({ integration_id, name }) => ({ value: integration_id, label: name })),
                ]}
              />
            </Field>
            {save.error && <ErrorMessage error={save.error} />}
            {value !== current && (
              <FormActions>
                <Button variant="primary" isBusy={save.isPending} onClick={() => save.mutate(value)}>
                  Save
                </Button>
                <Button onClick={() => setChosen(undefined)}>Cancel</Button>
              </FormActions>
            )}
          </>
        )}
      </Stack>
    </Card>
  )
}

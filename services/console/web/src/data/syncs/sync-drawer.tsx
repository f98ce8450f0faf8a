import { useApiQuery } from '../../session/workspace-context.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { Callout, ErrorMessage, Skeleton } from '../../ui/message/message.tsx'
import { Stack } from '../../ui/page/page.tsx'
import { DefinitionList, Id, StatusBadge, Time } from '../../ui/values/values.tsx'
import { isUnfinished, type Sync } from '../shared/queries.ts'
import { describeCounts } from '../shared/source-words.ts'
import { BadRows } from './bad-rows.tsx'

const runningPollMs = 1500

/** One sync: counts, error, rejected rows and changes of the schema. */
export function SyncDrawer({ syncId, onClose }: { syncId: string; onClose: () => void }) {
  const {
    data: sync,
    error,
    refetch,
  } = useApiQuery(['data', 'sync', syncId], (api, options) => api.data.getSync({ params: { id: syncId } }, options), {
    refetchInterval: ({ state: { data } }) => (data && isUnfinished(data) ? runningPollMs : false),
  })
  return (
    <Dialog isOpen onClose={onClose} title="Sync" size="drawer">
      {error ? (
        <ErrorMessage error={error} onRetry={refetch} />
      ) : sync ? (
        <SyncDetails sync={sync} />
      ) : (
        <Skeleton height="12rem" />
      )}
    </Dialog>
  )
}

function SyncDetails({ sync }: { sync: Sync }) {
  return (
    <Stack>
      {sync.error && (
        <Callout tone="danger" title={`Failed: ${sync.error.code}`}>
          {sync.error.message}
        </Callout>
      )}
      <DefinitionList
        items={[
          ['Id', <Id key="id" value={sync.id} />],
          ['Status', <StatusBadge key="status" status={sync.status} />],
          ['Trigger', sync.trigger],
          sync.mode !== null && ['Mode', sync.mode],
          ['Rows', describeCounts(sync.counts)],
          ['Created', <Time key="created" value={sync.created_at} format="absolute" />],
          ['Started', <Time key="started" value={sync.started_at} format="absolute" />],
          ['Ended', <Time key="ended" value={sync.finished_at} format="absolute" />],
          sync.cursor_before !== null && ['Cursor before', <code key="before">{sync.cursor_before}</code>],
          sync.cursor_after !== null && ['Cursor after', <code key="after">{sync.cursor_after}</code>],
        ]}
      />
      <BadRows rows={sync.bad_rows} total={sync.counts.failed} />
      {sync.schema_changes.length > 0 && (
        <div>
          <h3>Changes of the schema</h3>
          <ul>
            {sync.schema_changes.map((change) => (
              <li key={`${change.field} ${change.change}`}>
                <code>{change.field}</code> {describeChange(change)}
              </li>
            ))}
          </ul>
        </div>
      )}
    </Stack>
  )
}

function describeChange({ change, from, to, count }: Sync['schema_changes'][number]): string {
  if (change === 'added') return `was added${to ? ` as ${to}` : ''}`
  if (change === 'removed') return 'is in no record any more'
  if (change === 'type_changed') return `changed from ${from ?? 'nothing'} to ${to ?? 'nothing'}`
  return `has ${count ?? 'some'} values that are not ${from ?? 'as declared'}`
}

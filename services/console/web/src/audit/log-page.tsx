import { getRouteApi } from '@tanstack/react-router'
import type { AuditRecord } from '@wp/contracts'
import type { z } from 'zod'
import { useResourceNames } from '../names/resource-names.ts'
import { useApiQuery } from '../session/workspace-context.tsx'
import { Link } from '../ui/button/button-link.tsx'
import { isolate } from '../ui/format/untrusted-text.ts'
import { Card, Page, Stack, UnloadedPage } from '../ui/page/page.tsx'
import { DefinitionList, Id, StatusBadge, Time } from '../ui/values/values.tsx'
import styles from './audit.module.css'
import { actionWords, nameOfActor, nameOfTarget } from './audit-words.ts'
import { ChangeTable } from './change-table.tsx'

const route = getRouteApi('/$workspaceId/audit/$logId')

type Row = z.infer<typeof AuditRecord>

/** One audit record: who, what, from where, what changed, and its place in the chain. */
export function LogPage() {
  const { logId } = route.useParams()
  const { data, error, refetch } = useApiQuery(
    ['audit', 'logs', logId],
    (api, options) => api.audit.getLog({ params: { id: logId } }, options),
    { staleTime: Number.POSITIVE_INFINITY },
  )
  const parent = { label: 'Audit log', link: { to: '/$workspaceId/audit' } } as const
  if (data === undefined)
    return <UnloadedPage title="Audit record" parent={parent} error={error} refetch={refetch} height="20rem" />
  return (
    <Page
      title={actionWords(data.action)}
      status={<StatusBadge status={data.outcome} />}
      description={<Time value={data.occurred_at} format="absolute" />}
      parent={parent}
    >
      <Card title="Changes">
        <ChangeTable changes={data.changes} />
      </Card>
      <ParticipantsCard record={data} />
      <ContextCard context={data.context} />
      <ChainCard record={data} />
    </Page>
  )
}

function ParticipantsCard({ record: { action, actor, targets } }: { record: Row }) {
  const nameOf = useResourceNames([actor.id, ...targets.map(({ id }) => id)])
  const name = nameOfActor(actor, nameOf)
  return (
    <Card title="Actor and targets">
      <DefinitionList
        items={[
          [
            'Actor',
            name === actor.id
              ? actor.type.replaceAll('_', ' ')
              : `${isolate(name)} (${actor.type.replaceAll('_', ' ')})`,
          ],
          ['Action', <code key="action">{action}</code>],
          [
            'Actor id',
            <div key="actor">
              <Id value={actor.id} />{' '}
              <Link to="/$workspaceId/audit" search={{ actor: actor.id }}>
                All records of this actor
              </Link>
            </div>,
          ],
          targets.length > 0 && [
            targets.length === 1 ? 'Target' : 'Targets',
            <Stack key="targets">
              {targets.map(({ type, id }) => (
                <div key={`${type} ${id}`}>
                  <span className={styles.name}>{isolate(nameOfTarget({ type, id }, nameOf))}</span>
                  <Id value={id} />{' '}
                  <Link to="/$workspaceId/audit" search={{ target: id }}>
                    All records of this target
                  </Link>
                </div>
              ))}
            </Stack>,
          ],
        ]}
      />
    </Card>
  )
}

const ContextCard = ({ context }: Pick<Row, 'context'>) => (
  <Card title="Request">
    <DefinitionList
      items={[
        ['IP address', context.ip ?? 'Unknown or erased'],
        ['User agent', context.user_agent ?? 'Unknown or erased'],
        ['Request id', <Id key="request" value={context.request_id} label="Copy request id" />],
      ]}
    />
  </Card>
)

const ChainCard = ({ record: { id, seq, hash, prev_hash } }: { record: Row }) => (
  <Card
    title="Place in the chain"
    description="The hash covers the record and the hash of the record before it. A changed record no longer matches."
  >
    <DefinitionList
      items={[
        ['Position', seq],
        ['Record id', <Id key="id" value={id} />],
        ['Hash', <Id key="hash" value={hash} label="Copy hash" />],
        ['Previous hash', <Id key="previous" value={prev_hash} label="Copy previous hash" />],
      ]}
    />
  </Card>
)

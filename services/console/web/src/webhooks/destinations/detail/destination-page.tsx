import { getRouteApi } from '@tanstack/react-router'
import { Link } from '../../../ui/button/button-link.tsx'
import { Card, Cluster, Page, UnloadedPage } from '../../../ui/page/page.tsx'
import { CodeBlock } from '../../../ui/values/code-block.tsx'
import { Badge, DefinitionList, Id, StatusBadge, Time } from '../../../ui/values/values.tsx'
import { formatFilter } from '../../shared/filter-text.ts'
import { configFields, toTexts } from '../config-fields.ts'
import { type DestinationView, stateOf, typeNames } from '../destination-words.ts'
import { useDestination } from '../queries.ts'
import { DestinationActions } from './destination-actions.tsx'
import { HealthNotices, HealthSentence, HealthStats } from './destination-health.tsx'

const route = getRouteApi('/$workspaceId/webhooks/destinations/$destinationId')

/** One event destination: its health, its settings, and what can be done with it. */
export function DestinationPage() {
  const { destinationId } = route.useParams()
  const { data, error, refetch } = useDestination(destinationId)
  const parent = {
    label: 'Event destinations',
    link: { to: '/$workspaceId/webhooks/destinations' },
  } as const
  if (data === undefined)
    return <UnloadedPage title="Event destination" parent={parent} error={error} refetch={refetch} height="24rem" />
  return (
    <Page
      title={data.name}
      status={<StatusBadge status={stateOf(data)} />}
      description={<HealthSentence destination={data} />}
      parent={parent}
      actions={<DestinationActions destination={data} />}
    >
      <HealthNotices destination={data} />
      <HealthStats destination={data} />
      <Settings destination={data} />
    </Page>
  )
}

function Settings({ destination }: { destination: DestinationView }) {
  const { destination_id: id, content, filter, format, config, metadata, external_id } = destination
  const texts = toTexts(config.type, config)
  return (
    <Card title="Settings">
      <DefinitionList
        items={[
          ['Content', content === 'audit' ? 'Audit log' : <Events key="events" destination={destination} />],
          content === 'audit' && ['Format', format === 'ocsf' ? 'OCSF 1.3.0' : 'JSON'],
          filter !== null && ['Filter', <CodeBlock key="filter" code={formatFilter(filter)} label="Filter" wrap />],
          ['Type', typeNames[config.type]],
          ...configFields[config.type]
            .filter(({ name, isSecret }) => !isSecret && texts[name] !== '')
            .map(({ name, label, options }) => {
              const text = texts[name] ?? ''
              const option = options?.find(({ value }) => value === text)
              return [label, option?.label ?? <code key={name}>{text}</code>] as const
            }),
          config.type === 'http' &&
            Object.keys(config.headers).length > 0 && [
              'Custom headers',
              <Cluster key="headers">
                {Object.keys(config.headers).map((name) => (
                  <code key={name}>{name}</code>
                ))}
              </Cluster>,
            ],
          external_id !== null && ['External id', <Id key="external" value={external_id} />],
          ...Object.entries(metadata).map(([name, value]) => [`Metadata: ${name}`, value] as const),
          ['Created', <Time key="created" value={destination.created_at} format="absolute" />],
          ['Changed', <Time key="changed" value={destination.updated_at} format="absolute" />],
          ['Id', <Id key="id" value={id} />],
        ]}
      />
    </Card>
  )
}

function Events({ destination }: { destination: DestinationView }) {
  if (destination.events.includes('*')) return <Badge>all events</Badge>
  return (
    <Cluster>
      {destination.events.map((kind) => (
        <Link key={kind} to="/$workspaceId/webhooks/events" search={{ kind }}>
          <code>{kind}</code>
        </Link>
      ))}
    </Cluster>
  )
}
